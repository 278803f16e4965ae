// Places that are not there, or that cannot be named like this.
// REQUIRES: clang
// RUN: coax reach % --entry f --out %t/out
// EXIT: 2
// RUN: coax reach % --entry f --target other.c:3 --out %t/out
// EXIT: 2
// RUN: coax reach % --entry f --target %:1000 --out %t/out
// EXIT: 2
// RUN: coax reach ./% --entry f --target ./%:44 --out %t/out
// EXIT: 2
// RUN: coax reach % --entry f --target nothing --out %t/out
// EXIT: 2
// RUN: coax reach % --entry f --target nothing:trap --out %t/out
// EXIT: 2
// RUN: coax reach % --entry f --target f+0x1000 --out %t/out
// EXIT: 2
// RUN: coax reach % --entry f --target site:1000 --out %t/out
// EXIT: 2
// RUN: coax reach % --entry f --target site:first --out %t/out
// EXIT: 2
// RUN: coax reach % --entry f --target "" --out %t/out
// EXIT: 2
// RUN: mkdir %t/empty; coax reach % --entry f --uncovered %t/empty --out %t/out
// EXIT: 2
// RUN: echo no report > %t/empty/report.json; coax reach % --entry f --uncovered %t/empty --out %t/out
// EXIT: 2
// RUN: coax cover % --entry f --no-mutate --max-runs 1 --out %t/some > %t/said; cp %t/some/report.json %t/whole.json; sed 's/"site": [0-9]*/"site": 1000/' %t/whole.json > %t/some/report.json; coax reach % --entry f --uncovered %t/some --out %t/out
// EXIT: 2
// RUN: sed 's/"direction": [0-9]*/"direction": 7/' %t/whole.json > %t/some/report.json; coax reach % --entry f --uncovered %t/some --out %t/out
// EXIT: 2
// RUN: test ! -e %t/out
// RUN: coax reach % --entry f --target uncalled --target %:40 --no-mutate --out %t/uncalled
// EXIT: 3
// RUN: coax reach % --entry f --target label:nowhere --out %t/label
// EXIT: 2

static int used(int x) { return x * 2; }

int uncalled(int x) {
    return x + 1;
}

int f(int x) {

    if (x > 10) {
        return used(x);
    }
    return 0;
}

// OUTPUT
// $ coax reach % --entry f --out %t/out
// ! error: there is nothing to reach; name a place, for instance `--target parser.c:412`
// $ coax reach % --entry f --target other.c:3 --out %t/out
// ! error: no code of the program is from `other.c`; name a file like bad_input.c
// $ coax reach % --entry f --target %:1000 --out %t/out
// ! error: there is no code on line 1000 of `bad_input.c`; name the nearest with code, 49
// $ coax reach ./% --entry f --target ./%:44 --out %t/out
// ! error: there is no code on line 44 of `./bad_input.c`; name the nearest with code, 40 or 45, or compile with `-O0`, which gives it some if line 44 does something
// $ coax reach % --entry f --target nothing --out %t/out
// ! error: there is no function `nothing` in the program; `coax dump functions --all` lists those that there are
// $ coax reach % --entry f --target nothing:trap --out %t/out
// ! error: there is no function `nothing` in the program; `coax dump functions --all` lists those that there are
// $ coax reach % --entry f --target f+0x1000 --out %t/out
// ! error: `f` has 40 bytes of code; name an offset below that
// $ coax reach % --entry f --target site:1000 --out %t/out
// ! error: there is no site `1000`; name a number from 0 to 2
// $ coax reach % --entry f --target site:first --out %t/out
// ! error: there is no site `first`; name a number from 0 to 2
// $ coax reach % --entry f --target "" --out %t/out
// ! error: a place to reach has no name; name one, for instance `--target parser.c:412`
// $ mkdir %t/empty; coax reach % --entry f --uncovered %t/empty --out %t/out
// ! error: cannot read [t]/empty/report.json; name the directory that `coax cover` wrote: No such file or directory (os error 2)
// $ echo no report > %t/empty/report.json; coax reach % --entry f --uncovered %t/empty --out %t/out
// ! error: [t]/empty/report.json is no report; name the directory that `coax cover` wrote: expected ident at line 1 column 2
// $ coax cover % --entry f --no-mutate --max-runs 1 --out %t/some > %t/said; cp %t/some/report.json %t/whole.json; sed 's/"site": [0-9]*/"site": 1000/' %t/whole.json > %t/some/report.json; coax reach % --entry f --uncovered %t/some --out %t/out
// ! error: [t]/some/report.json is of another program, version or entry; let `coax cover` run once more
// $ sed 's/"direction": [0-9]*/"direction": 7/' %t/whole.json > %t/some/report.json; coax reach % --entry f --uncovered %t/some --out %t/out
// ! error: [t]/some/report.json is of another program, version or entry; let `coax cover` run once more
// $ test ! -e %t/out
// $ coax reach % --entry f --target uncalled --target %:40 --no-mutate --out %t/uncalled
// | unreachable  uncalled: its function is never called from this entry
// | unreachable  bad_input.c:40: its function is never called from this entry
// $ coax reach % --entry f --target label:nowhere --out %t/label
// ! error: the program has no labels, so none is `nowhere`; name a line or a function
