;; Which directions each branch, switch and select took, over all the runs asked for.
;; WITH: coverage_first.json coverage_second.json
;; RUN: coax replay % --coverage --param 2
;; RUN: coax replay % --coverage --test coverage_first.json coverage_second.json

(module
  (func (export "kind") (param $x i32) (result i32)
    (block $other
      (block $one
        (block $zero
          (br_table $zero $one $zero $other (local.get $x)))
        (return (select (i32.const 10) (i32.const 20) (local.get $x))))
      (return (i32.const 1)))
    (if (result i32) (i32.lt_s (local.get $x) (i32.const 0))
      (then (i32.const -1))
      (else (i32.const 2)))))

;; OUTPUT
;; $ coax replay % --coverage --param 2
;; | ok    run: returned i32 10
;; | coverage
;; |   site0 (offset 0x2b) in kind: taken 0,2; missed 1 and else
;; |   site1 (offset 0x38) in kind (select): taken nonzero; missed zero
;; |   site2 (offset 0x44) in kind: missed zero and nonzero
;; |   in scope      branches 1/5, selects 1/2, functions 1/1
;; |   whole module  branches 1/5, selects 1/2, functions 1/1
;; $ coax replay % --coverage --test coverage_first.json coverage_second.json
;; | ok    coverage_first.json: returned i32 20
;; | ok    coverage_second.json: returned i32 -1
;; | 2 tests, 0 failed
;; | coverage
;; |   site0 (offset 0x2b) in kind: taken 0,2 and else; missed 1
;; |   site1 (offset 0x38) in kind (select): taken zero; missed nonzero
;; |   site2 (offset 0x44) in kind: taken nonzero; missed zero
;; |   in scope      branches 3/5, selects 1/2, functions 1/1
;; |   whole module  branches 3/5, selects 1/2, functions 1/1
