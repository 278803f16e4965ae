;; A call inside try_table ends its block: each handler is a successor.
;; RUN: coax dump ir % | sed 's/ *; site.*//'
;; RUN: coax dump cfg % --function guarded | sed 's/ *; site.*//'

(module
  (tag $failed (param i32))
  (func $risky (param i32) (result i32)
    (if (i32.eqz (local.get 0)) (then (throw $failed (i32.const 7))))
    (local.get 0))
  (func $guarded (export "guarded") (param i32) (result i32)
    (block $caught (result i32)
      (try_table (catch $failed $caught)
        (return (call $risky (local.get 0))))
      (unreachable))))

;; OUTPUT
;; $ coax dump ir % | sed 's/ *; site.*//'
;; | fn0 risky (i32) -> (i32) {
;; | block0(v0: i32):
;; |   v1 = i32.eqz v0
;; |   branch v1 ? block1 : block2
;; | block1():
;; |   v2 = i32.const 7
;; |   throw tag0 v2
;; | block2():
;; |   jump block3
;; | block3():
;; |   return v0
;; | }
;; | fn1 guarded (i32) -> (i32) {
;; | block0(v0: i32):
;; |   v1 = call fn0 risky v0
;; |   invoke block2 catch tag0 block1
;; | block1(v2: i32):
;; |   jump block3
;; | block2():
;; |   return v1
;; | block3():
;; |   return v2
;; | }
;; $ coax dump cfg % --function guarded | sed 's/ *; site.*//'
;; | fn1 guarded
;; |   block0 -> block1, block2
;; |   block1 under block0 -> block3
;; |   block2 under block0 -> leaves
;; |   block3 under block1 -> leaves
