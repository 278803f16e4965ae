;; Answers an import of another case file: with a memory, a table and constructors of its own, and values that it asks for.
(module
  (import "env" "__VERIFIER_nondet_int" (func $ask (result i32)))
  (memory 1)
  (data (i32.const 8) "\05\00\00\00")
  (table 1 funcref)
  (elem (i32.const 0) $more)
  (global $initialized (mut i32) (i32.const 0))
  (func (export "_initialize") (global.set $initialized (i32.const 100)))
  (func $more (param i32) (result i32) (i32.add (local.get 0) (i32.load (i32.const 8))))
  (func (export "read") (result i32)
    (i32.add (global.get $initialized) (call_indirect (param i32) (result i32) (call $ask) (i32.const 0)))))
