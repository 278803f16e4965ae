;; A trap before the entry function is even called, in the module's start function.
;; CACHE: untouched
;; RUN: coax replay %
;; EXIT: 1

(module
  (func $setup (drop (i32.div_u (i32.const 1) (i32.const 0))))
  (start $setup)
  (func (export "_start")))

;; OUTPUT
;; $ coax replay %
;; | FAIL  run: trapped: integer divide by zero at offset 0x2b in setup
