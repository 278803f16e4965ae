// The size of a symbolic object is known, at any place in it; of others it is not.
// REQUIRES: clang
// RUN: coax replay %
// RUN: coax replay % -- other
// EXIT: 1
#include <klee/klee.h>
#include <stdio.h>

int main(int argc, char **argv) {
    char buffer[12];
    klee_make_symbolic(buffer, sizeof buffer, "buffer");
    printf("%zu %zu\n", klee_get_obj_size(buffer), klee_get_obj_size(buffer + 11));
    return argc > 1 ? (int)klee_get_obj_size(argv) : 0;
}

// OUTPUT
// $ coax replay %
// | ok    run: returned
// |       input  | {"name":"buffer","bytes":"\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000"}
// |       stdout | 12 12
// $ coax replay % -- other
// | FAIL  run: trapped: the host refused a call (`klee_get_obj_size`: coax knows the sizes of symbolic objects only, and none is at 0x800fc0) at klee_object_size.c:13:28 in main
// |       input  | {"name":"buffer","bytes":"\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000"}
// |       stdout | 12 12
// |         at klee_object_size.c:13:28 in main
// |         at offset 0x2759 in __main_void
// |         at libc-bottom-half/sources/__original_main.c:9:12 in __original_main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
