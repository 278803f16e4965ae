(module
  (global $debug i32 (i32.const 0))
  (func $never (param i32) (result i32)
    (if (result i32) (local.get 0) (then (i32.const 1)) (else (i32.const 2))))
  (func (export "f") (param $a i32) (param $b i32) (result i32)
    (if (global.get $debug) (then (return (call $never (local.get $a)))))
    (i32.const 3)))
