;; A run that takes minutes looks at no clock: a search is cut off soon after its time, and says what it has. It goes on writing nothing.
;; RUN: coax cover % --entry spin --fuel 1000G --time 100ms --out %t/out > %t/said 2>&1; echo "exit code $?"; grep -c 'cut off' %t/said
;; RUN: grep -h '"stop"\|"cut_off"\|"why"' %t/out/report.json
(module
  (func (export "spin") (param i32) (result i32)
    (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const 1))))
    (loop $forever (br $forever))
    unreachable))

;; OUTPUT
;; $ coax cover % --entry spin --fuel 1000G --time 100ms --out %t/out > %t/said 2>&1; echo "exit code $?"; grep -c 'cut off' %t/said
;; | exit code 0
;; | 3
;; $ grep -h '"stop"\|"cut_off"\|"why"' %t/out/report.json
;; |   "cut_off": true,
;; |   "stop": "time",
;; |       "why": "not covered so far: the search was cut off, so there is no other reason"
;; |       "why": "not covered so far: the search was cut off, so there is no other reason"
