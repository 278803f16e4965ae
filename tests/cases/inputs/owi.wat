;; A module for Owi, as it is.
;; RUN: coax dump path %
;; RUN: coax replay % --value 4
;; EXIT: 1
(module
  (import "owi" "i32_symbol" (func $x (result i32)))
  (import "owi" "assume" (func $assume (param i32)))
  (import "owi" "assert" (func $assert (param i32)))
  (func (export "_start") (local $x i32)
    (local.set $x (call $x))
    (call $assume (i32.gt_s (i32.const 10) (local.get $x)))
    (call $assert (i32.ne (i32.mul (local.get $x) (local.get $x)) (i32.const 16)))))

;; OUTPUT
;; $ coax dump path %
;; | input {"name":"i32_symbol#1","i32":0}
;; | site1  assumption holds  (slt i32_symbol#1 10:32)
;; | site2  assertion holds  (not (eq (mul i32_symbol#1 i32_symbol#1) 16:32))
;; | returned
;; $ coax replay % --value 4
;; | FAIL  run: trapped: an assertion failed at offset 0x6e in _start
;; |       input  | {"name":"i32_symbol#1","i32":4}
