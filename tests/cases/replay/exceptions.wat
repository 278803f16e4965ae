;; An exception that is caught is no failure; one that leaves the entry function is.
;; RUN: coax replay % --entry caught
;; RUN: coax replay % --entry uncaught
;; EXIT: 1

(module
  (tag $failed (param i32))
  (func $risky (export "uncaught") (throw $failed (i32.const 7)))
  (func (export "caught") (result i32)
    (block $handler (result i32)
      (try_table (catch $failed $handler) (call $risky))
      (i32.const 0))))

;; OUTPUT
;; $ coax replay % --entry caught
;; | ok    run: returned i32 7
;; $ coax replay % --entry uncaught
;; | FAIL  run: ended by an exception that nobody caught
