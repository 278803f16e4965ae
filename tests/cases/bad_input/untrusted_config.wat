;; What coax.toml could do to this machine counts only if the user says so: it may have come with a checkout.
;; RUN: mkdir inc; echo text > inc/text; ln -s / root; ln -s /nowhere gone
;; RUN: printf '[cover]\nout = "../elsewhere"\nemit = ["lcov", "c,junit", "rust"]\nallow = ["env", "dir=/etc", "clock"]\nstdin = "/etc/passwd"\nseeds = "root/etc"\nbaseline = "gone"\nfile = ["a=/etc/passwd", "b=inc/text"]\nstub = ["x.y=/z.wasm"]\nmax-runs = 4\n' > coax.toml; coax cover % | tail -n 1; ls; ls coax-out ..
;; RUN: printf 'out = "made/here"\nstdin = "inc/text"\n' > coax.toml; coax cover % | tail -n 1; ls made/here; rm -r made
;; RUN: printf 'out = "../trusted"\n' > coax.toml; coax cover % --trust-config | tail -n 1; ls ..
;; RUN: printf '[solve]\nsolver = "sh -c evil"\n' > coax.toml; echo '(check-sat)' | coax solve -
;; RUN: printf 'trust-config = true\n' > coax.toml; coax cover %
;; EXIT: 2
;; RUN: printf 'nothing-like-any-flag = true\n' > coax.toml; coax cover %
;; EXIT: 2
;; RUN: printf 'emit = "c"\n' > %t/other.toml; coax cover % --config %t/other.toml --out %t/named | tail -n 1; ls %t/named | grep '^c$'
;; EXIT: 1
;; RUN: rm -r inc root gone coax.toml coax-out
(module (func (export "f") (param i32) (result i32)
  (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const 1))))
  (i32.const 0)))

;; OUTPUT
;; $ mkdir inc; echo text > inc/text; ln -s / root; ln -s /nowhere gone
;; $ printf '[cover]\nout = "../elsewhere"\nemit = ["lcov", "c,junit", "rust"]\nallow = ["env", "dir=/etc", "clock"]\nstdin = "/etc/passwd"\nseeds = "root/etc"\nbaseline = "gone"\nfile = ["a=/etc/passwd", "b=inc/text"]\nstub = ["x.y=/z.wasm"]\nmax-runs = 4\n' > coax.toml; coax cover % | tail -n 1; ls; ls coax-out ..
;; | Tests are in coax-out/tests.
;; | coax-out
;; | coax.toml
;; | gone
;; | inc
;; | root
;; | untrusted_config.wat
;; | ..:
;; | dir
;; | t
;; | tmp
;; |
;; | coax-out:
;; | coax.lock
;; | emitted.json
;; | journal
;; | junit
;; | lines.json
;; | report.json
;; | tests
;; ! note: coax.toml:4:1: `allow`: ignored is `env`, `dir=/etc`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; ! note: coax.toml:7:1: `baseline`: ignored is `gone`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; ! note: coax.toml:3:1: `emit`: ignored is `c`, `rust`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; ! note: coax.toml:8:1: `file`: ignored is `a=/etc/passwd`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; ! note: coax.toml:2:1: `out`: ignored is `../elsewhere`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; ! note: coax.toml:6:1: `seeds`: ignored is `root/etc`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; ! note: coax.toml:5:1: `stdin`: ignored is `/etc/passwd`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; ! note: coax.toml:9:1: `stub`: ignored is `x.y=/z.wasm`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; ! note: lcov: the program has no debug information in scope, so there are no lines to tell about
;; $ printf 'out = "made/here"\nstdin = "inc/text"\n' > coax.toml; coax cover % | tail -n 1; ls made/here; rm -r made
;; | Tests are in made/here/tests.
;; | coax.lock
;; | journal
;; | lines.json
;; | report.json
;; | tests
;; $ printf 'out = "../trusted"\n' > coax.toml; coax cover % --trust-config | tail -n 1; ls ..
;; | Tests are in ../trusted/tests.
;; | dir
;; | t
;; | tmp
;; | trusted
;; $ printf '[solve]\nsolver = "sh -c evil"\n' > coax.toml; echo '(check-sat)' | coax solve -
;; | sat
;; ! note: coax.toml:2:1: `solver`: ignored is `sh -c evil`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; $ printf 'trust-config = true\n' > coax.toml; coax cover %
;; ! error: coax.toml:1:1: `trust-config` counts only on the command line; remove it here
;; $ printf 'nothing-like-any-flag = true\n' > coax.toml; coax cover %
;; ! error: coax.toml:1:1: there is no option `nothing-like-any-flag`; `coax COMMAND --help` lists them
;; $ printf 'emit = "c"\n' > %t/other.toml; coax cover % --config %t/other.toml --out %t/named | tail -n 1; ls %t/named | grep '^c$'
;; | Tests are in [t]/named/tests.
;; ! note: [t]/other.toml:1:1: `emit`: ignored is `c`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
;; $ rm -r inc root gone coax.toml coax-out
