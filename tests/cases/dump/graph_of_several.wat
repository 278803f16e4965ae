;; Several functions are one graph, so that what Graphviz draws is one picture.
;; RUN: coax dump cfg % --format dot
;; REQUIRES: dot
;; RUN: coax dump cfg % --format svg > %t/svg
;; RUN: grep -c '<svg' %t/svg

(module
  (func $first (export "first") (param i32) (result i32)
    (if (result i32) (local.get 0) (then (i32.const 1)) (else (i32.const 2))))
  (func $second (export "second")))

;; OUTPUT
;; $ coax dump cfg % --format dot
;; | digraph "control flow" {
;; |   node [shape=box, fontname=monospace]
;; |   edge [fontname=monospace]
;; |   subgraph cluster_fn0 {
;; |   label="fn0 first"
;; |   fn0_block0 [label="block0 (0 instructions)\nsite0\n", peripheries=1]
;; |   fn0_block0 -> fn0_block2 [label="false"]
;; |   fn0_block0 -> fn0_block1 [label="true"]
;; |   fn0_block1 [label="block1 (1 instructions)\n", peripheries=1]
;; |   fn0_block1 -> fn0_block3 [label=""]
;; |   fn0_block2 [label="block2 (1 instructions)\n", peripheries=1]
;; |   fn0_block2 -> fn0_block3 [label=""]
;; |   fn0_block3 [label="block3 (0 instructions)\n", peripheries=1]
;; |   }
;; |   subgraph cluster_fn1 {
;; |   label="fn1 second"
;; |   fn1_block0 [label="block0 (0 instructions)\n", peripheries=1]
;; |   }
;; | }
;; $ coax dump cfg % --format svg > %t/svg
;; $ grep -c '<svg' %t/svg
;; | 1
