;; A br_table has one direction per distinct target, in the order they first appear, the default's last
;; unless it appeared before.
;; RUN: coax dump ir %

(module
  (func (export "days") (param $month i32) (param $leap i32) (result i32)
    (block $invalid
      (block $thirty
        (block $thirty_one
          (block $february
            (br_table $invalid $thirty_one $february $thirty_one $thirty $thirty_one $thirty $thirty_one
              $thirty_one $thirty $thirty_one $thirty $thirty_one $invalid (local.get $month)))
          (return (select (i32.const 29) (i32.const 28) (local.get $leap))))
        (return (i32.const 31)))
      (return (i32.const 30)))
    (unreachable)))

;; OUTPUT
;; $ coax dump ir %
;; | fn0 days (i32, i32) -> (i32) {
;; | block0(v0: i32, v1: i32):
;; |   switch v0 [0: block4, 1: block2, 2: block1, 3: block2, 4: block3, 5: block2, 6: block3, 7: block2, 8: block2, 9: block3, 10: block2, 11: block3, 12: block2, else: block4] ; site0
;; | block1():
;; |   v2 = i32.const 29
;; |   v3 = i32.const 28
;; |   v4 = select v2 v3 v1                                       ; site1
;; |   return v4
;; | block2():
;; |   v5 = i32.const 31
;; |   return v5
;; | block3():
;; |   v6 = i32.const 30
;; |   return v6
;; | block4():
;; |   unreachable                                                ; site2
;; | }
