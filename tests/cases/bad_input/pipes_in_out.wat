;; A pipe, a device or a directory below `--out` where a file is expected stops nothing and is not waited for.
;; RUN: coax cover % --out %t/out > %t/said
;; RUN: for f in journal report.json lines.json coax.lock; do rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/$f; mkfifo %t/o/$f; coax cover % --out %t/o; echo $?; done
;; RUN: for f in journal report.json coax.lock; do rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/$f; ln -s /dev/zero %t/o/$f; coax cover % --out %t/o; echo $?; done
;; RUN: rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/journal; mkdir %t/o/journal; coax cover % --out %t/o
;; EXIT: 2
;; RUN: rm -rf %t/o; cp -r %t/out %t/o; rm -r %t/o/tests; echo > %t/o/tests; coax cover % --out %t/o
;; EXIT: 2
;; RUN: rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/report.json; mkfifo %t/o/report.json; coax explain %t/o
;; EXIT: 2
;; RUN: echo > %t/mine; coax cover % --out %t/mine
;; EXIT: 2
;; RUN: sed -i '2s/.*/damaged/' %t/out/journal; rm %t/out/report.json; coax cover % --out %t/out | tail -n 1
(module (func (export "f") (param i32) (result i32) (i32.eqz (local.get 0))))

;; OUTPUT
;; $ coax cover % --out %t/out > %t/said
;; $ for f in journal report.json lines.json coax.lock; do rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/$f; mkfifo %t/o/$f; coax cover % --out %t/o; echo $?; done
;; | 2
;; | 2
;; | 2
;; | 2
;; ! error: [t]/o/journal is a pipe or a device, not a file; remove it, or name another directory with `--out`
;; ! error: [t]/o/report.json is a pipe or a device, not a file; remove it, or name another directory with `--out`
;; ! error: [t]/o/lines.json is a pipe or a device, not a file; remove it, or name another directory with `--out`
;; ! error: [t]/o/coax.lock is a pipe or a device, not a file; remove it, or name another directory with `--out`
;; $ for f in journal report.json coax.lock; do rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/$f; ln -s /dev/zero %t/o/$f; coax cover % --out %t/o; echo $?; done
;; | 2
;; | 2
;; | 2
;; ! error: [t]/o/journal is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; ! error: [t]/o/report.json is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; ! error: [t]/o/coax.lock is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; $ rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/journal; mkdir %t/o/journal; coax cover % --out %t/o
;; ! error: [t]/o/journal is a directory, not a file; remove it, or name another directory with `--out`
;; $ rm -rf %t/o; cp -r %t/out %t/o; rm -r %t/o/tests; echo > %t/o/tests; coax cover % --out %t/o
;; ! error: [t]/o/tests is a file, not a directory; remove it, or name another directory with `--out`
;; $ rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/report.json; mkfifo %t/o/report.json; coax explain %t/o
;; ! error: cannot read [t]/o/report.json; name the directory that `coax cover` wrote: it is a pipe or a device, not a file
;; $ echo > %t/mine; coax cover % --out %t/mine
;; ! error: [t]/mine is no directory; name another one with `--out`
;; $ sed -i '2s/.*/damaged/' %t/out/journal; rm %t/out/report.json; coax cover % --out %t/out | tail -n 1
;; | Tests are in [t]/out/tests.
