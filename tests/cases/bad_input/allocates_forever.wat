;; A program that takes all the memory it gets is refused more; it is told so as wasm tells it, and the limit is named.
;; CACHE: untouched
;; RUN: coax replay % --max-memory 1M
;; RUN: coax replay % --max-memory 1M --entry until_it_breaks
;; EXIT: 1

(module
  (memory 1)
  (func (export "_start")
    (loop $more (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))))
  (func (export "until_it_breaks")
    (loop $more
      (if (i32.eq (memory.grow (i32.const 1)) (i32.const -1)) (then (unreachable)))
      (br $more))))

;; OUTPUT
;; $ coax replay % --max-memory 1M
;; | ok    run: returned
;; |       limit met: memory; `--max-memory` raises it
;; $ coax replay % --max-memory 1M --entry until_it_breaks
;; | FAIL  run: trapped: unreachable at offset 0x55 in until_it_breaks
;; |       limit met: memory; `--max-memory` raises it
