// The size of a symbolic object is known, at any place in it; of others it is not.
// REQUIRES: clang
// RUN: coax replay %
// RUN: coax replay % -- other | sed -n '1s/0x[0-9a-f]*/ADDRESS/p'
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
// $ coax replay % -- other | sed -n '1s/0x[0-9a-f]*/ADDRESS/p'
// | FAIL  run: trapped: the host refused a call (`klee_get_obj_size`: coax knows the sizes of symbolic objects only, and none is at ADDRESS) at klee_object_size.c:12:28 in main
