;; A solver reads the script: the only input that goes this way is found.
;; REQUIRES: z3
;; RUN: coax dump smt % --param 21 | z3 -in | grep -o -w 'sat\|#x[0-9a-f]*'

(module
  (func (export "f") (param $n i32) (result i32)
    (if (result i32) (i32.eq (i32.mul (local.get $n) (i32.const 3)) (i32.const 63))
      (then (i32.const 1))
      (else (i32.const 0)))))

;; OUTPUT
;; $ coax dump smt % --param 21 | z3 -in | grep -o -w 'sat\|#x[0-9a-f]*'
;; | sat
;; | #x00000015
