;; Locals become values, a loop becomes a block whose parameters are what changes in it.
;; RUN: coax dump ir %
;; RUN: coax dump cfg %

(module
  (func (export "gcd") (param $a i32) (param $b i32) (result i32)
    (loop $again
      (if (local.get $b)
        (then
          (local.get $b)
          (i32.rem_u (local.get $a) (local.get $b))
          (local.set $b)
          (local.set $a)
          (br $again))))
    (local.get $a)))

;; OUTPUT
;; $ coax dump ir %
;; | fn0 gcd (i32, i32) -> (i32) {
;; | block0(v0: i32, v1: i32):
;; |   jump block1(v1, v0)
;; | block1(v2: i32, v3: i32):
;; |   branch v2 ? block2 : block3                                ; site0
;; | block2():
;; |   v4 = i32.rem_u v3 v2                                       ; site1
;; |   jump block1(v4, v2)
;; | block3():
;; |   jump block4
;; | block4():
;; |   return v3
;; | }
;; $ coax dump cfg %
;; | fn0 gcd
;; |   block0 -> block1
;; |   block1 under block0 in loop block1 -> block2, block3  ; site0
;; |   block2 under block1 in loop block1 -> block1
;; |   block3 under block1 -> block4
;; |   block4 under block3 -> leaves
