;; The module wants functions that nobody provides: all of them are named at once.
;; CACHE: untouched
;; RUN: coax replay %
;; EXIT: 2

(module
  (import "env" "open_door" (func (param i32)))
  (import "env" "close_door" (func (param i32) (result i32)))
  (import "spaceship" "fuel" (global i64))
  (func (export "_start")))

;; OUTPUT
;; $ coax replay %
;; ! error: nobody provides what the program imports: `env.open_door`, `env.close_door`, `spaceship.fuel`.
;; ! Link the libraries that define them, or say what they answer with `--stub NAME=VALUE` or `--stub NAME=unknown`; `--stub-missing` says unknown of all.
