;; Preparing looks at the memory, too: what cannot be prepared within it ends before anything is written.
;; RUN: coax cover % --entry f --max-memory 1M --out %t/out; echo $?; test -e %t/out || echo nothing
;; RUN: coax cover % --entry f --total-time 0s --out %t/out; echo $?; test -e %t/out || echo nothing

(module (func (export "f") (param i32) (result i32) (i32.eqz (local.get 0))))

;; OUTPUT
;; $ coax cover % --entry f --max-memory 1M --out %t/out; echo $?; test -e %t/out || echo nothing
;; | 2
;; | nothing
;; ! error: the memory was used up before the search began, nothing was written; give more (`--max-memory`)
;; $ coax cover % --entry f --total-time 0s --out %t/out; echo $?; test -e %t/out || echo nothing
;; | 2
;; | nothing
;; ! error: the time was over before the search began, nothing was written; give more (`--total-time`)
