;; Nonsense for each option is told with what to write, and leaves nothing.
;; RUN: for o in --time=soon --time= --max-runs=-1 --seed=-1 --max-memory=lots --fuel=much --max-len=x --sym-stdin=x --fault=x --fault=0=io --emit= --allocator=malloc --allocator=malloc=nothing --allocator=brk=f; do coax cover % "$o" --out %t/out; echo $?; done 2>&1 | grep -v '^$\|^For more\|--help'
;; RUN: for o in --env=x --env==x --file=x --file=nothing= --stub=x --stub=a.b=5 --stub=a.b=x.wasm --scope=nothing --param=x --allow=x --allow=dir=none --seeds=none --baseline=/nowhere/x.json --config=none --entry= --unknown= '--cflags="' --sync-dir=%/x; do coax cover % "$o" --out %t/out; echo $?; done 2>&1
;; RUN: coax cover % --out %/x; coax cover % --out ''
;; EXIT: 2
;; RUN: ls %t
(module (func (export "f") (param i32)))

;; OUTPUT
;; $ for o in --time=soon --time= --max-runs=-1 --seed=-1 --max-memory=lots --fuel=much --max-len=x --sym-stdin=x --fault=x --fault=0=io --emit= --allocator=malloc --allocator=malloc=nothing --allocator=brk=f; do coax cover % "$o" --out %t/out; echo $?; done 2>&1 | grep -v '^$\|^For more\|--help'
;; | error: invalid value 'soon' for '--time <TIME>': write a time like [time], [time] or 5m
;; | 2
;; | error: invalid value '' for '--time <TIME>': write a time like [time], [time] or 5m
;; | 2
;; | error: invalid value '-1' for '--max-runs <COUNT>': write a number like 500000, 100M or 2G
;; | 2
;; | error: invalid value '-1' for '--seed <NUMBER>': write a whole number from 0 to 18446744073709551615
;; | 2
;; | error: invalid value 'lots' for '--max-memory <SIZE>': write a size like 65536, 512M or 2G
;; | 2
;; | error: invalid value 'much' for '--fuel <COUNT>': write a number like 500000, 100M or 2G
;; | 2
;; | error: invalid value 'x' for '--max-len <BYTES>': write a size like 65536, 512M or 2G
;; | 2
;; | error: invalid value 'x' for '--sym-stdin <BYTES>': write a size like 65536, 512M or 2G
;; | 2
;; | error: --fault: `x` is not NUMBER=HOW; write both, with `=` between them
;; | 2
;; | error: --fault: `0=io` is not a read or write and how it goes wrong; write e.g. `1=short`, `2=io` or `3=no-space`
;; | 2
;; | error: invalid value '' for '--emit <FORMATS>': there is no format ``; there are ktest, testcomp, corpus, c, rust, lcov, sarif, junit, html
;; | 2
;; | error: `--allocator malloc` has no `=`; write `--allocator malloc=my_alloc,free=my_free`
;; | 2
;; | error: this allocator does not fit: there is no function `nothing` in the program.
;; | Name functions of the program as in `--allocator malloc=my_alloc,free=my_free`.
;; | 2
;; | error: this allocator does not fit: `brk` is no function of an allocator.
;; | Name functions of the program as in `--allocator malloc=my_alloc,free=my_free`.
;; | 2
;; $ for o in --env=x --env==x --file=x --file=nothing= --stub=x --stub=a.b=5 --stub=a.b=x.wasm --scope=nothing --param=x --allow=x --allow=dir=none --seeds=none --baseline=/nowhere/x.json --config=none --entry= --unknown= '--cflags="' --sync-dir=%/x; do coax cover % "$o" --out %t/out; echo $?; done 2>&1
;; | error: --env: `x` is not NAME=VALUE; write both, with `=` between them
;; | 2
;; | error: --env: `=x` is not NAME=VALUE; write both, with `=` between them
;; | 2
;; | error: --file: `x` is not NAME=PATH; write both, with `=` between them
;; | 2
;; | error: --file: cannot read ; name a file: No such file or directory (os error 2)
;; | 2
;; | error: --stub: `x` is not NAME=ANSWER; write both, with `=` between them
;; | 2
;; | error: the program does not import `a.b`.
;; | Leave the stub out; `coax dump functions --all` lists the imports.
;; | 2
;; | error: x.wasm cannot be read: No such file or directory (os error 2). Check the path and its permissions.
;; | 2
;; | error: no code of the program is in scope `nothing`; `coax dump functions --all` lists its functions and files
;; | 2
;; | error: --param: `x` is no i32; write an integer like -5 or 0xff
;; | 2
;; | error: --allow: `x` is nothing to allow; write `dir=PATH`, `clock`, `random` or `env`
;; | 2
;; | error: cannot read none: No such file or directory (os error 2)
;; | 2
;; | error: cannot read the seeds in none; name a directory with files: No such file or directory (os error 2)
;; | 2
;; | error: cannot write /nowhere/x.json: there is no directory /nowhere
;; | 2
;; | error: cannot read the options in none; name a file of TOML: No such file or directory (os error 2)
;; | 2
;; | error: there is no function `` to call.
;; | Name one of the exported functions as the entry: `f`.
;; | 2
;; | error: there is no function `` in the program; `coax dump functions --all` lists those that there are
;; | 2
;; | error: --cflags has an open quote; close it
;; | 2
;; | error: cannot use options.wat/x for `--sync-dir`: Not a directory (os error 20)
;; | 2
;; $ coax cover % --out %/x; coax cover % --out ''
;; ! error: options.wat/x is no directory; name another one with `--out`
;; ! error: a value is required for '--out <DIR>' but none was supplied
;; !
;; ! For more information, try '--help'.
;; $ ls %t
