// What depends on the last byte of an argument says so. Arguments after `--` are no symbols if some are made.
// REQUIRES: clang
// RUN: coax dump path % --sym-arg 3 -- -x
// RUN: coax dump path % -- -x abz
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[1], "-x") != 0)
        return 9;
    if (argv[2][2] == 'z')
        return 1;
    return 0;
}

// OUTPUT
// $ coax dump path % --sym-arg 3 -- -x
// | site12 last_of_argument.c:10:20  branch to line 12  (not (eq arg2[2] 122:8))
// | returned
// $ coax dump path % -- -x abz
// | site832 libc-top-half/musl/src/string/strcmp.c:5:16  branch to 5:0  (not (eq arg1[0] 0:8))
// | site833 libc-top-half/musl/src/string/strcmp.c:5:16  branch to 5:0  (eq arg1[0] 45:8)
// | site836 libc-top-half/musl/src/string/strcmp.c:5:16  branch to 5:0  (not (eq arg1[1] 0:8))
// | site837 libc-top-half/musl/src/string/strcmp.c:5:16  branch to 5:13  (eq arg1[1] 120:8)
// | site12 last_of_argument.c:10:20  branch to line 11  (eq arg2[2] 122:8)
// | exited with code 1
