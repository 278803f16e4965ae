;; Files that are empty, directories, no text or oddly named.
;; RUN: : > %t/empty.wat; : > %t/empty.wasm; : > %t/empty.json; : > %t/empty.rs; mkdir %t/folder.wat %t/folder
;; RUN: for f in empty.wat empty.wasm empty.json folder.wat folder nothing.wat; do coax replay %t/$f; echo $?; done 2>&1
;; RUN: for f in empty.json folder nothing.json; do coax replay % --test %t/$f; echo $?; done 2>&1
;; RUN: printf '\377' > %t/bytes.json; coax replay % --test %t/bytes.json; coax explain %t/bytes.json; coax solve %t/bytes.json
;; EXIT: 2
;; RUN: name=$(printf '\303\244\377 b.wat'); cp % "%t/$name"; coax replay "%t/$name" --param 1
;; RUN: long=$(printf '%05000d' 0); { for o in "$long.wat" "% --entry f$long" "% --param $long"; do coax replay $o; echo $?; done; coax cover % --out %t/$long; } 2>&1 | sed 's/0000*/0…0/'
(module (func (export "f") (param i32)))

;; OUTPUT
;; $ : > %t/empty.wat; : > %t/empty.wasm; : > %t/empty.json; : > %t/empty.rs; mkdir %t/folder.wat %t/folder
;; $ for f in empty.wat empty.wasm empty.json folder.wat folder nothing.wat; do coax replay %t/$f; echo $?; done 2>&1
;; | expected at least one module field
;; |      --> [t]/empty.wat:1:1
;; |       |
;; |     1 |
;; |       | ^
;; | error: [t]/empty.wat is not a valid text module. Correct it at the place named above.
;; | 2
;; | error: [t]/empty.wasm: this is not a WebAssembly module: it does not begin with the bytes `\0asm`; check that it is the right file
;; | 2
;; | error: [t]/empty.json cannot be used: EOF while parsing a value at line 1 column 0. Let the build system write it again.
;; | 2
;; | error: [t]/folder.wat is not a program coax knows. Give a .wasm, .wat, .c, .cc, .cpp, .cxx, .o, .a or .rs file, a compile_commands.json, a Cargo.toml, or a directory with one of the two.
;; | 2
;; | error: [t]/folder is not a program coax knows. Give a .wasm, .wat, .c, .cc, .cpp, .cxx, .o, .a or .rs file, a compile_commands.json, a Cargo.toml, or a directory with one of the two.
;; | 2
;; | error: [t]/nothing.wat cannot be read: No such file or directory (os error 2). Check the path and its permissions.
;; | 2
;; $ for f in empty.json folder nothing.json; do coax replay % --test %t/$f; echo $?; done 2>&1
;; | error: [t]/empty.json is not a test: EOF while parsing a value at line 1 column 0.
;; | `coax replay --help` shows what a test looks like.
;; | 2
;; | error: there is no test (.json) in [t]/folder; name a directory with tests
;; | 2
;; | error: cannot read [t]/nothing.json: No such file or directory (os error 2)
;; | 2
;; $ printf '\377' > %t/bytes.json; coax replay % --test %t/bytes.json; coax explain %t/bytes.json; coax solve %t/bytes.json
;; ! error: cannot read [t]/bytes.json: it is not text (UTF-8)
;; ! error: cannot read [t]/bytes.json/report.json; name the directory that `coax cover` wrote: Not a directory (os error 20)
;; ! error: cannot read [t]/bytes.json: it is not text (UTF-8)
;; $ name=$(printf '\303\244\377 b.wat'); cp % "%t/$name"; coax replay "%t/$name" --param 1
;; | ok    run: returned
;; $ long=$(printf '%05000d' 0); { for o in "$long.wat" "% --entry f$long" "% --param $long"; do coax replay $o; echo $?; done; coax cover % --out %t/$long; } 2>&1 | sed 's/0000*/0…0/'
;; | error: 0…0.wat cannot be read: File name too long (os error 36). Check the path and its permissions.
;; | 2
;; | error: there is no function `f0…0` to call.
;; | Name one of the exported functions as the entry: `f`.
;; | 2
;; | ok    run: returned
;; | 0
;; | error: cannot open [t]/0…0: File name too long (os error 36)
