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
;; | digraph "control flow" {
;; |   node [shape=box, fontname=monospace]
;; |   edge [fontname=monospace]
;; |   subgraph cluster_fn0 {
;; |   label="fn0 max"
;; |   fn0_block0 [label="block0 (1 instructions)\nsite0\n", peripheries=1]
;; |   fn0_block0 -> fn0_block2 [label="false"]
;; |   fn0_block0 -> fn0_block1 [label="true"]
;; |   fn0_block1 [label="block1 (0 instructions)\n", peripheries=1]
;; |   fn0_block1 -> fn0_block3 [label=""]
;; |   fn0_block2 [label="block2 (0 instructions)\n", peripheries=1]
;; |   fn0_block2 -> fn0_block3 [label=""]
;; |   fn0_block3 [label="block3 (0 instructions)\n", peripheries=1]
;; |   }
;; | }
;; $ coax dump cfg % --format svg | grep -c '<svg'
;; | 1
