// A whole program: arguments, standard input, output, exit code. An exit code of its own is no failure.
// REQUIRES: clang
// RUN: echo 'some text' | coax replay % --stdin - -- one 'two words'
// RUN: coax replay %
// RUN: coax replay % --stdin %t/missing
// EXIT: 2
#include <stdio.h>

int main(int argc, char **argv) {
    char line[100];
    for (int i = 1; i < argc; i++)
        printf("[%s]\n", argv[i]);
    if (!fgets(line, sizeof line, stdin)) {
        fprintf(stderr, "nothing to read\n");
        return 3;
    }
    printf("read %s", line);
    return 0;
}

// OUTPUT
// $ echo 'some text' | coax replay % --stdin - -- one 'two words'
// | ok    run: returned
// |       stdout | [one]
// |       stdout | [two words]
// |       stdout | read some text
// $ coax replay %
// | ok    run: exited with code 3
// |       stderr | nothing to read
// $ coax replay % --stdin %t/missing
// ! error: cannot read [t]/missing: No such file or directory (os error 2)
