// Reads and writes that go wrong on request; whether they do can be a symbol.
// REQUIRES: clang
// RUN: printf abcd > %t/in
// RUN: coax replay % --stdin %t/in
// RUN: coax replay % --stdin %t/in --fault 1=short
// RUN: coax replay % --stdin %t/in --fault 1=io
// RUN: coax replay % --stdin %t/in --fault 2=no-space
// RUN: coax dump path % --stdin %t/in --io-faults --fault 2=no-space
// RUN: coax replay % --fault 1=fire
// EXIT: 2
#include <errno.h>
#include <unistd.h>

int main(void) {
    char bytes[4];
    long count = read(0, bytes, sizeof bytes);
    if (count < 0)
        return errno == EIO ? 10 : 11;
    if (write(1, bytes, count) < 0)
        return errno == ENOSPC ? 12 : 13;
    return count;
}

// OUTPUT
// $ printf abcd > %t/in
// $ coax replay % --stdin %t/in
// | ok    run: exited with code 4
// |       stdout | abcd
// $ coax replay % --stdin %t/in --fault 1=short
// | ok    run: exited with code 2
// |       stdout | ab
// $ coax replay % --stdin %t/in --fault 1=io
// | ok    run: exited with code 10
// $ coax replay % --stdin %t/in --fault 2=no-space
// | ok    run: exited with code 12
// $ coax dump path % --stdin %t/in --io-faults --fault 2=no-space
// | site28 libc-bottom-half/sources/__wasilibc_real.c:299:19  input or output succeeds  (eq io-fault[1] 0:2)
// | site28 libc-bottom-half/sources/__wasilibc_real.c:299:19  input goes on  (ule 4:32 stdin.length)
// | site29 libc-bottom-half/sources/__wasilibc_real.c:383:19  input or output has no space  (eq io-fault[2] 3:2)
// | exited with code 12
// $ coax replay % --fault 1=fire
// ! error: --fault: `1=fire` is not a read or write and how it goes wrong; write e.g. `1=short`, `2=io` or `3=no-space`
