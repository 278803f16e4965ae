(module
  (func (export "f") (param $a i32) (param $b i32) (result i32)
    (local $sum i32) (local $i i32)
    (local.set $a (i32.and (local.get $a) (i32.const 15)))
    (local.set $b (i32.and (local.get $b) (i32.const 15)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $a)))
        (local.set $sum (i32.add (local.get $sum) (local.get $b)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (if (i32.eq (local.get $sum) (i32.const 91)) (then (return (i32.const 1))))
    (if (i32.eq (local.get $sum) (i32.const 17)) (then (return (i32.const 2))))
    (i32.const 0)))
