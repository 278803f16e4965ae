;; One object for programs to read; the exit code is the same.
;; RUN: coax replay % --json --coverage --param 1
;; RUN: coax replay % --json --param 0
;; EXIT: 1

(module
  (func (export "inverse") (param i32) (result i32)
    (if (i32.eqz (local.get 0)) (then (unreachable)))
    (i32.div_u (i32.const 1) (local.get 0))))

;; OUTPUT
;; $ coax replay % --json --coverage --param 1
;; | {
;; |   "tool": "coax",
;; |   "version": "[version]",
;; |   "command": "replay",
;; |   "program": "json.wat",
;; |   "tests": 1,
;; |   "failures": 0,
;; |   "results": [
;; |     {
;; |       "test": "run",
;; |       "entry": "inverse",
;; |       "failed": false,
;; |       "outcome": {
;; |         "returned": [
;; |           {
;; |             "i32": 1
;; |           }
;; |         ]
;; |       },
;; |       "stdout": "",
;; |       "stderr": "",
;; |       "fuel": 7,
;; |       "bounds": []
;; |     }
;; |   ],
;; |   "bugs": [],
;; |   "coverage": {
;; |     "branches": {
;; |       "covered": 1,
;; |       "total": 2
;; |     },
;; |     "selects": {
;; |       "covered": 0,
;; |       "total": 0
;; |     },
;; |     "functions": {
;; |       "covered": 1,
;; |       "total": 1
;; |     },
;; |     "module": {
;; |       "branches": {
;; |         "covered": 1,
;; |         "total": 2
;; |       },
;; |       "selects": {
;; |         "covered": 0,
;; |         "total": 0
;; |       },
;; |       "functions": {
;; |         "covered": 1,
;; |         "total": 1
;; |       }
;; |     },
;; |     "directions": [
;; |       {
;; |         "site": 0,
;; |         "kind": "branch",
;; |         "function": "inverse",
;; |         "offset": 41,
;; |         "location": null,
;; |         "names": [
;; |           "zero",
;; |           "nonzero"
;; |         ],
;; |         "taken": [
;; |           true,
;; |           false
;; |         ]
;; |       }
;; |     ]
;; |   }
;; | }
;; $ coax replay % --json --param 0
;; | {
;; |   "tool": "coax",
;; |   "version": "[version]",
;; |   "command": "replay",
;; |   "program": "json.wat",
;; |   "tests": 1,
;; |   "failures": 1,
;; |   "results": [
;; |     {
;; |       "test": "run",
;; |       "entry": "inverse",
;; |       "failed": true,
;; |       "outcome": {
;; |         "trapped": "unreachable"
;; |       },
;; |       "site": 1,
;; |       "backtrace": [
;; |         {
;; |           "function": "inverse",
;; |           "offset": 43,
;; |           "sources": []
;; |         }
;; |       ],
;; |       "stdout": "",
;; |       "stderr": "",
;; |       "fuel": 4,
;; |       "bounds": []
;; |     }
;; |   ],
;; |   "bugs": [
;; |     {
;; |       "kind": "trapped: unreachable",
;; |       "location": null,
;; |       "function": "inverse",
;; |       "test": "run"
;; |     }
;; |   ]
;; | }
