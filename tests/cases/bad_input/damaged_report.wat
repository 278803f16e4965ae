;; Reports that are damaged, or of another version.
;; RUN: coax cover % --max-runs 1 --no-mutate --out %t/out > %t/said; cp %t/out/report.json %t/whole.json; cp %t/out/lines.json %t/lines.json
;; RUN: head -c 60 %t/whole.json > %t/out/report.json; coax explain %t/out
;; EXIT: 2
;; RUN: for text in '' '[]' '{}' '{"uncovered": 5}' '{"uncovered": [5]}' '{"uncovered": [{"why": 5}]}' '{"version": "99.1", "uncovered": {}}' '{"uncovered": [], "assumed": [1]}' '{"uncovered": [], "uncalled": 1}' '{"dead": [{"function": "f", "because": 1}]}'; do echo "$text" > %t/out/report.json; coax explain %t/out; echo $?; done
;; RUN: sed 's/"why": ".*"/"why": 5/' %t/whole.json > %t/out/report.json; coax explain %t/out; coax reach % --uncovered %t/out --out %t/reach
;; EXIT: 2
;; RUN: grep -v -e '"data_model"' -e '"prepare_ms"' -e '"module": "' %t/whole.json > %t/out/report.json; coax explain %t/out | tail -n 1; coax reach % --uncovered %t/out --out %t/reach
;; EXIT: 2
;; RUN: grep -v '"paths"' %t/whole.json > %t/out/report.json; coax explain %t/out 2>&1 | sed 's/ at line [0-9]*.*;/;/'
;; RUN: rm %t/out/report.json; coax explain %t/out
;; EXIT: 2
;; RUN: cp %t/whole.json %t/out/report.json; for text in '' '[' '5' '{"a.c": 5}'; do echo "$text" > %t/out/lines.json; coax explain %t/out a.c:3; echo $?; done
;; RUN: rm %t/out/lines.json; coax explain %t/out a.c:3
;; EXIT: 2
(module (func (export "f") (param i32) (result i32)
  (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const 1))))
  (i32.const 0)))

;; OUTPUT
;; $ coax cover % --max-runs 1 --no-mutate --out %t/out > %t/said; cp %t/out/report.json %t/whole.json; cp %t/out/lines.json %t/lines.json
;; $ head -c 60 %t/whole.json > %t/out/report.json; coax explain %t/out
;; ! error: [t]/out/report.json is no report; name the directory that `coax cover` wrote: EOF while parsing an object at line 5 column 11
;; $ for text in '' '[]' '{}' '{"uncovered": 5}' '{"uncovered": [5]}' '{"uncovered": [{"why": 5}]}' '{"version": "99.1", "uncovered": {}}' '{"uncovered": [], "assumed": [1]}' '{"uncovered": [], "uncalled": 1}' '{"dead": [{"function": "f", "because": 1}]}'; do echo "$text" > %t/out/report.json; coax explain %t/out; echo $?; done
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; | 2
;; ! error: [t]/out/report.json is no report; name the directory that `coax cover` wrote: EOF while parsing a value at line 2 column 0
;; ! error: [t]/out/report.json is damaged: invalid length 1, expected an object at line 1 column 2; let `coax cover` write it once more
;; ! error: [t]/out/report.json is damaged: missing field `bounds` at line 1 column 2; let `coax cover` write it once more
;; ! error: [t]/out/report.json is damaged: invalid type: integer `5`, expected a sequence at line 1 column 15; let `coax cover` write it once more
;; ! error: [t]/out/report.json is damaged: invalid type: integer `5`, expected an object at line 1 column 16; let `coax cover` write it once more
;; ! error: [t]/out/report.json is damaged: invalid type: integer `5`, expected a string at line 1 column 24; let `coax cover` write it once more
;; ! error: [t]/out/report.json is of coax 99.1, this is 0.1.0: invalid type: map, expected a sequence at line 1 column 33; let `coax cover` write it once more
;; ! error: [t]/out/report.json is damaged: invalid type: integer `1`, expected a string at line 1 column 31; let `coax cover` write it once more
;; ! error: [t]/out/report.json is damaged: invalid type: integer `1`, expected a map at line 1 column 31; let `coax cover` write it once more
;; ! error: [t]/out/report.json is damaged: invalid type: integer `1`, expected a sequence at line 1 column 40; let `coax cover` write it once more
;; $ sed 's/"why": ".*"/"why": 5/' %t/whole.json > %t/out/report.json; coax explain %t/out; coax reach % --uncovered %t/out --out %t/reach
;; ! error: [t]/out/report.json is damaged: invalid type: integer `5`, expected a string at line 85 column 14; let `coax cover` write it once more
;; ! error: [t]/out/report.json is damaged: invalid type: integer `5`, expected a string at line 85 column 14; let `coax cover` write it once more
;; $ grep -v -e '"data_model"' -e '"prepare_ms"' -e '"module": "' %t/whole.json > %t/out/report.json; coax explain %t/out | tail -n 1; coax reach % --uncovered %t/out --out %t/reach
;; | `coax explain [t]/out FILE:LINE` says what stands in the way of a line
;; ! error: [t]/out/report.json is of another program, version or entry; let `coax cover` run once more
;; $ grep -v '"paths"' %t/whole.json > %t/out/report.json; coax explain %t/out 2>&1 | sed 's/ at line [0-9]*.*;/;/'
;; | error: [t]/out/report.json is damaged: missing field `paths`; let `coax cover` write it once more
;; $ rm %t/out/report.json; coax explain %t/out
;; ! error: [t]/out/report.json is not there yet; let `coax cover` finish
;; $ cp %t/whole.json %t/out/report.json; for text in '' '[' '5' '{"a.c": 5}'; do echo "$text" > %t/out/lines.json; coax explain %t/out a.c:3; echo $?; done
;; | 2
;; | 2
;; | 2
;; | 2
;; ! error: [t]/out/lines.json is missing or damaged; let `coax cover` write it once more: EOF while parsing a value at line 2 column 0
;; ! error: [t]/out/lines.json is missing or damaged; let `coax cover` write it once more: invalid type: sequence, expected a map at line 1 column 0
;; ! error: [t]/out/lines.json is missing or damaged; let `coax cover` write it once more: invalid type: integer `5`, expected a map at line 1 column 1
;; ! error: [t]/out/lines.json is missing or damaged; let `coax cover` write it once more: invalid type: integer `5`, expected a map at line 1 column 9
;; $ rm %t/out/lines.json; coax explain %t/out a.c:3
;; ! error: [t]/out/lines.json is missing or damaged; let `coax cover` write it once more: No such file or directory (os error 2)
