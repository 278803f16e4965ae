; Models of functions and arrays.
(set-logic QF_AUFBV)
(declare-fun f ((_ BitVec 4) Bool) (_ BitVec 4))
(declare-const m (Array (_ BitVec 4) (_ BitVec 4)))
(push 1)
(assert (= (f #x3 true) #x5))
(assert (= (select m #x2) #x6))
(check-sat)
;= sat
(get-model)
;= (
;=   (define-fun f ((x!0 (_ BitVec 4)) (x!1 Bool)) (_ BitVec 4) (ite (and (= x!0 #x3) (= x!1 true)) #x5 #x0))
;=   (define-fun m () (Array (_ BitVec 4) (_ BitVec 4)) (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0) #x2 #x6))
;= )
(get-value ((bvadd (f #x3 true) (select m #x2)) m))
;= (((bvadd (f #x3 true) (select m #x2)) #xb)
;=  (m (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0) #x2 #x6)))
(pop 1)
(declare-const x (_ BitVec 4))
(assert (and (distinct (f x true) (f #x4 true)) (= x #x4)))
(check-sat)
;= unsat
