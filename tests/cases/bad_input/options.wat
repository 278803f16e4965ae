;; Nonsense for each option is told with what to write, and leaves nothing.
;; RUN: for o in --time=soon --time= --max-runs=-1 --seed=-1 --max-memory=lots --fuel=much --max-len=x --sym-stdin=x --fault=x --fault=0=io --emit= --allocator=malloc --allocator=malloc=nothing --allocator=brk=f; do coax cover % "$o" --out %t/out; echo $?; done 2>&1 | grep -v '^$\|^For more\|--help'
;; RUN: for o in --env=x --env==x --file=x --file=nothing= --stub=x --stub=a.b=5 --stub=a.b=x.wasm --scope=nothing --param=x --allow=x --allow=dir=none --seeds=none --baseline=/nowhere/x.json --config=none --entry= --unknown= '--cflags="' --sync-dir=%/x; do coax cover % "$o" --out %t/out; echo $?; done 2>&1
;; RUN: coax cover % --out %/x; coax cover % --out ''
;; EXIT: 2
;; RUN: ls %t
(module (func (export "f") (param i32)))
