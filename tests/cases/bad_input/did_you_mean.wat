;; A function that is not there: the nearest names.
;; RUN: for name in clasify CLASSIFY classfiy parse scan_nubmer a.c:scannumber json::reader::prase xml::prase 'prase(int)' reader; do coax replay % --entry "$name"; echo $?; done 2>&1
;; RUN: coax replay % --entry qqqqqq
;; EXIT: 2
;; RUN: coax cover % --entry classify --unknown scan_numbr --out %t/out
;; EXIT: 2
;; RUN: coax reach % --entry classify --target scan_numbr --out %t/out
;; EXIT: 2
;; RUN: coax reach % --entry classify --target scannumber:trap --out %t/out
;; EXIT: 2
;; RUN: coax dump ir % --function scan_numbr
;; EXIT: 2
;; RUN: ls %t
(module
  (func (export "classify") (param i32) (result i32) (call $scan_number (local.get 0)))
  (func $scan_number (param i32) (result i32) (local.get 0))
  (func $parse_number (export "parse_number"))
  (func $parse_word (export "parse_word"))
  (func $parse_line (export "parse_line"))
  (func $parse_everything (export "parse_everything"))
  (func $"deep::json::reader::parse(int)"))

;; OUTPUT
;; $ for name in clasify CLASSIFY classfiy parse scan_nubmer a.c:scannumber json::reader::prase xml::prase 'prase(int)' reader; do coax replay % --entry "$name"; echo $?; done 2>&1
;; | error: there is no function `clasify` in the program; did you mean `classify`?
;; | 2
;; | error: there is no function `CLASSIFY` in the program; did you mean `classify`?
;; | 2
;; | error: there is no function `classfiy` in the program; did you mean `classify`?
;; | 2
;; | ok    run: returned
;; | 0
;; | error: there is no function `scan_nubmer` in the program; did you mean `scan_number`?
;; | 2
;; | error: there is no function `a.c:scannumber` in the program; did you mean `scan_number`?
;; | 2
;; | error: there is no function `json::reader::prase` in the program; did you mean `deep::json::reader::parse`?
;; | 2
;; | error: there is no function `xml::prase` in the program; did you mean `deep::json::reader::parse`?
;; | 2
;; | error: there is no function `prase(int)` in the program; did you mean `deep::json::reader::parse`?
;; | 2
;; | error: there is no function `reader` in the program; did you mean `deep::json::reader::parse`?
;; | 2
;; $ coax replay % --entry qqqqqq
;; ! error: there is no function `qqqqqq` to call.
;; ! Name one of the exported functions as the entry: `classify`, `parse_number`, `parse_word`, `parse_line`, `parse_everything`.
;; $ coax cover % --entry classify --unknown scan_numbr --out %t/out
;; ! error: there is no function `scan_numbr` in the program; did you mean `scan_number`?
;; $ coax reach % --entry classify --target scan_numbr --out %t/out
;; ! error: there is no function `scan_numbr` in the program; did you mean `scan_number`?
;; $ coax reach % --entry classify --target scannumber:trap --out %t/out
;; ! error: there is no function `scannumber` in the program; did you mean `scan_number`?
;; $ coax dump ir % --function scan_numbr
;; ! error: there is no function `scan_numbr` in the program; did you mean `scan_number`?
;; $ ls %t
