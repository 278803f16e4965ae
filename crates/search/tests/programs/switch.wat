(module
  (func (export "f") (param $a i32) (param $b i32) (result i32)
    (block $default (block $two (block $one (block $zero
      (br_table $zero $one $two $one $default (i32.sub (i32.and (local.get $a) (i32.const 15)) (i32.const 5))))
      (return (i32.const 10)))
      (if (i32.eqz (i32.and (local.get $b) (i32.const 15))) (then (return (i32.const 11))))
      (return (i32.const 12)))
      (block $x (block $y
        (br_table $x $y $y (i32.and (local.get $b) (i32.const 3))))
        (return (i32.const 13))))
    (i32.const 14)))
