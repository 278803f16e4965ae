// The harness decides nothing about the length before the function does.
// REQUIRES: clang
// RUN: coax init % --entry f --out %t/h.c && coax dump path % %t/h.c --entry harness_f | grep -v ' assumption '
int f(const unsigned char *data, unsigned long size) { return size > 3 && data[3] == 'x'; }

// OUTPUT
// $ coax init % --entry f --out %t/h.c && coax dump path % %t/h.c --entry harness_f | grep -v ' assumption '
// | wrote [t]/h.c
// | input {"name":"data","bytes":"\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000"}  as a number: 0
// | input {"name":"data.length","i32":0}
// | site1 length_stays_symbolic.c:4:72  branch to 4:72  (ult data.length 4:32)
// | returned
