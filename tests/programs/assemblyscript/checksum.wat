;; As the AssemblyScript compiler writes modules with `--runtime stub`: `env.abort` for failed assertions and allocations
;; beyond the limit, strings in UTF-16 behind a header, exported functions.
(module
  (import "env" "abort" (func $~lib/builtins/abort (param i32 i32 i32 i32)))
  (global $~lib/rt/stub/offset (mut i32) (i32.const 1052))
  (memory $0 1)
  ;; object header: size, gc info, class id 2 (string), length in bytes
  (data (i32.const 1036) "\1c\00\00\00\00\00\00\00\00\00\00\00\02\00\00\00\1a\00\00\00c\00h\00e\00c\00k\00s\00u\00m\00.\00t\00s\00\00\00\00\00\00\00\00\00")
  (func $assembly/checksum/luhn (param $number i64) (result i32)
    (local $sum i32) (local $digit i32) (local $twice i32)
    (if (i64.lt_s (local.get $number) (i64.const 0))
      (then
        (call $~lib/builtins/abort (i32.const 0) (i32.const 1056) (i32.const 4) (i32.const 3))
        (unreachable)))
    (block $done
      (loop $next
        (br_if $done (i64.eqz (local.get $number)))
        (local.set $digit (i32.wrap_i64 (i64.rem_u (local.get $number) (i64.const 10))))
        (if (local.get $twice)
          (then
            (local.set $digit (i32.shl (local.get $digit) (i32.const 1)))
            (if (i32.gt_s (local.get $digit) (i32.const 9))
              (then (local.set $digit (i32.sub (local.get $digit) (i32.const 9)))))))
        (local.set $sum (i32.add (local.get $sum) (local.get $digit)))
        (local.set $twice (i32.eqz (local.get $twice)))
        (local.set $number (i64.div_u (local.get $number) (i64.const 10)))
        (br $next)))
    (i32.eqz (i32.rem_u (local.get $sum) (i32.const 10))))
  (export "luhn" (func $assembly/checksum/luhn))
  (export "memory" (memory $0)))
