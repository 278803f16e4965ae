;; What a function is given, or gives, must be numbers; and it must have code.
;; RUN: coax cover % --entry f --unknown given --out %t/out
;; EXIT: 2
;; RUN: coax cover % --entry f --unknown gives --out %t/out
;; EXIT: 2
;; RUN: coax cover % --entry f --unknown clock --out %t/out
;; EXIT: 2
;; RUN: ls %t

(module
  (import "wasi_snapshot_preview1" "sched_yield" (func $clock (result i32)))
  (memory (export "memory") 1)
  (func $given (param v128) (result i32) local.get 0 i32x4.extract_lane 0)
  (func $gives (param i32) (result v128) local.get 0 i32x4.splat)
  (func (export "f") (param i32) (result i32)
    local.get 0 call $gives call $given call $clock i32.add))

;; OUTPUT
;; $ coax cover % --entry f --unknown given --out %t/out
;; ! error: what `given` is a function of cannot be told: it has a parameter that is no number; let coax follow it
;; $ coax cover % --entry f --unknown gives --out %t/out
;; ! error: what `gives` is a function of cannot be told: it has a result that is no number; let coax follow it
;; $ coax cover % --entry f --unknown clock --out %t/out
;; ! error: `clock` has no code in the program, it is imported; `--stub wasi_snapshot_preview1.sched_yield=MODULE.wasm` gives it some
;; $ ls %t
