;; What is wrong with a script is said with its place; nothing else is answered.
;; RUN: printf '(declare-const x (_ BitVec 8))\n(assert (= x #x0))\n(check-sat)' | coax solve -
;; EXIT: 2
;; RUN: printf '(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 1))\n(check-sat)' | coax solve - --no-child
;; EXIT: 2
;; RUN: printf '(set-logic QF_XYZ)\n(check-sat)' | coax solve -
;; EXIT: 2
;; RUN: printf '(set-logic QF_BV)\n(assert (= (_ bv36893488147419103232 66) (_ bv1 66)))\n(check-sat)' | coax solve - --no-child
;; EXIT: 2
;; RUN: printf '(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 1))\n(check-sat)' | coax solve - --solver no-such-solver
;; RUN: printf '(get-value (x))(declare-const x Bool)(assert x)(check-sat)(get-unsat-core)(assert (not x))(check-sat)(get-model)' | coax solve - --no-child
;; RUN: printf '(assert (and true\n' | coax solve -
;; EXIT: 2
;; RUN: printf '(declare-const x (_ BitVec 128))\n(assert (= x x))\n(check-sat)' | coax solve - --no-child
;; EXIT: 2
;; RUN: printf '(set-info :status sat)\n(assert false)\n(check-sat)' | coax solve - --no-child
;; EXIT: 2
;; RUN: coax solve no_such_file.smt2
;; EXIT: 2
;; RUN: printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --no-child
;; RUN: printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --solver "no-such-solver -in"
;; RUN: printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --solver false
;; RUN: printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --solver "sleep 60" --time 100ms
;; RUN: printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --solver "sed -un 's/(check-sat)/maybe/p;s/(echo \(.*\))/\1/p'"

;; OUTPUT
;; $ printf '(declare-const x (_ BitVec 8))\n(assert (= x #x0))\n(check-sat)' | coax solve -
;; ! error: -:2:9: `=` cannot be applied to ((_ BitVec 8) (_ BitVec 4)).
;; $ printf '(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 1))\n(check-sat)' | coax solve - --no-child
;; ! error: -:1:1: The logic is not supported. Supported are ALL and what consists of BV, A, UF and FP, like QF_ABV; this is QF_LIA.
;; $ printf '(set-logic QF_XYZ)\n(check-sat)' | coax solve -
;; ! error: -:1:1: There is no logic `QF_XYZ`. Write ALL if in doubt.
;; $ printf '(set-logic QF_BV)\n(assert (= (_ bv36893488147419103232 66) (_ bv1 66)))\n(check-sat)' | coax solve - --no-child
;; ! error: -:2:12: This has 66 bits; at most 64 are supported. Split it into parts.
;; $ printf '(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 1))\n(check-sat)' | coax solve - --solver no-such-solver
;; | unknown
;; ! note: 2:18: The sort Int is not supported. Known are Bool, (_ BitVec n), Float32, Float64 and arrays of bit-vectors. There is no solver for what only a child can answer: there is no program `no-such-solver`.
;; $ printf '(get-value (x))(declare-const x Bool)(assert x)(check-sat)(get-unsat-core)(assert (not x))(check-sat)(get-model)' | coax solve - --no-child
;; | (error "get-value has nothing to give: nothing was checked since the last change")
;; | sat
;; | (error "get-unsat-core has nothing to give: the last answer was sat")
;; | unsat
;; | (error "get-model has nothing to give: the last answer was unsat")
;; $ printf '(assert (and true\n' | coax solve -
;; ! error: -:1:9: This `(` is never closed. Is the end of the text missing?
;; $ printf '(declare-const x (_ BitVec 128))\n(assert (= x x))\n(check-sat)' | coax solve - --no-child
;; ! error: -:1:18: This has 128 bits; at most 64 are supported. Split it into parts.
;; $ printf '(set-info :status sat)\n(assert false)\n(check-sat)' | coax solve - --no-child
;; | unsat
;; ! error: -:3:1: the answer is not what `(set-info :status …)` says; one of them is wrong
;; $ coax solve no_such_file.smt2
;; ! error: cannot read no_such_file.smt2: No such file or directory (os error 2)
;; $ printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --no-child
;; | unknown
;; ! note: 2:9: Quantifiers need a solver like z3 as a child process.
;; $ printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --solver "no-such-solver -in"
;; | unknown
;; ! note: 2:9: Quantifiers need a solver like z3 as a child process. There is no solver for what only a child can answer: there is no program `no-such-solver`.
;; $ printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --solver false
;; | unknown
;; ! note: the solver ended in the middle of a question
;; $ printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --solver "sleep 60" --time 100ms
;; | unknown
;; ! note: the solver reached its budget
;; $ printf '(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (forall ((x (_ BitVec 8))) (= (f x) x)))\n(check-sat)' | coax solve - --solver "sed -un 's/(check-sat)/maybe/p;s/(echo \(.*\))/\1/p'"
;; | unknown
;; ! note: the solver answered: maybe
