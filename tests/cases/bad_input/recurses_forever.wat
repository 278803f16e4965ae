;; Endless recursion ends when the stack does.
;; CACHE: untouched
;; RUN: coax replay %
;; EXIT: 1

(module
  (func $deeper (export "_start") (call $deeper) (call $deeper)))

;; OUTPUT
;; $ coax replay %
;; | FAIL  run: exhausted the stack at offset 0x23 in deeper
;; |         at deeper
;; |         at offset 0x23 in deeper (99 times)
;; |       limit met: stack; `--max-stack` raises it
