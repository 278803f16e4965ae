;; Limits are options; a bad value says what a good one looks like.
;; RUN: coax replay % --max-stack 64K --param 100000
;; EXIT: 1
;; RUN: coax replay % --max-stack 64K --param 10
;; RUN: coax replay % --max-memory lots --param 1
;; EXIT: 2
;; RUN: coax replay % --time soon --param 1
;; EXIT: 2

(module
  (func $sum (export "sum") (param i32) (result i32)
    (if (result i32) (local.get 0)
      (then (i32.add (local.get 0) (call $sum (i32.sub (local.get 0) (i32.const 1)))))
      (else (i32.const 0)))))

;; OUTPUT
;; $ coax replay % --max-stack 64K --param 100000
;; | FAIL  run: exhausted the stack at offset 0x2d in sum
;; |         at sum
;; |         at offset 0x2d in sum (99 times)
;; |       limit met: stack; `--max-stack` raises it
;; $ coax replay % --max-stack 64K --param 10
;; | ok    run: returned i32 55
;; $ coax replay % --max-memory lots --param 1
;; ! error: invalid value 'lots' for '--max-memory <SIZE>': write a size like 65536, 512M or 2G
;; !
;; ! For more information, try '--help'.
;; $ coax replay % --time soon --param 1
;; ! error: invalid value 'soon' for '--time <TIME>': write a time like [time], [time] or 5m
;; !
;; ! For more information, try '--help'.
