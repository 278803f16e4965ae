;; Code that control cannot reach is validated but has neither blocks nor sites.
;; RUN: coax dump ir %

(module
  (func (export "f") (result i32)
    (return (i32.const 1))
    (if (i32.const 1) (then (unreachable)))
    (i32.div_u (i32.const 1) (i32.const 0))))

;; OUTPUT
;; $ coax dump ir %
;; | fn0 f () -> (i32) {
;; | block0():
;; |   v0 = i32.const 1
;; |   return v0
;; | }
