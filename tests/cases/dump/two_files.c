// Several files make one program; extra flags go to each of them.
// WITH: two_files_helper.c
// REQUIRES: clang
// RUN: coax dump calls % two_files_helper.c --cflags '-DSTEP=2' | sed 's/fn[0-9]* //; s/site[0-9]* //'

int step(int x);

int twice(int x) { return step(step(x)); }

// OUTPUT
// $ coax dump calls % two_files_helper.c --cflags '-DSTEP=2' | sed 's/fn[0-9]* //; s/site[0-9]* //'
// | twice
// |   calls step  ; two_files.c:8:32
// |   calls step  ; two_files.c:8:27
// | step
