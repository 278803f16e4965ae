;; Not even well-formed.
;; CACHE: untouched
;; RUN: coax dump ir %
;; EXIT: 2

(module
  (func (export "f") (result i32)
    (i32.cost 1)))

;; OUTPUT
;; $ coax dump ir %
;; ! unknown operator or unexpected token
;; !      --> syntax.wat:8:6
;; !       |
;; !     8 |     (i32.cost 1)))
;; !       |      ^
;; ! error: syntax.wat is not a valid text module. Correct it at the place named above.
