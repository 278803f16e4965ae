;; A path as data: written to a file, it can be looked at again and made an SMT-LIB script without the program. The sum is needed
;; by several conditions, and written once.
;; RUN: coax dump path % --param 3 --param 8 --format data > %t/run.path; cat %t/run.path
;; RUN: coax dump path % --param 3 --param 8
;; RUN: cd %t && coax dump path run.path
;; RUN: cd %t && coax dump path run.path --format data | cmp - run.path
;; RUN: coax dump smt % --param 3 --param 8 > %t/ran.smt2; coax dump smt %t/run.path | cmp - %t/ran.smt2
;; RUN: cd %t && coax dump path run.path --json | head -n 16
;; RUN: cd %t && head -n 5 run.path > cut.path; coax dump smt cut.path
;; EXIT: 2
;; RUN: cd %t && sed 's/^coax path 1$/coax path 9/' run.path > new.path; coax dump path new.path
;; EXIT: 2
;; RUN: cd %t && sed 's/param1:32/param1:8/' run.path > narrow.path; coax dump path narrow.path
;; EXIT: 2
;; RUN: cd %t && sed 's/^(\$1/($7/' run.path > forward.path; coax dump path forward.path
;; EXIT: 2
;; RUN: cd %t && printf 'coax path 1\n\377\n' > bytes.path; coax dump path bytes.path
;; EXIT: 2
;; RUN: cd %t && coax dump path run.path --param 3
;; EXIT: 2
;; RUN: coax dump ir % --format data
;; EXIT: 2
;; RUN: coax dump smt % --param 3 --param 8 --format data
;; EXIT: 2
;; RUN: coax dump path % --param 3 --param 8 --format data --json
;; EXIT: 2
;; RUN: cd %t && coax replay run.path
;; EXIT: 2

(module
  (memory 1)
  (func (export "f") (param $n i32) (param $m i32) (result i32)
    (local $sum i32)
    (local.set $sum (i32.add (local.get $n) (local.get $m)))
    (if (i32.lt_u (local.get $sum) (i32.const 10)) (then (return (i32.const 0))))
    (i32.store8 (local.get $sum) (i32.const 1))
    (select (i32.const 1) (i32.const 2) (i32.eq (local.get $sum) (i32.const 11)))))

;; OUTPUT
;; $ coax dump path % --param 3 --param 8 --format data > %t/run.path; cat %t/run.path
;; | coax path 1
;; | symbol param0:32
;; | symbol param1:32
;; | ($1 (add param0 param1))
;; | branch 0x34 0 (ule 10:32 $1)
;; | trap 0x3e memory-out-of-bounds no (ult $1 0x10000:32)
;; | ($2 (eq $1 11:32))
;; | concretised 0x3e address 11 (zext 64 $1) $2
;; | select 0x4a 1 $2
;; | end 4
;; $ coax dump path % --param 3 --param 8
;; | site0  branch zero  (ule 10:32 (add param0 param1))
;; | site1  no trap memory access out of bounds  (ult (add param0 param1) 0x10000:32)
;; | site1  concretised an address to 11:64  (eq (add param0 param1) 11:32)
;; | site2  select nonzero  (eq (add param0 param1) 11:32)
;; | returned i32 1
;; $ cd %t && coax dump path run.path
;; | offset 0x34  branch 0  (ule 10:32 (add param0 param1))
;; | offset 0x3e  no trap memory access out of bounds  (ult (add param0 param1) 0x10000:32)
;; | offset 0x3e  concretised an address to 11:64  (eq (add param0 param1) 11:32)
;; | offset 0x4a  select 1  (eq (add param0 param1) 11:32)
;; $ cd %t && coax dump path run.path --format data | cmp - run.path
;; $ coax dump smt % --param 3 --param 8 > %t/ran.smt2; coax dump smt %t/run.path | cmp - %t/ran.smt2
;; $ cd %t && coax dump path run.path --json | head -n 16
;; | {
;; |   "tool": "coax",
;; |   "version": "[version]",
;; |   "command": "dump path",
;; |   "program": "run.path",
;; |   "inputs": [],
;; |   "events": [
;; |     {
;; |       "function": null,
;; |       "location": null,
;; |       "site": null,
;; |       "offset": 52,
;; |       "kind": "branch",
;; |       "direction": "0",
;; |       "constrains": true,
;; |       "condition": "(ule 10:32 (add param0 param1))"
;; $ cd %t && head -n 5 run.path > cut.path; coax dump smt cut.path
;; ! error: cut.path: the path is cut off: its last line is not `end` with the number of events. Write or copy it again.
;; $ cd %t && sed 's/^coax path 1$/coax path 9/' run.path > new.path; coax dump path new.path
;; ! error: new.path: this path is written in form 9, and this coax reads only form 1. Write the path again with this coax.
;; $ cd %t && sed 's/param1:32/param1:8/' run.path > narrow.path; coax dump path narrow.path
;; ! error: narrow.path: line 4: column 5: `add` has operands of 32 and 8 bits. Extend the narrower one, e.g. with `zext`.
;; $ cd %t && sed 's/^(\$1/($7/' run.path > forward.path; coax dump path forward.path
;; ! error: forward.path: line 5: column 26: `$1` has no meaning yet. Name it in a `let` before.
;; $ cd %t && printf 'coax path 1\n\377\n' > bytes.path; coax dump path bytes.path
;; ! error: bytes.path: the path is not all text; write or copy it again
;; $ cd %t && coax dump path run.path --param 3
;; ! error: the path was recorded already; leave `--entry` and the program's input out, or name the program
;; $ coax dump ir % --format data
;; ! error: only `path` can be written as data; leave `--format` out
;; $ coax dump smt % --param 3 --param 8 --format data
;; ! error: an SMT-LIB script has one form; leave `--format` out
;; $ coax dump path % --param 3 --param 8 --format data --json
;; ! error: data is no JSON; leave out `--json` or `--format`
;; $ cd %t && coax replay run.path
;; ! error: run.path is not a program coax knows. Give a .wasm, .wat, .c, .cc, .cpp, .cxx, .o, .a or .rs file, a compile_commands.json, a Cargo.toml, or a directory with one of the two.
