;; Functions that answer imports of other case files.
(module
  (import "env" "memory" (memory 1))
  (global $calls (mut i32) (i32.const 0))
  (func (export "receive") (param $channel i32) (result i64)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (i64.extend_i32_u (i32.mul (local.get $channel) (i32.const 3))))
  (func (export "narrow") (param i64) (result i32) i32.const 1)
  (func (export "fill") (param $place i32) (param $count i32) (result i32)
    (memory.fill (local.get $place) (i32.const 7) (local.get $count))
    (i32.add (local.get $count) (global.get $calls))))
