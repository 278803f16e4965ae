// Programs that write without end: what is kept of it is limited, in memory too, and that is said.
// RUN: coax replay % --fuel 1G 2>&1 | grep "limit met\|^ok\|^FAIL"
// RUN: coax replay % --fuel 1G -- file 2>&1 | grep "limit met\|^ok\|^FAIL"

#include <unistd.h>
#include <stdio.h>

static char block[1 << 20];

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        FILE *file = fopen("out.txt", "w");
        long blocks = 0;
        if (!file) return 1;
        while (fwrite(block, 1, sizeof block, file) == sizeof block) blocks++;
        printf("%ld\n", blocks);
        return 0;
    }
    for (int i = 0; i < 8; i++) write(1, block, sizeof block);
    return 0;
}

// OUTPUT
// $ coax replay % --fuel 1G 2>&1 | grep "limit met\|^ok\|^FAIL"
// | ok    run: returned
// |       limit met: captured; the rest of the output was dropped
// $ coax replay % --fuel 1G -- file 2>&1 | grep "limit met\|^ok\|^FAIL"
// | ok    run: returned
// |       limit met: written; what was too much was refused for lack of space
