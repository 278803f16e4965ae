;; A stub's module may have a memory of its own, constructors, and ask for values; pointers of its own it may not give to the host.
;; WITH: stub_asks.wat
;; RUN: coax dump path % --stub read=stub_asks.wat --value 2
;; RUN: coax replay % --stub read=stub_asks.wat --value 2
;; RUN: coax dump functions % --stub device.read=stub_asks.wat --all
(module
  (import "env" "klee_int" (func $first (param i32) (result i32)))
  (import "device" "read" (func $read (result i32)))
  (global $started (mut i32) (i32.const 0))
  (func $start (global.set $started (i32.const 1000)))
  (start $start)
  (func (export "poll") (result i32)
    (if (i32.eq (call $read) (i32.const 107)) (then (return (i32.add (global.get $started) (i32.const 1)))))
    (i32.const 0)))

;; OUTPUT
;; $ coax dump path % --stub read=stub_asks.wat --value 2
;; | input {"name":"nondet_int#1","i32":2}
;; | site2  branch nonzero  (eq nondet_int#1 2:32)
;; | returned i32 1001
;; $ coax replay % --stub read=stub_asks.wat --value 2
;; | ok    run: returned i32 1001
;; |       input  | {"name":"nondet_int#1","i32":2}
;; $ coax dump functions % --stub device.read=stub_asks.wat --all
;; | fn0 first  import
;; | fn1 __VERIFIER_nondet_int  import
;; | fn2 read  1 blocks, 1 sites, hash 80bc9ba92b07f069afcde82e448b9cc9
;; | fn3 start  1 blocks, 0 sites, hash 34ddff316fedb0a1175d2c0642bf4b29
;; | fn4 poll  4 blocks, 2 sites, hash 9b7771d7da2971aa0c74447958753826
;; | fn5 stub_asks!_initialize  1 blocks, 0 sites, hash fa06a44946c6442a9127e5949384ea70
;; | fn6 stub_asks!more  1 blocks, 1 sites, hash 9ba2c48ba08743a75861ca77b2980755
;; | fn7 stub_asks!read  1 blocks, 2 sites, hash 39e268688b8bb5f477717619e0c824fe
;; | fn8  1 blocks, 2 sites, hash aed93676d825cb0a8ef3d1d7cf87cad4
;; ! note: the hashes change whenever addresses do: the module has no relocations; link with `--emit-relocs`
