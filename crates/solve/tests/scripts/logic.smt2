; Core: connectives with many arguments, let, definitions.
(set-logic QF_BV)
(set-info :status sat)
(declare-const a Bool)
(declare-fun b () Bool)
(declare-const c Bool)
(define-fun majority ((x Bool) (y Bool) (z Bool)) Bool (or (and x y) (and y z) (and x z)))
(push 1)
(assert (=> a b c))
(assert a)
(assert b)
(check-sat)
;= sat
(get-value (a b c (and a b c) (xor a b c) (=> c (not c))))
;= ((a true)
;=  (b true)
;=  (c true)
;=  ((and a b c) true)
;=  ((xor a b c) true)
;=  ((=> c (not c)) false))
(assert (not c))
(check-sat)
;= unsat
(pop 1)
(push 1)
(assert (distinct a b c))
(check-sat)
;= unsat
(pop 1)
(assert (let ((a b) (b a)) (and a (not b))))
(check-sat)
;= sat
(get-value (a b))
;= ((a false)
;=  (b true))
(assert (majority a c (not b)))
(check-sat)
;= unsat
(echo "done")
;= "done"
(exit)
(this is not read as a command
)
