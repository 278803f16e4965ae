; Without a child nobody knows.
(set-logic UFBV)
(declare-fun f ((_ BitVec 8)) (_ BitVec 8))
(push 1)
(assert (forall ((x (_ BitVec 8))) (= (f x) (bvadd x #x01))))
(assert (= (f #x03) #x05))
(check-sat)
;= unknown
(get-info :reason-unknown)
;= (:reason-unknown "5:9: Quantifiers need a solver like z3 as a child process.")
(pop 1)
(assert (= (f #x03) #x05))
(check-sat)
;= sat
