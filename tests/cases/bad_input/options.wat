;; Nonsense for each option: one sentence that says what to write, and nothing is left.
;; RUN: for o in --time=soon --time= --max-runs=-1 --max-runs=many --seed=-1 --seed=x --max-memory=lots --fuel=much --max-len=x --sym-stdin=x --fault=x --fault=0=io --imprecision=x --emit=xml --allocator=malloc --allocator=malloc=nothing --allocator=brk=f --env=x --env==x --file=x --file=nothing= --value='{' --stub=x --stub=a.b=5 --stub=a.b=x.wasm --scope=nothing --param=x --allow=x --allow=dir=%t/none --seeds=%t/none --baseline=/nowhere/x.json --out=/dev/null/x --out= --config=%t/none --entry= --unknown= --O=9; do echo "--- $o"; coax cover % "$o" --max-runs=1 --out %t/out; echo $?; done 2>&1 | grep -v '^$\|^For more\|--help'
;; RUN: ls %t
(module (func (export "f") (param i32)))
