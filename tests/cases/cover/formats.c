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
