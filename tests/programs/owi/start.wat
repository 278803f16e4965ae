;; Owi's shortest form: no export, all is done when the module starts.
(module
  (import "symbolic" "i32_symbol" (func $i32 (result i32)))
  (import "symbolic" "i8_symbol" (func $i8 (result i32)))
  (import "symbolic" "assume" (func $assume (param i32)))
  (import "symbolic" "assert" (func $assert (param i32)))
  (func $start (local $x i32)
    (local.set $x (call $i32))
    (call $assume (i32.ne (local.get $x) (i32.const 3)))
    (call $assert (i32.lt_u (call $i8) (i32.const 256)))
    (call $assert (i32.ne (i32.mul (local.get $x) (i32.const 2)) (i32.const 14))))
  (start $start))
