;; Whatever may trap is a site: memory accesses, divisions, conversions, indirect calls, unreachable.
;; RUN: coax dump ir %

(module
  (memory 1)
  (table 2 funcref)
  (type $unary (func (param i32) (result i32)))
  (func (export "all") (param $p i32) (param $x f32) (result i32)
    (i32.store (local.get $p) (i32.div_s (i32.load offset=8 (local.get $p)) (local.get $p)))
    (memory.copy (local.get $p) (i32.const 0) (i32.const 16))
    (call_indirect (type $unary) (i32.trunc_f32_s (local.get $x)) (local.get $p))
    (if (i32.eqz) (then (unreachable)))
    (i32.trunc_sat_f32_s (local.get $x))))

;; OUTPUT
;; $ coax dump ir %
;; | fn0 all (i32, f32) -> (i32) {
;; | block0(v0: i32, v1: f32):
;; |   v2 = i32.load offset=8 v0                                  ; site0
;; |   v3 = i32.div_s v2 v0                                       ; site1
;; |   i32.store v0 v3                                            ; site2
;; |   v4 = i32.const 0
;; |   v5 = i32.const 16
;; |   memory.copy dst_mem=0 src_mem=0 v0 v4 v5                   ; site3
;; |   v6 = i32.trunc_f32_s v1                                    ; site4
;; |   v7 = call_indirect table=0 (i32) -> (i32) v6 v0            ; site5
;; |   v8 = i32.eqz v7
;; |   branch v8 ? block1 : block2                                ; site6
;; | block1():
;; |   unreachable                                                ; site7
;; | block2():
;; |   jump block3
;; | block3():
;; |   v9 = i32.trunc_sat_f32_s v1
;; |   return v9
;; | }
