// A harness that never asks for input, and one that calls two inputs by one name.
// REQUIRES: clang
// RUN: coax dump path %
// RUN: coax dump path % --cflags -DTWICE
#include <coax.h>

int main(void) {
#ifdef TWICE
    return coax_i32("x") < coax_i32("x") ? 1 : 0;
#else
    return 0;
#endif
}

// OUTPUT
// $ coax dump path %
// | returned
// ! note: the run decided nothing because of its input
// ! note: it asked for none and had none: `--param` gives a parameter, `--stdin FILE` (or `-`) standard input
// $ coax dump path % --cflags -DTWICE
// | input {"name":"x","i32":0}
// | input {"name":"x#2","i32":0}
// | site8 asks_for_nothing.c:9:12  select zero  (sle x#2 x)
// | site3 build/libc-bottom-half/crt/crt1.c:21:9  branch to line 24  (sle x#2 x)
// | returned
// ! note: the program calls several inputs `x`; the second is `x#2` here
