// Test-Comp's programs assume by a function of their own that aborts; other aborts are failures.
// REQUIRES: clang
// RUN: coax replay %
// RUN: coax replay % --value 1
// EXIT: 1
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

int main(void) {
    assume_abort_if_not(__VERIFIER_nondet_int() == 1);
    abort();
}

// OUTPUT
// $ coax replay %
// | ok    run: does not count (an assumption does not hold) at assume_abort_if_not.c:11:9 in assume_abort_if_not
// |       input  | {"name":"nondet_int#1","i32":0}
// |         at libc-bottom-half/sources/abort.c:5:5 in abort
// |         at assume_abort_if_not.c:11:9 in assume_abort_if_not
// |         at assume_abort_if_not.c:15:5 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
// $ coax replay % --value 1
// | FAIL  run: trapped: unreachable at assume_abort_if_not.c:16:5 in main
// |       input  | {"name":"nondet_int#1","i32":1}
// |         at libc-bottom-half/sources/abort.c:5:5 in abort
// |         at assume_abort_if_not.c:16:5 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
