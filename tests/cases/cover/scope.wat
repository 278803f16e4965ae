;; In a module without debug information all functions count, unless the user names those that do.
;; RUN: coax cover % --entry parse_all --no-mutate --out %t/all | grep branches
;; RUN: coax cover % --entry parse_all --no-mutate --scope 'parse*' --out %t/out | grep -v runs
;; RUN: coax cover % --entry parse_all --no-mutate --scope parse_digit --scope '*elper' --out %t/two | grep branches
;; RUN: coax replay % --entry parse_all --param 3 --coverage --scope parse_digit
;; RUN: coax cover % --entry parse_all --scope 'pars' --out %t/none
;; EXIT: 2
(module
  (func $helper (param i32) (result i32)
    (if (result i32) (i32.eq (local.get 0) (i32.const 77)) (then (i32.const 1)) (else (i32.const 2))))
  (func $unused (param i32) (result i32)
    (if (result i32) (local.get 0) (then (i32.const 1)) (else (i32.const 2))))
  (func $parse_digit (param i32) (result i32)
    (if (result i32) (i32.gt_u (local.get 0) (i32.const 9)) (then (i32.const -1)) (else (local.get 0))))
  (func $parse_all (export "parse_all") (param i32) (result i32)
    (if (result i32) (i32.eqz (local.get 0))
      (then (call $helper (local.get 0)))
      (else (call $parse_digit (local.get 0))))))

;; OUTPUT
;; $ coax cover % --entry parse_all --no-mutate --out %t/all | grep branches
;; | not covered  unused, 2 branches: proved: it is never called from this entry
;; | 3 tests, 0 failures; branches 5/8 (62 %), lines 0/0, functions 3/4 (75 %)
;; $ coax cover % --entry parse_all --no-mutate --scope 'parse*' --out %t/out | grep -v runs
;; | 3 tests, 0 failures; branches 4/4 (100 %), lines 0/0, functions 2/2 (100 %)
;; | Tests are in [t]/out/tests.
;; $ coax cover % --entry parse_all --no-mutate --scope parse_digit --scope '*elper' --out %t/two | grep branches
;; | 3 tests, 0 failures; branches 3/4 (75 %), lines 0/0, functions 2/2 (100 %)
;; $ coax replay % --entry parse_all --param 3 --coverage --scope parse_digit
;; | ok    run: returned i32 3
;; | coverage
;; |   site2 (offset 0x4e) in parse_digit: taken zero; missed nonzero
;; |   in scope      branches 1/2, selects 0/0, functions 1/1
;; |   whole module  branches 2/8, selects 0/0, functions 2/4
;; $ coax cover % --entry parse_all --scope 'pars' --out %t/none
;; ! error: no code of the program is in scope `pars`; `coax dump functions --all` lists its functions and files
