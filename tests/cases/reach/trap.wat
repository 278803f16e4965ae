;; A division that never traps, and one behind a condition that excludes it; a call at the end of a function, which does trap.
;; RUN: coax reach % --entry divides --target divides:trap --no-mutate --out %t/divides
;; EXIT: 3
;; RUN: coax reach % --entry calls --target calls:trap --no-mutate --out %t/calls
;; RUN: grep segments %t/divides/report.json

(module
  (type $unary (func (param i32) (result i32)))
  (table 2 funcref)
  (elem (i32.const 0) $same)
  (func $same (param $x i32) (result i32) (local.get $x))
  (func (export "divides") (param $x i32) (result i32)
    (local.set $x (i32.div_u (local.get $x) (i32.const 3)))
    (if (i32.ne (local.get $x) (i32.const 5))
      (then (local.set $x (i32.div_u (i32.const 7) (i32.sub (local.get $x) (i32.const 5))))))
    (local.get $x))
  (func (export "calls") (param $x i32) (result i32)
    (local.set $x (i32.div_u (local.get $x) (i32.const 3)))
    (return_call_indirect (type $unary) (local.get $x) (local.get $x))))

;; OUTPUT
;; $ coax reach % --entry divides --target divides:trap --no-mutate --out %t/divides
;; | unreachable  divides:trap: what must hold on every way there contradicts itself: offset 0x48, offset 0x50, offset 0x59
;; $ coax reach % --entry calls --target calls:trap --no-mutate --out %t/calls
;; | FAILS  trapped: table access out of bounds at offset 0x6d  fails-TableOutOfBounds-e1451b.json
;; | FAILS  trapped: indirect call of a null function at offset 0x6d  fails-NullIndirectCall-d8719b.json
;; | reached      calls:trap  fails-TableOutOfBounds-e1451b.json
;; $ grep segments %t/divides/report.json
;; |       "segments": 0,
