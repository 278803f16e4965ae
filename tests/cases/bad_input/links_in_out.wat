;; What is below `--out` is never reached through a link: a directory of results may come with a cache or a checkout. What links lead to stays as it
;; is. The directory itself may be a link, if the user names it.
;; RUN: coax cover % --out %t/out > %t/said; echo precious > %t/mine; mkdir %t/empty
;; RUN: for f in journal report.json lines.json samples.json emitted.json coax.lock tests/mine.json; do rm -rf %t/o; cp -r %t/out %t/o; ln -sf %t/mine %t/o/$f; coax cover % --out %t/o; echo $?; done
;; RUN: for f in tests html; do rm -rf %t/o; cp -r %t/out %t/o; rm -rf %t/o/$f; ln -s %t/empty %t/o/$f; coax cover % --out %t/o --emit html; echo $?; done
;; RUN: rm -rf %t/o; cp -r %t/out %t/o; coax cover % --out %t/o --emit html > %t/said; ln -sf %t/mine %t/o/html/index.html; coax cover % --out %t/o --emit html
;; EXIT: 2
;; RUN: rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/journal; ln %t/mine %t/o/journal; coax cover % --out %t/o
;; EXIT: 2
;; RUN: ln -f %t/mine %t/out/lines.json; coax cover % --out %t/out > %t/said; cat %t/out/lines.json
;; RUN: cat %t/mine; ls %t/empty
;; RUN: ln -s %t/empty %t/link; coax cover % --out %t/link > %t/said; ls %t/empty
;; RUN: ln -s %t/link coax-out; coax cover %; echo $?; rm coax-out
;; RUN: mkdir %t/several; ln -s %t/empty %t/several/sound; coax cover % --unknown inner --compare --out %t/several > %t/said
;; EXIT: 2
;; RUN: ln -s %t/nowhere %t/known.json; coax cover % --baseline %t/known.json --out %t/b > %t/said
;; EXIT: 2
;; RUN: ls %t/nowhere
;; EXIT: 2
(module
  (func $inner (param i32) (result i32) (i32.mul (local.get 0) (local.get 0)))
  (func (export "f") (param i32) (result i32)
    (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const 1))))
    (call $inner (local.get 0))))

;; OUTPUT
;; $ coax cover % --out %t/out > %t/said; echo precious > %t/mine; mkdir %t/empty
;; $ for f in journal report.json lines.json samples.json emitted.json coax.lock tests/mine.json; do rm -rf %t/o; cp -r %t/out %t/o; ln -sf %t/mine %t/o/$f; coax cover % --out %t/o; echo $?; done
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; ! error: [t]/o/journal is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; ! error: [t]/o/report.json is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; ! error: [t]/o/lines.json is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; ! error: [t]/o/samples.json is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; ! error: [t]/o/emitted.json is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; ! error: [t]/o/coax.lock is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; ! error: [t]/o/tests/mine.json is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; $ for f in tests html; do rm -rf %t/o; cp -r %t/out %t/o; rm -rf %t/o/$f; ln -s %t/empty %t/o/$f; coax cover % --out %t/o --emit html; echo $?; done
;; | 2
;; | 2
;; ! error: [t]/o/tests is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; ! error: [t]/o/html is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; $ rm -rf %t/o; cp -r %t/out %t/o; coax cover % --out %t/o --emit html > %t/said; ln -sf %t/mine %t/o/html/index.html; coax cover % --out %t/o --emit html
;; ! error: [t]/o/html/index.html is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; $ rm -rf %t/o; cp -r %t/out %t/o; rm %t/o/journal; ln %t/mine %t/o/journal; coax cover % --out %t/o
;; ! error: [t]/o/journal has another name somewhere (a hard link); remove it, or name another directory with `--out`
;; $ ln -f %t/mine %t/out/lines.json; coax cover % --out %t/out > %t/said; cat %t/out/lines.json
;; | {}
;; $ cat %t/mine; ls %t/empty
;; | precious
;; $ ln -s %t/empty %t/link; coax cover % --out %t/link > %t/said; ls %t/empty
;; | coax.lock
;; | journal
;; | lines.json
;; | report.json
;; | tests
;; $ ln -s %t/link coax-out; coax cover %; echo $?; rm coax-out
;; | 2
;; ! error: coax-out is a link, which may lead anywhere; name the directory that you mean with `--out`
;; $ mkdir %t/several; ln -s %t/empty %t/several/sound; coax cover % --unknown inner --compare --out %t/several > %t/said
;; ! error: [t]/several/sound is a link, which may lead anywhere; remove it, or name another directory with `--out`
;; $ ln -s %t/nowhere %t/known.json; coax cover % --baseline %t/known.json --out %t/b > %t/said
;; ! error: cannot read [t]/known.json: No such file or directory (os error 2)
;; $ ls %t/nowhere
;; ! ls: cannot access '[t]/nowhere': No such file or directory
