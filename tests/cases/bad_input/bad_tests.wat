;; Tests whose input cannot be: files that clash, numbers out of range.
;; RUN: printf '{"format": 1, "input": {"params": [{"f32": 1}], "files": {"a": "", "a/b": ""}}}' > %t/test.json; coax replay % --test %t/test.json 2>&1 | sed 's/.*test.json/test.json/'
;; RUN: printf '{"format": 1, "input": {"params": [{"f32": 1e300}]}}' > %t/test.json; coax replay % --test %t/test.json 2>&1 | sed 's/.*test.json/test.json/'

(module (func (export "f") (param f32)))

;; OUTPUT
;; $ printf '{"format": 1, "input": {"params": [{"f32": 1}], "files": {"a": "", "a/b": ""}}}' > %t/test.json; coax replay % --test %t/test.json 2>&1 | sed 's/.*test.json/test.json/'
;; | test.json: the input has a file `a` and a file `a/b`, which needs `a` to be a directory.
;; | Rename one of them.
;; $ printf '{"format": 1, "input": {"params": [{"f32": 1e300}]}}' > %t/test.json; coax replay % --test %t/test.json 2>&1 | sed 's/.*test.json/test.json/'
;; | test.json is not a test: 1e300 does not fit an f32 at line 1 column 50.
;; | `coax replay --help` shows what a test looks like.
