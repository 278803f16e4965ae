;; Each kind of trap is told apart and placed at its operator.
;; RUN: coax replay % --entry divide
;; EXIT: 1
;; RUN: coax replay % --entry overflow
;; EXIT: 1
;; RUN: coax replay % --entry convert
;; EXIT: 1
;; RUN: coax replay % --entry load
;; EXIT: 1
;; RUN: coax replay % --entry call --param 0
;; EXIT: 1
;; RUN: coax replay % --entry call --param 1
;; EXIT: 1
;; RUN: coax replay % --entry call --param 9
;; EXIT: 1
;; RUN: coax replay % --entry give_up
;; EXIT: 1

(module
  (memory 1)
  (table 2 funcref)
  (elem (i32.const 1) $give_up)
  (type $unary (func (param i32) (result i32)))
  (func (export "divide") (result i32) (i32.div_u (i32.const 1) (i32.const 0)))
  (func (export "overflow") (result i32) (i32.div_s (i32.const 0x80000000) (i32.const -1)))
  (func (export "convert") (result i32) (i32.trunc_f32_s (f32.const nan)))
  (func (export "load") (result i32) (i32.load offset=65533 (i32.const 0)))
  (func (export "call") (param i32) (result i32) (call_indirect (type $unary) (i32.const 0) (local.get 0)))
  (func $give_up (export "give_up") (unreachable)))

;; OUTPUT
;; $ coax replay % --entry divide
;; | FAIL  run: trapped: integer divide by zero at offset 0x76 in divide
;; $ coax replay % --entry overflow
;; | FAIL  run: trapped: integer overflow at offset 0x82 in overflow
;; $ coax replay % --entry convert
;; | FAIL  run: trapped: conversion of NaN to an integer at offset 0x8b in convert
;; $ coax replay % --entry load
;; | FAIL  run: trapped: memory access out of bounds at offset 0x91 in load
;; $ coax replay % --entry call --param 0
;; | FAIL  run: trapped: indirect call of a null function at offset 0x9d in call
;; $ coax replay % --entry call --param 1
;; | FAIL  run: trapped: indirect call of a function of another type at offset 0x9d in call
;; $ coax replay % --entry call --param 9
;; | FAIL  run: trapped: table access out of bounds at offset 0x9d in call
;; $ coax replay % --entry give_up
;; | FAIL  run: trapped: unreachable at offset 0xa3 in give_up
