;; Well-formed, but no valid module: the function promises an i32 and gives an i64.
;; CACHE: untouched
;; RUN: coax dump ir %
;; EXIT: 2
;; RUN: coax replay %
;; EXIT: 2

(module
  (func (export "f") (result i32)
    (i64.const 1)))

;; OUTPUT
;; $ coax dump ir %
;; ! error: invalid.wat: the WebAssembly module is invalid at byte 33: type mismatch: expected i32, found i64; check how it was made
;; $ coax replay %
;; ! error: invalid.wat: the WebAssembly module is invalid at byte 33: type mismatch: expected i32, found i64; check how it was made
