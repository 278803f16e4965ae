;; Reachable, though it seems not: what throws does not return, nor leave the stack pointer as it was.
;; RUN: coax reach % --entry caught --target goal_of_caught --max-runs 50 --out %t/caught
;; RUN: coax reach % --entry moved --target goal_of_moved --max-runs 50 --out %t/moved
;; RUN: coax reach % --entry moved_in_loop --target goal_of_moved_in_loop --max-runs 50 --out %t/moved_in_loop

(module
  (tag $e)
  (global $__stack_pointer (mut i32) (i32.const 100))
  (func $throws (throw $e))
  (func $goal_of_caught (nop))
  (func (export "caught") (param i32)
    (block $done (try_table (catch_all $done) (call $throws)))
    (if (i32.eq (local.get 0) (i32.const 7)) (then (call $goal_of_caught))))
  (func $moves (param i32)
    (global.set $__stack_pointer (i32.const 7))
    (if (local.get 0) (then (throw $e)))
    (global.set $__stack_pointer (i32.const 100)))
  (func $goal_of_moved (nop))
  (func (export "moved") (param i64)
    (block $done (try_table (catch_all $done) (call $moves (i32.wrap_i64 (local.get 0)))))
    (if (i32.eq (global.get $__stack_pointer) (i32.const 7)) (then (call $goal_of_moved))))
  (func $moves_always (global.set $__stack_pointer (i32.const 7)) (throw $e))
  (func $goal_of_moved_in_loop (nop))
  (func (export "moved_in_loop") (param i64) (local i32)
    (loop $again
      (block $done
        (try_table (catch_all $done)
          (br_if $done (i64.ne (local.get 0) (i64.const 3)))
          (call $moves_always)))
      (local.set 1 (i32.add (local.get 1) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get 1) (i32.const 5))))
    (if (i32.eq (global.get $__stack_pointer) (i32.const 7)) (then (call $goal_of_moved_in_loop)))))

;; OUTPUT
;; $ coax reach % --entry caught --target goal_of_caught --max-runs 50 --out %t/caught
;; | reached      goal_of_caught  caught-site-1-nonzero-7e7d76.json
;; $ coax reach % --entry moved --target goal_of_moved --max-runs 50 --out %t/moved
;; | reached      goal_of_moved  moves-site-3-nonzero-169f66.json
;; $ coax reach % --entry moved_in_loop --target goal_of_moved_in_loop --max-runs 50 --out %t/moved_in_loop
;; | reached      goal_of_moved_in_loop  moved_in_loop-site-7-zero-1efe39.json
