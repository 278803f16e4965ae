(module
  ;; Some of the conditions contradict each other.
  (func (export "f") (param $a i32) (param $b i32) (result i32)
    (local.set $a (i32.and (local.get $a) (i32.const 15)))
    (local.set $b (i32.and (local.get $b) (i32.const 15)))
    (if (i32.gt_s (local.get $a) (i32.const 7))
      (then
        (if (i32.eq (i32.add (local.get $a) (local.get $b)) (i32.const 20)) (then (return (i32.const 1))))
        (if (i32.lt_s (local.get $a) (i32.const 3)) (then (return (i32.const 2))))
        (if (i32.eq (i32.mul (local.get $a) (local.get $b)) (i32.const 143)) (then (return (i32.const 3))))))
    (if (i32.eq (i32.xor (local.get $a) (local.get $b)) (i32.const 31)) (then (return (i32.const 4))))
    (if (i32.eq (i32.mul (local.get $b) (local.get $b)) (i32.const 49)) (then (return (i32.const 5))))
    (i32.const 6)))
