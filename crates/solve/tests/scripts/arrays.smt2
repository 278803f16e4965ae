; Arrays: chains of stores, equality where the bases are the same, short ones compared everywhere.
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const i (_ BitVec 32))
(declare-const j (_ BitVec 32))
(push 1)
(assert (not (= (select (store m i #x07) j) (ite (= i j) #x07 (select m j)))))
(check-sat)
;= unsat
(pop 1)
(push 1)
; Two stores at different places may change places.
(assert (distinct i j))
(assert (not (= (store (store m i #x01) j #x02) (store (store m j #x02) i #x01))))
(check-sat)
;= unsat
(pop 1)
(push 1)
(assert (= (store m i #x01) (store m j #x01)))
(assert (distinct (select m i) #x01))
(assert (distinct i j))
(check-sat)
;= unsat
(pop 1)
(push 1)
(assert (= (select (ite (bvult i j) (store m i #x01) ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x02)) i) #x02))
(assert (bvult i j))
(check-sat)
;= unsat
(pop 1)
(declare-const a (Array (_ BitVec 2) (_ BitVec 4)))
(declare-const b (Array (_ BitVec 2) (_ BitVec 4)))
(assert (= a b))
(assert (= (select a #b00) #x1))
(assert (distinct (select b #b00) #x1))
(check-sat)
;= unsat
