;; Every block names the innermost loop it is in and the block that dominates it.
;; RUN: coax dump cfg %

(module
  (func (export "pairs") (param $n i32) (result i32)
    (local $i i32) (local $j i32) (local $count i32)
    (loop $outer
      (local.set $j (i32.const 0))
      (loop $inner
        (local.set $count (i32.add (local.get $count) (i32.const 1)))
        (local.set $j (i32.add (local.get $j) (i32.const 1)))
        (br_if $inner (i32.lt_u (local.get $j) (local.get $i))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $outer (i32.lt_u (local.get $i) (local.get $n))))
    (local.get $count)))

;; OUTPUT
;; $ coax dump cfg %
;; | fn0 pairs
;; |   block0 -> block1
;; |   block1 under block0 in loop block1 -> block2
;; |   block2 under block1 in loop block2 -> block2, block3  ; site0
;; |   block3 under block2 in loop block1 -> block1, block4  ; site1
;; |   block4 under block3 -> leaves
