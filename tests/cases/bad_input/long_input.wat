;; A symbolic input that is longer than any may be, and sizes that are none.
;; RUN: coax dump path % --sym-stdin 9999999999999999
;; EXIT: 2
;; RUN: coax dump path % --sym-arg 2000000
;; EXIT: 2
;; RUN: coax dump path % --sym-file a:many
;; EXIT: 2
;; RUN: coax dump path % --sym-file a
;; EXIT: 2
(module (func (export "f")))

;; OUTPUT
;; $ coax dump path % --sym-stdin 9999999999999999
;; ! error: --sym-stdin: 9999999999999999 bytes are more than the 1048576 that a symbolic input may have; ask for fewer, or raise `--max-len`
;; $ coax dump path % --sym-arg 2000000
;; ! error: --sym-arg: 2000000 bytes are more than the 1048576 that a symbolic input may have; ask for fewer, or raise `--max-len`
;; $ coax dump path % --sym-file a:many
;; ! error: --sym-file: `many` is not a number of bytes; write it as `a:16`
;; $ coax dump path % --sym-file a
;; ! error: --sym-file: `a` is not NAME:BYTES; write both, with `:` between them, or give the file with `--file`
