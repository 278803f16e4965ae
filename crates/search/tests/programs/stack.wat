;; Each round of a loop takes more stack, as `alloca` does.
(module
  (memory 1)
  (global $__stack_pointer (mut i32) (i32.const 4096))
  (func $f (export "f") (param $rounds i32) (param $b i32) (result i32) (local $frame i32) (local $i i32) (local $r i32)
    (global.set $__stack_pointer (local.tee $frame (i32.sub (global.get $__stack_pointer) (i32.const 32))))
    (loop $again
      (global.set $__stack_pointer (i32.sub (global.get $__stack_pointer) (i32.const 16)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $i) (i32.and (local.get $rounds) (i32.const 15)))))
    (if (i32.eq (i32.const 64) (i32.sub (local.get $frame) (global.get $__stack_pointer)))
      (then (local.set $r (i32.const 1))))
    (global.set $__stack_pointer (i32.add (local.get $frame) (i32.const 32)))
    (local.get $r)))
