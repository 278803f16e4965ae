// A directory's files keep their names; what is left out is told.
// REQUIRES: clang
// RUN: mkdir -p %t/d/empty && printf a > '%t/d/id:000000,src:0' && ln -s 'id:000000,src:0' %t/d/link && ln -s /etc %t/d/out
// RUN: cd %t && coax replay %root/tests/cases/inputs/allow_names.c --allow dir=d -- id:000000,src:0 link
#include <stdio.h>

int main(int count, char **names) {
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(names[i], "r");
        printf("%s: %c\n", names[i], file ? fgetc(file) : '?');
    }
    return 0;
}

// OUTPUT
// $ mkdir -p %t/d/empty && printf a > '%t/d/id:000000,src:0' && ln -s 'id:000000,src:0' %t/d/link && ln -s /etc %t/d/out
// $ cd %t && coax replay %root/tests/cases/inputs/allow_names.c --allow dir=d -- id:000000,src:0 link
// | ok    run: returned
// |       stdout | id:000000,src:0: a
// |       stdout | link: a
// ! note: the program does not see these of d: empty/ (empty), out (a link to a directory, or out of this one)
