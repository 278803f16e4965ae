; Named assertions, cores and assumptions.
(set-option :produce-unsat-cores true)
(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(declare-const |a b| Bool)
(assert (! (bvult x #x4) :named small))
(assert (! |a b| :named |not needed|))
(assert (! (bvugt x #x6) :named |so large|))
(check-sat)
;= unsat
(get-unsat-core)
;= (small |so large|)
(reset-assertions)
(declare-const x (_ BitVec 4))
(declare-const p Bool)
(assert (=> p (= x #x5)))
(check-sat-assuming (p (not (= x #x5))))
;= unsat
(get-unsat-assumptions)
;= (p (not (= x #x5)))
(check-sat-assuming (p))
;= sat
(get-value (x))
;= ((x #x5))
(assert (! (= x #x6) :named six))
(assert (=> six p))
(check-sat)
;= unsat
