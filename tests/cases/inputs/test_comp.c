// A task of Test-Comp, as it is.
// REQUIRES: clang
// RUN: coax dump path %
// RUN: coax replay % --value 3 --value 200 --value -1
// EXIT: 1
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long long __VERIFIER_nondet_longlong(void);
extern void abort(void);
void reach_error(void) { abort(); }
void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    if (x > 2 && c == 200) {
        if (__VERIFIER_nondet_longlong() < 0)
            reach_error();
    }
    return 0;
}

// OUTPUT
// $ coax dump path %
// | input {"name":"nondet_int#1","i32":0}
// | input {"name":"nondet_uchar#1","u8":0}
// | site13 test_comp.c:19:15  branch to line 23  (slt nondet_int#1 3:32)
// | returned
// $ coax replay % --value 3 --value 200 --value -1
// | FAIL  run: trapped: unreachable at test_comp.c:10:26 in reach_error
// |       input  | {"name":"nondet_int#1","i32":3}
// |       input  | {"name":"nondet_uchar#1","u8":200}
// |       input  | {"name":"nondet_longlong#1","i64":-1}
// |         at libc-bottom-half/sources/abort.c:5:5 in abort
// |         at test_comp.c:10:26 in reach_error
// |         at test_comp.c:21:13 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
