;; A disk that is full: the report of an earlier search stays, and no half of a new one is there. (Files may have 512 bytes here.)
;; RUN: coax cover % --max-runs 1 --no-mutate --out %t/out > %t/said; cp %t/out/report.json %t/before.json
;; RUN: trap '' XFSZ; ulimit -f 1; coax cover % --max-runs 2 --no-mutate --out %t/out
;; EXIT: 2
;; RUN: cmp %t/out/report.json %t/before.json && ls -A %t/out
;; RUN: trap '' XFSZ; ulimit -f 1; coax cover % --max-runs 2 --no-mutate --out %t/new
;; EXIT: 2
;; RUN: ls -A %t/new; coax explain %t/new
;; EXIT: 2
;; RUN: coax cover % --max-runs 2 --no-mutate --out %t/new | tail -n 1; ls -A %t/new
;; RUN: trap '' XFSZ; ulimit -f 1; coax replay % --stdin % --save %t/saved.json > %t/said
;; EXIT: 2
;; RUN: ls %t
(module (func (export "f") (param i32) (result i32)
  (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const 1))))
  (i32.const 0)))

;; OUTPUT
;; $ coax cover % --max-runs 1 --no-mutate --out %t/out > %t/said; cp %t/out/report.json %t/before.json
;; $ trap '' XFSZ; ulimit -f 1; coax cover % --max-runs 2 --no-mutate --out %t/out
;; ! error: cannot write the journal: File too large (os error 27)
;; $ cmp %t/out/report.json %t/before.json && ls -A %t/out
;; | coax.lock
;; | journal
;; | lines.json
;; | report.json
;; | tests
;; $ trap '' XFSZ; ulimit -f 1; coax cover % --max-runs 2 --no-mutate --out %t/new
;; ! error: cannot write the journal: File too large (os error 27)
;; $ ls -A %t/new; coax explain %t/new
;; | coax.lock
;; | journal
;; | tests
;; ! error: [t]/new/report.json is not there yet; let `coax cover` finish
;; $ coax cover % --max-runs 2 --no-mutate --out %t/new | tail -n 1; ls -A %t/new
;; | Tests are in [t]/new/tests.
;; | coax.lock
;; | journal
;; | lines.json
;; | report.json
;; | tests
;; $ trap '' XFSZ; ulimit -f 1; coax replay % --stdin % --save %t/saved.json > %t/said
;; ! note: `f` is given zeros: `--param` gives it something else
;; ! error: cannot write [t]/saved.json; name a file in a directory that exists: File too large (os error 27)
;; $ ls %t
;; | before.json
;; | new
;; | out
;; | said
