// Only the user's own code is shown, at its lines; what libraries do is counted. Host calls work as in a plain run.
// REQUIRES: clang-22
// RUN: printf 'ab' > %t/in; coax replay % --stdin %t/in --trace | sed 's/fn[0-9]* //; s/and [0-9]* inst/and [many] inst/'
#include <stdio.h>

int main(void) {
    int sum = 0;
    for (int c; (c = getchar()) != EOF;) sum += c;
    printf("%d\n", sum);
    return 0;
}

// OUTPUT
// $ printf 'ab' > %t/in; coax replay % --stdin %t/in --trace | sed 's/fn[0-9]* //; s/and [0-9]* inst/and [many] inst/'
// | ok    run: returned
// |       stdout | 195
// |       trace | trace.c:6  v0 = global.get __stack_pointer -> i32 8388608
// |       trace | trace.c:6  v2 = i32.sub v0 v1 -> i32 8388592
// |       trace | trace.c:6  global.set __stack_pointer v2
// |       trace | trace.c:8:22  v5 = call getchar -> i32 97
// |       trace | trace.c:8:33  v7 = i32.ne v5 v6 -> i32 1
// |       trace | trace.c:8:5  v9 = i32.and v7 v8 -> i32 1
// |       trace | trace.c:8:5  v10 = i32.eqz v9 -> i32 0
// |       trace | trace.c:8:46  v11 = i32.add v4 v5 -> i32 97
// |       trace | trace.c:8:22  v5 = call getchar -> i32 98
// |       trace | trace.c:8:33  v7 = i32.ne v5 v6 -> i32 1
// |       trace | trace.c:8:5  v9 = i32.and v7 v8 -> i32 1
// |       trace | trace.c:8:5  v10 = i32.eqz v9 -> i32 0
// |       trace | trace.c:8:46  v11 = i32.add v4 v5 -> i32 195
// |       trace | trace.c:8:22  v5 = call getchar -> i32 -1
// |       trace | trace.c:8:33  v7 = i32.ne v5 v6 -> i32 0
// |       trace | trace.c:8:5  v9 = i32.and v7 v8 -> i32 0
// |       trace | trace.c:8:5  v10 = i32.eqz v9 -> i32 1
// |       trace | trace.c:9:5  i32.store v2 v4
// |       trace | trace.c:9:5  v13 = call printf v12 v2 -> i32 4
// |       trace | trace.c:10:5  v16 = i32.add v2 v15 -> i32 8388608
// |       trace | trace.c:10:5  global.set __stack_pointer v16
// |       trace | and [many] instructions in libraries
