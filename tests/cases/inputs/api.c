// coax's own interface.
// REQUIRES: clang
// RUN: coax dump path %
// RUN: coax replay % --value 5 --value '{"bytes":"abcd"}' --value 1 --value 2.5
// EXIT: 1
#include <coax.h>

static int square(int x) { return x * x; }

int main(void) {
    coax_unknown((void (*)(void))square);
    int x = coax_i32("x");
    unsigned char bytes[4];
    coax_bytes(bytes, sizeof bytes, "bytes");
    _Bool flag = coax_bool("flag");
    double ratio = coax_f64("ratio");
    coax_assume(x >= 0);
    if (flag && bytes[3] == 'd')
        coax_cover("the last byte");
    coax_assert(ratio < 2.0);
    return square(x) > 16;
}

// OUTPUT
// $ coax dump path %
// | input {"name":"x","i32":0}
// | input {"name":"bytes","bytes":"\u0000\u0000\u0000\u0000"}  as a number: 0
// | input {"name":"flag","bool":false}
// | input {"name":"ratio","f64":0.0}
// | site11 api.c:17:5  assumption holds  (extract 31 1 (not x))
// | site12 api.c:18:14  branch to line 20  (not flag)
// | site16 api.c:20:5  branch to line 21  (flt ratio 0x4000000000000000:64)
// | site3 build/libc-bottom-half/crt/crt1.c:21:9  branch to line 24  (slt (mul x x) 17:32)
// | returned
// $ coax replay % --value 5 --value '{"bytes":"abcd"}' --value 1 --value 2.5
// | FAIL  run: trapped: an assertion failed (ratio < 2.0 at api.c:20) at api.c:20:5 in main
// |       input  | {"name":"x","i32":5}
// |       input  | {"name":"bytes","bytes":"abcd"}
// |       input  | {"name":"flag","bool":true}
// |       input  | {"name":"ratio","f64":2.5}
// |       label  | the last byte
// |         at api.c:20:5 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
