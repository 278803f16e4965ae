;; The greatest common divisor, by hand.
;;
;;     coax dump ir examples/gcd.wat
;;     coax replay examples/gcd.wat --param 48 --param 36
(module
  (func $gcd (export "gcd") (param $a i32) (param $b i32) (result i32)
    (loop $again
      (if (local.get $b)
        (then
          ;; a, b = b, a mod b
          (local.get $b)
          (i32.rem_u (local.get $a) (local.get $b))
          (local.set $b)
          (local.set $a)
          (br $again))))
    (local.get $a)))
