;; Stored tests: one that passes, one that shows a defect (a trap is a failure, even the one expected), one whose
;; outcome is another than expected, one that cannot be read.
;; WITH: tests_pass.json tests_trap.json tests_other.json tests_broken.json
;; RUN: coax replay % --test tests_pass.json
;; RUN: coax replay % --test tests_pass.json --test tests_trap.json tests_other.json
;; EXIT: 1
;; RUN: coax replay % --test tests_broken.json
;; EXIT: 2
;; RUN: coax replay % --test missing.json
;; EXIT: 2

(module
  (func (export "divide") (param i32 i32) (result i32) (i32.div_s (local.get 0) (local.get 1))))

;; OUTPUT
;; $ coax replay % --test tests_pass.json
;; | ok    tests_pass.json: returned i32 3
;; $ coax replay % --test tests_pass.json --test tests_trap.json tests_other.json
;; | ok    tests_pass.json: returned i32 3
;; | FAIL  tests_trap.json: trapped: integer divide by zero at offset 0x2a in divide
;; |       as expected
;; | FAIL  tests_other.json: returned i32 3
;; |       expected: returned i32 4
;; | 3 tests, 2 failed
;; $ coax replay % --test tests_broken.json
;; ! error: tests_broken.json is not a test: unknown field `parms`, expected one of `entry`, `params`, `args`, `stdin`, `values`, `stubs`, `env`, `files`, `faults`, `symbols`, `time`, `seed` at line 1 column 33.
;; ! `coax replay --help` shows what a test looks like.
;; $ coax replay % --test missing.json
;; ! error: cannot read missing.json: No such file or directory (os error 2)
