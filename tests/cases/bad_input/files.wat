;; Files that are empty, directories, no text or oddly named.
;; RUN: : > %t/empty.wat; : > %t/empty.wasm; : > %t/empty.json; : > %t/empty.rs; mkdir %t/folder.wat %t/folder
;; RUN: for f in empty.wat empty.wasm empty.json folder.wat folder nothing.wat; do coax replay %t/$f; echo $?; done 2>&1
;; RUN: for f in empty.json folder nothing.json; do coax replay % --test %t/$f; echo $?; done 2>&1
;; RUN: printf '\377' > %t/bytes.json; coax replay % --test %t/bytes.json; coax explain %t/bytes.json; coax solve %t/bytes.json
;; EXIT: 2
;; RUN: name=$(printf '\303\244\377 b.wat'); cp % "%t/$name"; coax replay "%t/$name" --param 1
;; RUN: long=$(printf '%05000d' 0); for o in "$long.wat" "% --entry f$long" "% --param $long" "% --out %t/$long"; do coax cover $o --out %t/out; echo $?; done 2>&1 | sed 's/0000*/0…0/'
(module (func (export "f") (param i32)))
