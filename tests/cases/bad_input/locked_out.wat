;; Two searches never write to one directory. The lock is the kernel's: it is gone with the process that had it, however that ended.
;; RUN: coax cover % --out %t/out > %t/said; cp -r %t/out %t/before
;; RUN: flock %t/out/coax.lock -c 'coax cover % --seed 2 --out %t/out'
;; EXIT: 2
;; RUN: diff -r %t/out %t/before && echo nothing has changed
;; RUN: flock %t/out/coax.lock -c 'coax explain %t/out'
;; RUN: { sh -c 'exec 9<%t/out/coax.lock; flock 9; kill -9 $$'; } 2> %t/said; coax cover % --seed 2 --out %t/out | tail -n 1
(module (func (export "f") (param i32) (result i32)
  (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const 1))))
  (i32.const 0)))

;; OUTPUT
;; $ coax cover % --out %t/out > %t/said; cp -r %t/out %t/before
;; $ flock %t/out/coax.lock -c 'coax cover % --seed 2 --out %t/out'
;; ! error: another coax is writing to [t]/out; wait for it, or name another directory with `--out`
;; $ diff -r %t/out %t/before && echo nothing has changed
;; | nothing has changed
;; $ flock %t/out/coax.lock -c 'coax explain %t/out'
;; | all branches are covered
;; $ { sh -c 'exec 9<%t/out/coax.lock; flock 9; kill -9 $$'; } 2> %t/said; coax cover % --seed 2 --out %t/out | tail -n 1
;; | Tests are in [t]/out/tests.
;; ! note: 2 tests of an earlier search, which was another one, are removed
