;; What is wrong with an input is told before anything is written.
;; RUN: coax cover % --stub x.z=5 --out %t/out
;; EXIT: 2
;; RUN: ls %t
(module (func (export "f")))

;; OUTPUT
;; $ coax cover % --stub x.z=5 --out %t/out
;; ! error: the program does not import `x.z`.
;; ! Leave the stub out; `coax dump functions --all` lists the imports.
;; $ ls %t
