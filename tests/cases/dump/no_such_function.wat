;; A misspelt name gets a proposal, also that of an entry which nothing is to call.
;; RUN: coax dump ir % --function clasify
;; EXIT: 2
;; RUN: coax dump ir % --format dot
;; EXIT: 2
;; RUN: coax dump functions % --entry clasify
;; EXIT: 2
;; RUN: coax dump calls % --entry nope
;; EXIT: 2

(module
  (func (export "classify") (param i32) (result i32) (local.get 0))
  (func (export "main") (result i32) (i32.const 0)))

;; OUTPUT
;; $ coax dump ir % --function clasify
;; ! error: there is no function `clasify` in the program; did you mean `classify`?
;; $ coax dump ir % --format dot
;; ! error: only `cfg` and `calls` can be drawn; leave `--format` out for the text form
;; $ coax dump functions % --entry clasify
;; ! error: there is no function `clasify` in the program; did you mean `classify`?
;; $ coax dump calls % --entry nope
;; ! error: there is no function `nope` to call.
;; ! Name one of the exported functions as the entry: `classify`, `main`.
