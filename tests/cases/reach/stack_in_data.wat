;; A stack that has no room of its own is among static data.
;; RUN: coax reach % --entry f --target goal --max-runs 50 --out %t/out

(module
  (memory 1)
  (global $__stack_pointer (mut i32) (i32.const 1028))
  (data (i32.const 1024) "\01\00\00\00")
  (func $goal (nop))
  (func (export "f") (param i32)
    (i32.store (i32.sub (global.get $__stack_pointer) (i32.const 4)) (local.get 0))
    (if (i32.eq (i32.load (i32.const 1024)) (i32.const 7)) (then (call $goal)))))

;; OUTPUT
;; $ coax reach % --entry f --target goal --max-runs 50 --out %t/out
;; | reached      goal  f-site-2-nonzero-753c9d.json
