; Arrays that are asserted to be others, before they are used.
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const n (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const o (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const i (_ BitVec 32))
(push 1)
(assert (= n (store m #x00000001 #x07)))
(assert (= (store n i #x09) o))
(assert (= (select o #x00000001) #x05))
(check-sat)
;= unsat
(pop 1)
(push 1)
(assert (= n (store ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x03) #x00000001 #x07)))
(assert (= i #x00000002))
(assert (= (select n i) #x03))
(check-sat)
;= sat
(get-value (n (store n i #x04)))
;= ((n (store ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x03) #x00000001 #x07))
;=  ((store n i #x04) (store (store ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x03) #x00000001 #x07) #x00000002 #x04)))
(pop 1)
; Each is itself again.
(assert (= (select n #x00000001) #x06))
(assert (= (select m #x00000001) #x08))
(check-sat)
;= sat
(push 1)
(assert (= m m))
(check-sat)
;= sat
(pop 1)
(assert (= m n))
;! 34:9: The equality of arrays that are made of different ones is not supported. Compare elements.
