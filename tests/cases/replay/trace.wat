;; The instructions of a run with their values, those of a loop as often as they were executed; the last ones if
;; there are too many.
;; RUN: coax replay % --entry halve --param 6 --trace
;; RUN: coax replay % --entry halve --param 0 --trace=2
;; EXIT: 1
;; RUN: coax replay % --entry halve --param 2 --trace=1 --json
;; RUN: coax replay % --entry halve --param 2 --trace=few
;; EXIT: 2

(module
  (memory 1)
  (func (export "halve") (param $n i32) (result f64)
    (loop $again
      (i32.store (i32.const 0) (local.get $n))
      (if (i32.eqz (local.get $n)) (then unreachable))
      (local.set $n (i32.shr_u (local.get $n) (i32.const 1)))
      (br_if $again (i32.gt_u (local.get $n) (i32.const 1))))
    (f64.div (f64.convert_i32_u (i32.load (i32.const 0))) (f64.const 2))))

;; OUTPUT
;; $ coax replay % --entry halve --param 6 --trace
;; | ok    run: returned f64 1.5
;; |       trace | offset 0x2f  i32.store v2 v1
;; |       trace | offset 0x34  v3 = i32.eqz v1 -> i32 0
;; |       trace | offset 0x3d  v5 = i32.shr_u v1 v4 -> i32 3
;; |       trace | offset 0x44  v7 = i32.gt_u v5 v6 -> i32 1
;; |       trace | offset 0x2f  i32.store v2 v1
;; |       trace | offset 0x34  v3 = i32.eqz v1 -> i32 0
;; |       trace | offset 0x3d  v5 = i32.shr_u v1 v4 -> i32 1
;; |       trace | offset 0x44  v7 = i32.gt_u v5 v6 -> i32 0
;; |       trace | offset 0x4a  v9 = i32.load v8 -> i32 3
;; |       trace | offset 0x4d  v10 = f64.convert_i32_u v9 -> f64 3.0
;; |       trace | offset 0x57  v12 = f64.div v10 v11 -> f64 1.5
;; $ coax replay % --entry halve --param 0 --trace=2
;; | FAIL  run: trapped: unreachable at offset 0x37 in halve
;; |       trace | offset 0x2f  i32.store v2 v1
;; |       trace | offset 0x34  v3 = i32.eqz v1 -> i32 1
;; $ coax replay % --entry halve --param 2 --trace=1 --json
;; | {
;; |   "tool": "coax",
;; |   "version": "[version]",
;; |   "command": "replay",
;; |   "program": "trace.wat",
;; |   "tests": 1,
;; |   "failures": 0,
;; |   "results": [
;; |     {
;; |       "test": "run",
;; |       "entry": "halve",
;; |       "failed": false,
;; |       "outcome": {
;; |         "returned": [
;; |           {
;; |             "f64": 1.0
;; |           }
;; |         ]
;; |       },
;; |       "stdout": "",
;; |       "stderr": "",
;; |       "fuel": 20,
;; |       "bounds": [],
;; |       "trace": {
;; |         "earlier": 6,
;; |         "elsewhere": 0,
;; |         "steps": [
;; |           {
;; |             "function": "halve",
;; |             "location": "offset 0x57",
;; |             "instruction": "v12 = f64.div v10 v11",
;; |             "results": [
;; |               {
;; |                 "f64": 1.0
;; |               }
;; |             ]
;; |           }
;; |         ]
;; |       }
;; |     }
;; |   ],
;; |   "bugs": []
;; | }
;; $ coax replay % --entry halve --param 2 --trace=few
;; ! error: invalid value 'few' for '--trace[=<LINES>]': invalid digit found in string
;; !
;; ! For more information, try '--help'.
