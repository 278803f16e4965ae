;; A module without debug information has no lines, but functions, offsets and sites.
;; RUN: coax reach % --entry f --target f.c:3 --out %t/out
;; EXIT: 2
;; RUN: coax reach % --entry f --target f+0x7 --no-mutate --out %t/offset
;; RUN: coax reach % --entry f --target site:0 --no-mutate --out %t/site
;; RUN: coax reach % --entry f --target f+1000 --out %t/out
;; EXIT: 2
;; RUN: coax reach % --entry f --target exit --out %t/out
;; EXIT: 2
;; RUN: test ! -e %t/out

(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (func (export "f") (param $x i32) (result i32)
    (if (i32.eq (local.get $x) (i32.const 77)) (then (return (i32.const 1))))
    (i32.const 0)))

;; OUTPUT
;; $ coax reach % --entry f --target f.c:3 --out %t/out
;; ! error: the program has no debug information; compile it with -g, or name FUNCTION+OFFSET
;; $ coax reach % --entry f --target f+0x7 --no-mutate --out %t/offset
;; | reached      f+0x7  f-site-0-zero-3e02ce.json
;; $ coax reach % --entry f --target site:0 --no-mutate --out %t/site
;; | reached      site:0  f-site-0-zero-3e02ce.json
;; $ coax reach % --entry f --target f+1000 --out %t/out
;; ! error: `f` has 16 bytes of code; name an offset below that
;; $ coax reach % --entry f --target exit --out %t/out
;; ! error: `exit` has no code in the program, it is imported; name a function that calls it
;; $ test ! -e %t/out
