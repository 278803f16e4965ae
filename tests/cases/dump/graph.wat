;; The control-flow graph for Graphviz, and drawn by it.
;; REQUIRES: dot
;; RUN: coax dump cfg % --format dot
;; RUN: coax dump cfg % --format svg | grep -c '<svg'

(module
  (func (export "max") (param i32 i32) (result i32)
    (if (result i32) (i32.gt_s (local.get 0) (local.get 1))
      (then (local.get 0))
      (else (local.get 1)))))

;; OUTPUT
;; $ coax dump cfg % --format dot
;; | digraph "fn0 max" {
;; |   node [shape=box, fontname=monospace]
;; |   edge [fontname=monospace]
;; |   block0 [label="block0 (1 instructions)\nsite0\n", peripheries=1]
;; |   block0 -> block2 [label="false"]
;; |   block0 -> block1 [label="true"]
;; |   block1 [label="block1 (0 instructions)\n", peripheries=1]
;; |   block1 -> block3 [label=""]
;; |   block2 [label="block2 (0 instructions)\n", peripheries=1]
;; |   block2 -> block3 [label=""]
;; |   block3 [label="block3 (0 instructions)\n", peripheries=1]
;; | }
;; $ coax dump cfg % --format svg | grep -c '<svg'
;; | 1
