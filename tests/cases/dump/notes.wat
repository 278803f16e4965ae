;; What is said beside the result: flags without effect, hashes that know addresses, missing debug information.
;; RUN: coax dump functions -O 2 --ubsan %
;; RUN: coax dump cfg --function f %

(module
  (@custom "external_debug_info" "\0aother.wasm")
  (func $f (export "f")))

;; OUTPUT
;; $ coax dump functions -O 2 --ubsan %
;; | fn0 f  1 blocks, 0 sites, hash e5ece603926e2ee90e2f6c237eac6211
;; ! note: the program is already compiled, so this has no effect: -O, --ubsan
;; ! note: the hashes change whenever addresses do: the module has no relocations; link with `--emit-relocs`
;; ! note: the debug information is in a separate file, which is not read: link without splitting it off
;; $ coax dump cfg --function f %
;; | fn0 f
;; |   block0 -> leaves
;; ! note: the debug information is in a separate file, which is not read: link without splitting it off
