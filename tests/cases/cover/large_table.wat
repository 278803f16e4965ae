;; A table that begins with ten million elements, and a memory of a gigabyte, are what the limits allow: both run. One more is too much, and
;; that is said as an error of the input.

;; RUN: coax cover % --entry run --out %t/out --max-runs 50 --workers 1
;; RUN: sed 's/16384/16385/' % >%t/memory.wat && coax cover %t/memory.wat --entry run --out %t/memory --max-runs 1
;; EXIT: 2
;; RUN: sed 's/10000000/10000001/' % >%t/table.wat && coax cover %t/table.wat --entry run --out %t/table --max-runs 1
;; EXIT: 2

(module
  (memory 16384)
  (table 10000000 funcref)
  (elem (i32.const 9999999) $one)
  (func $one (param i32) (result i32) (i32.load (local.get 0)))
  (func (export "run") (param i32) (result i32)
    (i32.store (i32.const 0x3ffffffc) (local.get 0))
    (if (result i32) (i32.eq (i32.load (i32.const 0x3ffffffc)) (i32.const 77))
      (then (call_indirect (param i32) (result i32) (local.get 0) (i32.const 9999999)))
      (else (i32.const 2)))))

;; OUTPUT
;; $ coax cover % --entry run --out %t/out --max-runs 50 --workers 1
;; | 2 tests, 0 failures; branches 2/2 (100 %), lines 0/0, functions 2/2 (100 %)
;; | [work], [time]; all paths are explored
;; | Tests are in [t]/out/tests.
;; $ sed 's/16384/16385/' % >%t/memory.wat && coax cover %t/memory.wat --entry run --out %t/memory --max-runs 1
;; ! error: the program starts with 1073807360 bytes of memory, the limit is 1073741824.
;; ! Raise the limit.
;; $ sed 's/10000000/10000001/' % >%t/table.wat && coax cover %t/table.wat --entry run --out %t/table --max-runs 1
;; ! error: the program starts with 10000001 table elements, the limit is 10000000.
;; ! Raise the limit.
