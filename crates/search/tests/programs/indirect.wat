(module
  (type $g (func (param i32) (result i32)))
  (table funcref (elem $one $two $three))
  (func $one (type $g) (if (result i32) (i32.eq (local.get 0) (i32.const 3)) (then (i32.const 1)) (else (i32.const 2))))
  (func $two (type $g) (if (result i32) (i32.eq (local.get 0) (i32.const 16)) (then (i32.const 3)) (else (i32.const 4))))
  (func $three (param i64) (result i32) (i32.const 5))
  (func (export "f") (param $a i32) (param $b i32) (result i32)
    (call_indirect (type $g) (i32.and (local.get $b) (i32.const 15)) (i32.and (local.get $a) (i32.const 3)))))
