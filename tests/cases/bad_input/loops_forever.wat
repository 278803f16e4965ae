;; An endless loop ends when its fuel does, deterministically, or when its time is over.
;; CACHE: untouched
;; RUN: coax replay % --fuel 100000
;; EXIT: 1
;; RUN: coax replay % --time 0s > %t/out
;; EXIT: 1
;; RUN: sed 's/ at .*//' %t/out

(module
  (func (export "_start")
    (loop $for_ever (br $for_ever))))

;; OUTPUT
;; $ coax replay % --fuel 100000
;; | FAIL  run: ran out of fuel at offset 0x23 in _start
;; |       limit met: fuel; `--fuel` raises it
;; $ coax replay % --time 0s > %t/out
;; $ sed 's/ at .*//' %t/out
;; | FAIL  run: ran out of time
;; |       limit met: time; `--time` raises it
