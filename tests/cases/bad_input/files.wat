;; Files that are empty, directories, unreadable or oddly named.
;; RUN: : > %t/empty.wat; : > %t/empty.wasm; : > %t/empty.json; : > %t/empty.rs; mkdir %t/folder.wat %t/folder; echo '(module (func (export "f")))' > "$(printf '%%t/\303\244\377 b.wat')"
;; RUN: for f in empty.wat empty.wasm empty.json folder.wat folder nothing.wat; do echo "--- $f"; coax replay %t/$f; echo $?; done 2>&1
;; RUN: coax replay "$(printf '%%t/\303\244\377 b.wat')" 2>&1
;; RUN: for f in empty.json folder nothing.json; do echo "--- $f"; coax replay % --test %t/$f; echo $?; done 2>&1
;; RUN: printf '\377' > %t/bytes.json; coax replay % --test %t/bytes.json; coax explain %t/bytes.json; coax solve %t/bytes.json
;; EXIT: 2
;; RUN: long=$(printf '%05000d' 0); coax replay $long.wat 2>&1 | sed 's/0000*/0…0/'; coax replay % --entry f$long 2>&1 | sed 's/0000*/0…0/'; coax cover % --out %t/$long 2>&1 | sed 's/0000*/0…0/'
(module (func (export "f") (param i32)))
