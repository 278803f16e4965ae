;; The function to begin with does not exist, or there is nothing to begin with.
;; CACHE: untouched
;; RUN: coax replay % --entry clasify
;; EXIT: 2
;; RUN: coax replay %
;; EXIT: 2

(module
  (func (export "classify") (param i32) (result i32) (local.get 0))
  (func (export "count") (result i32) (i32.const 0)))

;; OUTPUT
;; $ coax replay % --entry clasify
;; ! error: there is no function `clasify` in the program; did you mean `classify`?
;; $ coax replay %
;; ! error: it is not clear which function to call.
;; ! Name one of the exported functions as the entry: `classify`, `count`.
