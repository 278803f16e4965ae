// What depends on the last byte of standard input says so; and so does what depends on its length.
// REQUIRES: clang
// RUN: coax dump path % --sym-stdin 4 | grep -v 'dump path'
#include <unistd.h>

int main(void) {
    char bytes[8];
    long count = read(0, bytes, 4);
    if (count == 4 && bytes[3] == '!')
        return 1;
    return read(0, bytes, 1) == 0 ? 2 : 3;
}

// OUTPUT
// $ coax dump path % --sym-stdin 4 | grep -v 'dump path'
// | site19 libc-bottom-half/sources/__wasilibc_real.c:299:19  assumption holds  (ult stdin.length 5:32)
// | site19 libc-bottom-half/sources/__wasilibc_real.c:299:19  input goes on  (ule 4:32 stdin.length)
// | site9 last_of_stdin.c:9:20  branch to line 11  (not (eq stdin[3] 33:8))
// | site19 libc-bottom-half/sources/__wasilibc_real.c:299:19  input ends here  (ult stdin.length 5:32)
// | site19 libc-bottom-half/sources/__wasilibc_real.c:299:19  concretised the length of an input to 4:32  (eq stdin.length 4:32)
// | exited with code 2
