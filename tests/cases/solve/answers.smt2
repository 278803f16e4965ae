;; Bit-vectors, floats, functions and arrays, answered without any other solver.
;; RUN: coax solve % --no-child
(set-logic QF_AUFBVFP)
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(declare-fun f ((_ BitVec 32)) (_ BitVec 8))
(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const d (_ FloatingPoint 11 53))
(push)
(assert (= (bvmul x x x) #x0000001b))
(assert (bvult x #x00000010))
(check-sat)
(get-value (x))
(pop)
(push)
(assert (= x y))
(assert (not (= (f x) (f y))))
(check-sat)
(pop)
(push)
(assert (= (select (store a #x01 #x02) #x01) #x03))
(check-sat)
(pop)
(push)
(assert (fp.eq (fp.mul RNE d d) ((_ to_fp 11 53) RNE 6.25)))
(assert (fp.lt d ((_ to_fp 11 53) RNE 0.0)))
(check-sat)
(get-value (d))
(pop)

;; OUTPUT
;; $ coax solve % --no-child
;; | sat
;; | ((x #x00000003))
;; | unsat
;; | unsat
;; | sat
;; | ((d (fp #b1 #b10000000000 #b0100000000000000000000000000000000000000000000000000)))
