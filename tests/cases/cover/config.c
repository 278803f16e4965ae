// Options from coax.toml: of a command, of all; the command line wins; what is wrong is said with its place.
// REQUIRES: clang
// RUN: printf 'entry = "check"\nmax-len = 4\n[cover]\nout = "%t/out"\nmax-runs = 1\nno-mutate = true\nemit = ["lcov", "junit"]\n[replay]\nentry = "other"\n' > coax.toml
// RUN: coax cover % --trust-config | grep -v '^not'; ls %t/out | grep 'lcov\|junit'
// RUN: coax cover % --max-runs 50 --emit ktest --out %t/second | tail -n 2; ls %t/second | grep 'lcov\|ktest'
// RUN: coax replay % --param 1; coax replay % --entry check --param 7 | grep FAIL
// RUN: printf '[cover]\nleaks = true\nO = 1\n' > %t/other.toml; coax cover % --entry check --no-memory-checks --config %t/other.toml --out %t/third | tail -n 1
// RUN: printf '[cover]\nmax_runs = 5\n' > coax.toml; coax cover %
// EXIT: 2
// RUN: printf 'sed = 5\n' > coax.toml; coax cover %
// EXIT: 2
// RUN: printf '[covr]\nseed = 5\n' > coax.toml; coax cover %
// EXIT: 2
// RUN: printf '[cover]\nleaks = "yes"\n' > coax.toml; coax cover %
// EXIT: 2
// RUN: printf '[cover]\nmax-runs = [1, 2]\n' > coax.toml; coax cover %
// EXIT: 2
// RUN: printf '[cover]\n  time = "soon"\n' > coax.toml; coax cover %
// EXIT: 2
// RUN: printf '[cover]\nemit = ["lcov", "xml"]\n' > coax.toml; coax cover %
// EXIT: 2
// RUN: printf '[cover]\ntime = 5s\n' > coax.toml; coax cover %
// EXIT: 2
// RUN: coax cover % --config %t/nothing.toml
// EXIT: 2
// RUN: coax cover % --config coax.toml --help | grep -A 1 -e '--config'; rm coax.toml

int other(int x) { return x + 1; }

int check(int x) {
    if (x == 7) __builtin_trap();
    return x > 5;
}

// OUTPUT
// $ printf 'entry = "check"\nmax-len = 4\n[cover]\nout = "%t/out"\nmax-runs = 1\nno-mutate = true\nemit = ["lcov", "junit"]\n[replay]\nentry = "other"\n' > coax.toml
// $ coax cover % --trust-config | grep -v '^not'; ls %t/out | grep 'lcov\|junit'
// | 1 test, 0 failures; branches 1/2 (50 %), lines 2/3 (67 %), functions 1/2 (50 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/out/tests.
// | junit
// | lcov
// $ coax cover % --max-runs 50 --emit ktest --out %t/second | tail -n 2; ls %t/second | grep 'lcov\|ktest'
// | [work], [time]; all paths are explored
// | Tests are in [t]/second/tests.
// | ktest
// $ coax replay % --param 1; coax replay % --entry check --param 7 | grep FAIL
// | ok    run: returned i32 2
// | FAIL  run: trapped: unreachable at config.c:31:17 in check
// $ printf '[cover]\nleaks = true\nO = 1\n' > %t/other.toml; coax cover % --entry check --no-memory-checks --config %t/other.toml --out %t/third | tail -n 1
// | Tests are in [t]/third/tests.
// $ printf '[cover]\nmax_runs = 5\n' > coax.toml; coax cover %
// ! error: coax.toml:2:1: `coax cover` has no option `max_runs`; did you mean `max-runs`?
// $ printf 'sed = 5\n' > coax.toml; coax cover %
// ! error: coax.toml:1:1: there is no option `sed`; did you mean `seed`?
// $ printf '[covr]\nseed = 5\n' > coax.toml; coax cover %
// ! error: coax.toml:1:2: there is no command `covr`; did you mean `cover`?
// $ printf '[cover]\nleaks = "yes"\n' > coax.toml; coax cover %
// ! error: coax.toml:2:9: `leaks` is a string; write `true` or `false`
// $ printf '[cover]\nmax-runs = [1, 2]\n' > coax.toml; coax cover %
// ! error: coax.toml:2:12: `max-runs` is an array; write a number or a string
// $ printf '[cover]\n  time = "soon"\n' > coax.toml; coax cover %
// ! error: coax.toml:2:10: invalid value 'soon' for '--time <TIME>': write a time like [time], [time] or 5m
// $ printf '[cover]\nemit = ["lcov", "xml"]\n' > coax.toml; coax cover %
// ! error: coax.toml:2:17: invalid value 'xml' for '--emit <FORMATS>': there is no format `xml`; there are ktest, testcomp, corpus, c, rust, lcov, sarif, junit, html
// $ printf '[cover]\ntime = 5s\n' > coax.toml; coax cover %
// ! error: coax.toml:2:8: this is not TOML: string values must be quoted, expected literal string; write `flag = value`
// $ coax cover % --config %t/nothing.toml
// ! error: cannot read the options in [t]/nothing.toml; name a file of TOML: No such file or directory (os error 2)
// $ coax cover % --config coax.toml --help | grep -A 1 -e '--config'; rm coax.toml
// |       --config <FILE>             Options from this file; the command line wins [default: coax.toml
// |                                   in the current directory, if it is there]
