// A program for KLEE, as it is: objects, ranges and assumptions are found and named; a test of it is saved and replayed.
// REQUIRES: clang
// RUN: coax dump path %
// RUN: coax replay % --value '{"bytes": "ab!"}' --value 7 --save %t/test.json
// EXIT: 1
// RUN: cat %t/test.json
// RUN: coax replay % --test %t/test.json
// EXIT: 1
#include <assert.h>
#include <klee/klee.h>

struct message {
    char text[3];
};

int main(void) {
    struct message message;
    klee_make_symbolic(&message, sizeof message, "message");
    int size = klee_range(1, 10, "size");
    klee_assume(message.text[0] != 0);
    if (message.text[2] == '!' && size > 5)
        klee_report_error(__FILE__, __LINE__, "loud", "user");
    return 0;
}

// OUTPUT
// $ coax dump path %
// | input {"name":"message","bytes":"\u0000\u0000\u0000"}
// | input {"name":"size","i32":1}
// | site7 klee.c:19:16  assumption holds  (ult (add size 0xffffffff:32) 9:32)
// | site9 klee.c:20:5  assumption fails  (eq message[0] 0:8)
// | does not count (an assumption does not hold; if it does for no input, the assumptions contradict each other) at klee.c:20:5 in main
// $ coax replay % --value '{"bytes": "ab!"}' --value 7 --save %t/test.json
// | FAIL  run: trapped: aborted (loud at klee.c:22) at klee.c:22:9 in main
// |       input  | {"name":"message","bytes":"ab!"}
// |       input  | {"name":"size","i32":7}
// |         at klee.c:22:9 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
// $ cat %t/test.json
// | {
// |   "format": 1,
// |   "input": {
// |     "values": [
// |       {
// |         "name": "message",
// |         "bytes": "ab!"
// |       },
// |       {
// |         "name": "size",
// |         "i32": 7
// |       }
// |     ]
// |   },
// |   "expect": {
// |     "trapped": "abort"
// |   }
// | }
// $ coax replay % --test %t/test.json
// | FAIL  [t]/test.json: trapped: aborted (loud at klee.c:22) at klee.c:22:9 in main
// |       as expected
// |       input  | {"name":"message","bytes":"ab!"}
// |       input  | {"name":"size","i32":7}
// |         at klee.c:22:9 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
