;; The payload of an exception is a number, also at a label to which a branch has brought something symbolic before: the
;; comparison depends on the payload alone, so nothing is decided because of the parameter.
;; RUN: coax dump path % --param 3

(module
  (tag $thrown (param i32))
  (func (export "f") (param $n i32) (result i32)
    (local $round i32)
    (block $done (result i32)
      (loop $again
        (block $label (result i32)
          (if (i32.eqz (local.get $round)) (then (br $label (local.get $n))))
          (try_table (catch $thrown $label) (throw $thrown (i32.const 5)))
          (unreachable))
        (local.set $round (i32.add (local.get $round) (i32.const 1)))
        (br_if $done (i32.ge_u (local.get $round) (i32.const 2)))
        (drop)
        (br $again))
      (unreachable))
    (i32.const 7)
    (i32.eq)
    (if (then (return (i32.const 1))))
    (i32.const 0)))

;; OUTPUT
;; $ coax dump path % --param 3
;; | returned i32 0
;; ! note: the run decided nothing because of its input
