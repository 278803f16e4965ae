// What was found in the formats of other tools: a folder for each, and a sentence for what a format cannot say.
// REQUIRES: clang
// RUN: coax cover % --entry width --max-runs 100 --out %t/out --emit lcov,junit,sarif,html,ktest,testcomp,corpus | grep -v runs
// EXIT: 0
// RUN: cat %t/out/lcov/coverage.info
// RUN: grep -c testcase %t/out/junit/junit.xml; grep ruleId %t/out/sarif/coax.sarif
// RUN: grep -o 'class="line [a-z]*"><summary><i>[0-9]*' %t/out/html/index.html
// RUN: ls %t/out %t/out/ktest | cat
// RUN: coax cover % --entry width --max-runs 100 --out %t/out --emit lcov,xml
// EXIT: 2
// RUN: echo mine > %t/out/lcov/coverage.info; coax cover % --entry width --max-runs 100 --out %t/out --emit lcov > %t/said
// EXIT: 2
// RUN: cat %t/out/lcov/coverage.info
int width(unsigned char low, unsigned char high, int step) {
    int width = -1;
    if (high >= low) {
        width = high - low;
        if (step == 7) {
            width /= step - 7;
        }
    }
    return width;
}

// OUTPUT
// $ coax cover % --entry width --max-runs 100 --out %t/out --emit lcov,junit,sarif,html,ktest,testcomp,corpus | grep -v runs
// | FAILS  trapped: integer divide by zero at formats.c:19:19  fails-IntegerDivideByZero-line-19-2615fd.json
// | 3 tests, 1 failure; branches 4/4 (100 %), lines 5/5 (100 %), functions 1/1 (100 %)
// | Tests are in [t]/out/tests.
// ! note: testcomp: without width-line-16-to-line-17-a842e6: the entry has parameters, and Test-Comp's programs begin with main
// ! note: testcomp: without width-line-16-to-line-22-f98995: the entry has parameters, and Test-Comp's programs begin with main
// ! note: testcomp: without fails-IntegerDivideByZero-line-19-2615fd: the entry has parameters, and Test-Comp's programs begin with main
// ! note: corpus: without width-line-16-to-line-17-a842e6: the entry's parameters are not one buffer and its length
// ! note: corpus: without width-line-16-to-line-22-f98995: the entry's parameters are not one buffer and its length
// ! note: corpus: without fails-IntegerDivideByZero-line-19-2615fd: the entry's parameters are not one buffer and its length
// $ cat %t/out/lcov/coverage.info
// | TN:coax
// | SF:formats.c
// | FN:14,width
// | FNDA:3,width
// | FNF:1
// | FNH:1
// | BRDA:16,0,0,2
// | BRDA:16,0,1,1
// | BRDA:18,0,0,1
// | BRDA:18,0,1,1
// | BRF:4
// | BRH:4
// | DA:16,3
// | DA:17,2
// | DA:18,2
// | DA:19,1
// | DA:22,2
// | LF:5
// | LH:5
// | end_of_record
// $ grep -c testcase %t/out/junit/junit.xml; grep ruleId %t/out/sarif/coax.sarif
// | 4
// |           "ruleId": "integer-divide-by-zero",
// $ grep -o 'class="line [a-z]*"><summary><i>[0-9]*' %t/out/html/index.html
// | class="line covered"><summary><i>16
// | class="line covered"><summary><i>17
// | class="line covered"><summary><i>18
// | class="line covered"><summary><i>19
// | class="line covered"><summary><i>22
// $ ls %t/out %t/out/ktest | cat
// | [t]/out:
// | coax.lock
// | emitted.json
// | html
// | journal
// | junit
// | ktest
// | lcov
// | lines.json
// | report.json
// | sarif
// | tests
// |
// | [t]/out/ktest:
// | test000001.ktest
// | test000002.ktest
// | test000003.ktest
// $ coax cover % --entry width --max-runs 100 --out %t/out --emit lcov,xml
// ! error: invalid value 'xml' for '--emit <FORMATS>': there is no format `xml`; there are ktest, testcomp, corpus, c, rust, lcov, sarif, junit, html
// !
// ! For more information, try '--help'.
// $ echo mine > %t/out/lcov/coverage.info; coax cover % --entry width --max-runs 100 --out %t/out --emit lcov > %t/said
// ! error: [t]/out/lcov/coverage.info is not as coax wrote it; move it away, or name another directory with `--out`
// $ cat %t/out/lcov/coverage.info
// | mine
