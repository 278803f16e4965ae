;; A baseline that is none is no empty one: all failures would be new, or none. It stays as it is.
;; RUN: for text in '' nonsense '[]' '{}' '{"failures": 5}' '{"failures": ["f"]}' '{"failures": [{"kind": "abort"}]}' '{"failures": [{"kind": 1, "function": "f"}]}'; do printf '%s' "$text" > %t/known.json; coax cover % --baseline %t/known.json --out %t/out; echo $?; test "$text" = "$(cat %t/known.json)" || echo changed; done
;; RUN: coax cover % --baseline %t --out %t/out
;; EXIT: 2
;; RUN: echo '{"failures": []}' > %t/known.json; coax cover % --baseline %t/known.json --out %t/out > %t/said
;; EXIT: 1
(module (func (export "f") (param i32)
  (if (i32.eq (local.get 0) (i32.const 7)) (then unreachable))))

;; OUTPUT
;; $ for text in '' nonsense '[]' '{}' '{"failures": 5}' '{"failures": ["f"]}' '{"failures": [{"kind": "abort"}]}' '{"failures": [{"kind": 1, "function": "f"}]}'; do printf '%s' "$text" > %t/known.json; coax cover % --baseline %t/known.json --out %t/out; echo $?; test "$text" = "$(cat %t/known.json)" || echo changed; done
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; ! error: [t]/known.json is not a baseline; remove it, and the next search writes one: EOF while parsing a value at line 1 column 0
;; ! error: [t]/known.json is not a baseline; remove it, and the next search writes one: expected ident at line 1 column 2
;; ! error: [t]/known.json is not a baseline; remove it, and the next search writes one: it has no list `failures`
;; ! error: [t]/known.json is not a baseline; remove it, and the next search writes one: it has no list `failures`
;; ! error: [t]/known.json is not a baseline; remove it, and the next search writes one: it has no list `failures`
;; ! error: [t]/known.json is not a baseline; remove it, and the next search writes one: `failures[0]` has no `kind` and `function`
;; ! error: [t]/known.json is not a baseline; remove it, and the next search writes one: `failures[0]` has no `kind` and `function`
;; ! error: [t]/known.json is not a baseline; remove it, and the next search writes one: `failures[0]` has no `kind` and `function`
;; $ coax cover % --baseline %t --out %t/out
;; ! error: cannot read [t]: it is a directory, not a file
;; $ echo '{"failures": []}' > %t/known.json; coax cover % --baseline %t/known.json --out %t/out > %t/said
;; ! note: 1 of the failures are not in [t]/known.json
