// Test-Comp's programs assume by a function of their own that aborts; other aborts are failures.
// REQUIRES: clang
// RUN: coax replay %
// RUN: coax replay % --value 1
// RUN: coax replay % --value 1 --value 2
// EXIT: 1
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

/* Others call it so. */
static void assume(int condition) {
    if (!condition) {
        abort();
    }
}

int main(void) {
    assume_abort_if_not(__VERIFIER_nondet_int() == 1);
    assume(__VERIFIER_nondet_int() == 2);
    abort();
}

// OUTPUT
