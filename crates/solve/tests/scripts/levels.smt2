; Declarations end with their level, and a name may mean something else later.
(set-option :print-success true)
;= success
(set-logic QF_BV)
;= success
(set-option :print-success false)
(define-sort Byte () (_ BitVec 8))
(declare-const x Byte)
(push 1)
(declare-const y Byte)
(assert (= x y #x07))
(check-sat)
;= sat
(get-model)
;= (
;=   (define-fun x () (_ BitVec 8) #x07)
;=   (define-fun y () (_ BitVec 8) #x07)
;= )
(pop 1)
(push 2)
(declare-const y Bool)
(assert (and y (= x #x03)))
(check-sat)
;= sat
(get-value (x y))
;= ((x #x03)
;=  (y true))
(pop 2)
(assert (bvult x #x00))
(check-sat)
;= unsat
(get-model)
;= (error "get-model has nothing to give: the last answer was unsat")
(reset-assertions)
(check-sat)
;= sat
(get-model)
;= (
;= )
(set-option :global-declarations true)
(push 1)
(declare-const x (_ BitVec 3))
(assert (= x #b101))
(pop 1)
(assert (= x #b110))
(check-sat)
;= sat
(get-value (x))
;= ((x #b110))
(get-proof)
;= unsupported
