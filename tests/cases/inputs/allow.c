// Nothing of the machine is seen unless that is allowed; and what is seen is a copy.
// REQUIRES: clang
// RUN: mkdir -p %t/data/sub && echo kept > %t/data/sub/note
// RUN: HOST_ONLY=secret coax replay %
// RUN: HOST_ONLY=secret coax replay % --allow env --allow dir=%t/data --allow clock
// RUN: cat %t/data/sub/note
// RUN: echo large > %t/data/other && coax replay % --allow dir=%t/data --save %t/test.json >/dev/null && grep -c other %t/test.json; grep sub/note %t/test.json
// RUN: coax replay % --allow everything
// EXIT: 2
// RUN: coax replay % --allow dir=nowhere
// EXIT: 2
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    char text[16] = "nothing";
    FILE *note = fopen("sub/note", "r+");
    if (note) {
        fgets(text, sizeof text, note);
        rewind(note);
        fputs("gone", note);
        fclose(note);
    }
    const char *host = getenv("HOST_ONLY");
    printf("%s, %s, %s\n", host ? host : "nothing", text, time(0) > 1700000000 ? "now" : "then");
    return 0;
}

// OUTPUT
// $ mkdir -p %t/data/sub && echo kept > %t/data/sub/note
// $ HOST_ONLY=secret coax replay %
// | ok    run: returned
// |       stdout | nothing, nothing, then
// $ HOST_ONLY=secret coax replay % --allow env --allow dir=%t/data --allow clock
// | ok    run: returned
// |       stdout | secret, kept
// |       stdout | , now
// $ cat %t/data/sub/note
// | kept
// $ echo large > %t/data/other && coax replay % --allow dir=%t/data --save %t/test.json >/dev/null && grep -c other %t/test.json; grep sub/note %t/test.json
// | 0
// |       "sub/note": "kept\n"
// $ coax replay % --allow everything
// ! error: --allow: `everything` is nothing to allow; write `dir=PATH`, `clock`, `random` or `env`
// $ coax replay % --allow dir=nowhere
// ! error: cannot read nowhere: No such file or directory (os error 2)
