;; A case file: an input, the commands to run on it, and what they print.
;;
;; The leading comment lines hold directives; what is no directive, like this text, is for the
;; reader. Comments are those of the file's own language: `;;` here, `//` in C, C++ and Rust, `#` in
;; all else, so that the file itself is the program that coax is given.
;;
;;     RUN       a shell command. `%` is the name of this file, of which there is a copy in the
;;               working directory, `%t` a directory for what the commands need in passing, `%root`
;;               the repository. There may be several; they run in order.
;;     EXIT      the exit code of the command above, if it is not 0
;;     WITH      other files beside this one that the commands need; a file without RUN only serves others
;;     REQUIRES  what this machine must have, else the case is skipped: `clang` (with wasi-libc),
;;               `rust-wasm` (the target wasm32-wasip1), or any program, such as `clang-22` or `dot`.
;;               With CI=true or COAX_STRICT=1 it fails if `scripts/test` should have installed that
;;     LEAVES    files that the commands are meant to leave in the working directory. Anything else
;;               left there, or among the temporary files, is a failure
;;     CACHE     `untouched`: the user's cache directory starts empty and must have no file in the end
;;
;; The file ends with the expected transcript: each command after `$`, its standard output after
;; `|`, its standard error after `!`. `BLESS=1 cargo test --test cases` rewrites it. Paths of the
;; machine, coax's version and times are replaced by placeholders such as `[dir]`, `[root]`, `[time]`.

;; RUN: coax --version
;; RUN: head -n 1 %; echo a complaint >&2; exit 3
;; EXIT: 3

(module
  (func (export "answer") (result i32)
    i32.const 42))

;; OUTPUT
;; $ coax --version
;; | coax [version]
;; $ head -n 1 %; echo a complaint >&2; exit 3
;; | ;; A case file: an input, the commands to run on it, and what they print.
;; ! a complaint
