;; Parameters in, results out, exactly: floats keep their bits, many results are shown in order.
;; RUN: coax replay % --entry add --param 2 --param -5
;; RUN: coax replay % --entry wide --param 0xffffffffffffffff
;; RUN: coax replay % --entry half --param nan:0x7fc00001 --param 3
;; RUN: coax replay % --entry swap --param 1 --param 2.5
;; RUN: coax replay % --entry add --param 2
;; RUN: coax replay % --entry add --param 2 --param 4294967296
;; EXIT: 2
;; RUN: coax replay % --entry add --param 2 --param two
;; EXIT: 2

(module
  (func (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
  (func (export "wide") (param i64) (result i64) (i64.sub (local.get 0) (i64.const 1)))
  (func (export "half") (param f32 f64) (result f32 f64)
    (local.get 0) (f64.div (local.get 1) (f64.const 2)))
  (func (export "swap") (param i32 f64) (result f64 i32) (local.get 1) (local.get 0)))

;; OUTPUT
;; $ coax replay % --entry add --param 2 --param -5
;; | ok    run: returned i32 -3
;; $ coax replay % --entry wide --param 0xffffffffffffffff
;; | ok    run: returned i64 -2
;; $ coax replay % --entry half --param nan:0x7fc00001 --param 3
;; | ok    run: returned f32 nan:0x7fc00001, f64 1.5
;; $ coax replay % --entry swap --param 1 --param 2.5
;; | ok    run: returned f64 2.5, i32 1
;; $ coax replay % --entry add --param 2
;; | ok    run: returned i32 2
;; ! note: parameter 2 is given zeros
;; $ coax replay % --entry add --param 2 --param 4294967296
;; ! error: --param: `4294967296` does not fit an i32 (-2147483648 to 4294967295)
;; $ coax replay % --entry add --param 2 --param two
;; ! error: --param: `two` is no i32; write an integer like -5 or 0xff
