;; What a run decides because of its parameters: each decision with the condition that another input must meet to be
;; decided alike. Selects constrain nothing, an address with too many values is replaced by its value.
;; RUN: coax dump path % --entry all --param 3 --param 8
;; RUN: coax dump path % --entry all --param 0 --param 0
;; RUN: coax dump path % --entry all --param 1 --param 8 --json | head -n 24
;; RUN: coax dump smt % --entry all --param 3 --param 8
;; RUN: coax dump path % --entry constant
;; RUN: coax dump path % --entry all
;; RUN: coax dump ir % --param 3
;; EXIT: 2
;; RUN: coax dump path % --entry all --param 3 --param 8 --format dot
;; EXIT: 2
;; RUN: coax dump smt % --entry all --param 3 --param 8 --json
;; EXIT: 2

(module
  (memory 1)
  (func (export "constant") (result i32) (i32.const 1))
  (func (export "all") (param $n i32) (param $m i32) (result i32)
    (if (i32.eqz (local.get $n)) (then (return (i32.div_u (local.get $n) (local.get $m)))))
    (block $two (block $one (br_table $one $two $one $two (i32.sub (local.get $n) (i32.const 1)))))
    (i32.store8 (local.get $m) (i32.const 7))
    (select (i32.load8_u (i32.const 8)) (i32.const 2) (i32.lt_s (local.get $n) (local.get $m)))))

;; OUTPUT
;; $ coax dump path % --entry all --param 3 --param 8
;; | site0  branch zero  (not (eq param0 0:32))
;; | site2  switch 0,2  (or (eq param0 1:32) (eq param0 3:32))
;; | site3  no trap memory access out of bounds  (ult param1 0x10000:32)
;; | site3  concretised an address to 8:64  (eq param1 8:32)
;; | site5  select nonzero  (slt param0 param1)
;; | returned i32 7
;; $ coax dump path % --entry all --param 0 --param 0
;; | site0  branch nonzero  (eq param0 0:32)
;; | site1  trapped integer divide by zero  (eq param1 0:32)
;; | trapped: integer divide by zero at offset 0x46 in all
;; $ coax dump path % --entry all --param 1 --param 8 --json | head -n 24
;; | {
;; |   "tool": "coax",
;; |   "version": "[version]",
;; |   "command": "dump path",
;; |   "program": "path.wat",
;; |   "inputs": [],
;; |   "events": [
;; |     {
;; |       "function": "all",
;; |       "location": null,
;; |       "site": 0,
;; |       "offset": 64,
;; |       "kind": "branch",
;; |       "direction": "zero",
;; |       "constrains": true,
;; |       "condition": "(not (eq param0 0:32))"
;; |     },
;; |     {
;; |       "function": "all",
;; |       "location": null,
;; |       "site": 2,
;; |       "offset": 82,
;; |       "kind": "switch",
;; |       "direction": "0,2",
;; $ coax dump smt % --entry all --param 3 --param 8
;; | (set-option :produce-models true)
;; | (set-logic QF_BV)
;; | (declare-fun |param0| () (_ BitVec 32))
;; | (declare-fun |param1| () (_ BitVec 32))
;; | (assert (not (= |param0| #x00000000)))
;; | (assert (or (= |param0| #x00000001) (= |param0| #x00000003)))
;; | (assert (bvult |param1| #x00010000))
;; | (assert (= |param1| #x00000008))
;; | (check-sat)
;; | (get-model)
;; $ coax dump path % --entry constant
;; | returned i32 1
;; ! note: the run decided nothing because of its input
;; ! note: it asked for none and had none: `--param` gives a parameter, `--stdin FILE` (or `-`) standard input
;; $ coax dump path % --entry all
;; | site0  branch nonzero  (eq param0 0:32)
;; | site1  trapped integer divide by zero  (eq param1 0:32)
;; | trapped: integer divide by zero at offset 0x46 in all
;; ! note: `all` is given zeros: `--param` gives it something else
;; $ coax dump ir % --param 3
;; ! error: only `path`, `smt` and `test` have an input; leave `--json` and the program's input out
;; $ coax dump path % --entry all --param 3 --param 8 --format dot
;; ! error: a run has no functions to choose and no graph; leave `--function` and `--all` out, or `--format dot|svg`
;; $ coax dump smt % --entry all --param 3 --param 8 --json
;; ! error: an SMT-LIB script is no JSON; leave `--json` out
