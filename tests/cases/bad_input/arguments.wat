;; Inputs that contradict themselves or the function.
;; RUN: coax replay % --entry f --param '{"name":"buf","bytes":"abc"}' --param '{"name":"len","length_of":"bug"}'
;; EXIT: 2
;; RUN: coax replay % --entry f --param '{"i32":1}' --param '{"name":"len","length_of":"param0"}'
;; EXIT: 2
;; RUN: coax replay % --entry f --param '{"name":"p","pointer":{"size":4,"fields":[{"name":"x","at":2,"i32":1}]}}' --param 1
;; EXIT: 2
;; RUN: coax replay % --entry f --param '{"name":"p","pointer":{"size":8,"fields":[{"name":"x","at":0,"i32":1},{"name":"y","at":2,"i16":1}]}}' --param 1
;; EXIT: 2
;; RUN: coax replay % --entry f --param '{"name":"p","pointer":{"size":5000000000}}' --param 1
;; EXIT: 2
;; RUN: coax replay % --entry f --param '{"name":"p","pointer":{"size":100000}}' --param 1
;; EXIT: 2
;; RUN: coax replay % --entry f --param '{"name":"x","i32":1}' --param '{"name":"x","i32":2}'
;; EXIT: 2
;; RUN: coax replay % --entry g --param '{"bytes":"abc"}'
;; EXIT: 2
;; RUN: coax replay % --entry f --param '{"bytes":5}' --param 1
;; EXIT: 2
;; RUN: coax replay % --entry f --param '{"i32":1,"i64":1}' --param 1
;; EXIT: 2

(module
  (memory 1 2)
  (func $f (param i32 i32) (result i32) (local.get 0))
  (func $g (param i64)))

;; OUTPUT
;; $ coax replay % --entry f --param '{"name":"buf","bytes":"abc"}' --param '{"name":"len","length_of":"bug"}'
;; ! error: the input of `f` is wrong: `len` is the length of `bug`, but nothing beside it that has a length is called so.
;; ! Name one of: `buf`.
;; $ coax replay % --entry f --param '{"i32":1}' --param '{"name":"len","length_of":"param0"}'
;; ! error: the input of `f` is wrong: `len` is the length of `param0`, but nothing beside it that has a length is called so.
;; ! Write a number instead.
;; $ coax replay % --entry f --param '{"name":"p","pointer":{"size":4,"fields":[{"name":"x","at":2,"i32":1}]}}' --param 1
;; ! error: the input of `f` is wrong: `p.x` is 4 bytes at 2, outside of its object of 4 bytes.
;; ! Correct its "at" or the object's "size".
;; $ coax replay % --entry f --param '{"name":"p","pointer":{"size":8,"fields":[{"name":"x","at":0,"i32":1},{"name":"y","at":2,"i16":1}]}}' --param 1
;; ! error: the input of `f` is wrong: `p.y` and `p.x` share bytes.
;; ! Correct one's "at", or leave one out.
;; $ coax replay % --entry f --param '{"name":"p","pointer":{"size":5000000000}}' --param 1
;; ! error: the input of `f` is wrong: `p` needs 5000000000 bytes, but only 1073741824 of the memory that a program may have are left.
;; ! Make it smaller, or raise the limit.
;; $ coax replay % --entry f --param '{"name":"p","pointer":{"size":100000}}' --param 1
;; ! error: the program has no room for 100000 bytes that its parameters point to.
;; ! Make them smaller, or raise the limit of memory.
;; $ coax replay % --entry f --param '{"name":"x","i32":1}' --param '{"name":"x","i32":2}'
;; ! error: the input of `f` is wrong: two of its inputs are called `x`.
;; ! Give one of them another name.
;; $ coax replay % --entry g --param '{"bytes":"abc"}'
;; ! error: `g` takes (i64), but was given (a pointer).
;; ! Give each parameter once, in order.
;; $ coax replay % --entry f --param '{"bytes":5}' --param 1
;; ! error: --param: `{"bytes":5}` is no parameter in JSON: "bytes": invalid type: integer `5`, expected a string, or {"hex": "…"} for bytes that are not text
;; $ coax replay % --entry f --param '{"i32":1,"i64":1}' --param 1
;; ! error: --param: `{"i32":1,"i64":1}` is no parameter in JSON: an argument needs exactly one value: a number like "i32", "bytes", "string", "length_of" or "pointer"
