;; Direct and indirect calls; an indirect call may reach the functions of its type that are in the table.
;; RUN: coax dump calls %

(module
  (import "env" "log" (func $log (param i32)))
  (type $unary (func (param i32) (result i32)))
  (table 3 3 funcref)
  (elem (i32.const 0) $double $negate $nothing)
  (func $double (type $unary) (i32.shl (local.get 0) (i32.const 1)))
  (func $negate (type $unary) (i32.sub (i32.const 0) (local.get 0)))
  (func $nothing)
  (func $apply (export "apply") (param $which i32) (param $x i32) (result i32)
    (call $log (local.get $x))
    (call_indirect (type $unary) (local.get $x) (local.get $which)))
  (func $last (export "last") (param i32) (result i32)
    (return_call $apply (i32.const 0) (local.get 0))))

;; OUTPUT
;; $ coax dump calls %
;; | fn1 double
;; | fn2 negate
;; | fn3 nothing
;; | fn4 apply
;; |   calls fn0 log  ; site0
;; |   calls indirectly fn1 double, fn2 negate  ; site1
;; | fn5 last
;; |   ends in a call of fn4 apply  ; site2
