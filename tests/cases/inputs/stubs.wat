;; Imports that nobody has get answers from the command line.
;; RUN: coax replay %
;; EXIT: 2
;; RUN: coax replay % --stub receive=7 --stub log=unknown
;; RUN: coax dump path % --stub net.receive=unknown --stub log=unknown
;; RUN: coax replay % --stub receive=seven --stub log=0
;; EXIT: 2
;; RUN: coax replay % --stub send=1
;; EXIT: 2
;; RUN: coax replay % --stub receive
;; EXIT: 2
(module
  (import "net" "receive" (func $receive (param i32) (result i64)))
  (import "env" "log" (func $log (param i32)))
  (func (export "poll") (result i32)
    (call $log (i32.const 1))
    (if (i64.eq (call $receive (i32.const 5)) (i64.const 7)) (then (return (i32.const 1))))
    (i32.const 0)))

;; OUTPUT
;; $ coax replay %
;; ! error: nobody provides what the program imports: `net.receive`, `env.log`.
;; ! Link the libraries that define them, or say what they answer with `--stub NAME=VALUE` or `--stub NAME=unknown`; `--stub-missing` says unknown of all.
;; $ coax replay % --stub receive=7 --stub log=unknown
;; | ok    run: returned i32 1
;; $ coax dump path % --stub net.receive=unknown --stub log=unknown
;; | input {"name":"receive#1","i64":0}
;; | site2  branch zero  (not (eq receive#1 7:64))
;; | returned i32 0
;; $ coax replay % --stub receive=seven --stub log=0
;; ! error: the stub for `net.receive` does not fit: `seven` is no i64; write an integer like -5 or 0xff.
;; ! Give it a value of that type, or `unknown`.
;; $ coax replay % --stub send=1
;; ! error: the program does not import `send`.
;; ! Leave the stub out; `coax dump functions --all` lists the imports.
;; $ coax replay % --stub receive
;; ! error: --stub: `receive` is not NAME=ANSWER; write both, with `=` between them
