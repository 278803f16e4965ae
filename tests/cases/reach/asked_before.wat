;; What is asked for before the entry is called says nothing of what every run does: the entry comes after that. An offset is where an operator begins.
;; RUN: coax reach % --entry f --target f --target f+0xb --no-mutate --max-runs 20 --out %t/out
;; RUN: coax reach % --entry f --target f+0x4 --out %t/middle
;; EXIT: 2

(module
  (import "env" "nondet_int" (func $ask (result i32)))
  (global $asked (mut i32) (i32.const 0))
  (func $start (global.set $asked (call $ask)))
  (start $start)
  (func (export "f") (result i32)
    (if (i32.eq (global.get $asked) (i32.const 77)) (then (return (i32.const 1))))
    (i32.const 0)))

;; OUTPUT
;; $ coax reach % --entry f --target f --target f+0xb --no-mutate --max-runs 20 --out %t/out
;; | reached      f  f-site-1-zero-1b9786.json
;; | reached      f+0xb  f-site-1-nonzero-031162.json
;; $ coax reach % --entry f --target f+0x4 --out %t/middle
;; ! error: 0x4 is in the middle of an operator of `f`; name f+0x3 or f+0x6
