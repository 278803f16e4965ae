// A symbolic object that is larger than the memory, and a range without numbers.
// REQUIRES: clang
// RUN: coax replay %
// EXIT: 1
// RUN: coax replay % -- range
#include <coax.h>

static char place[16];

int main(int argc, char **argv) {
    if (argc > 1)
        return coax_range(5, 5, "nothing");
    coax_bytes(place, 1u << 30, "place");
    return 0;
}

// OUTPUT
// $ coax replay %
// | FAIL  run: trapped: the host refused a call (1073741824 symbolic bytes at 0x800010 do not fit the memory, which has 8454144) at too_large.c:13:5 in main
// |         at too_large.c:13:5 in main
// |         at offset 0x25a0 in __main_void
// |         at libc-bottom-half/sources/__original_main.c:9:12 in __original_main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
// $ coax replay % -- range
// | ok    run: does not count (a number from 5 up to, not including, 5: there is none) at too_large.c:12:16 in main
// |         at too_large.c:12:16 in main
// |         at offset 0x25a0 in __main_void
// |         at libc-bottom-half/sources/__original_main.c:9:12 in __original_main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
