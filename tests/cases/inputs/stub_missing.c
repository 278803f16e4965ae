// Functions of other systems that nobody has here, each by itself or all at once.
// REQUIRES: clang
// RUN: coax cover % --out %t/out
// EXIT: 2
// RUN: coax cover % --out %t/out --stub-missing --stub getuid=0
// EXIT: 1
// RUN: coax replay % --test %t/out/tests/fails*
// EXIT: 1
extern int getuid(void), ldv_undef_int(void);
extern void ldv_stop(long long, double);
extern void abort(void);

int main(void) {
    if (getuid() != 0)
        abort();
    ldv_stop(1, 2);
    if (ldv_undef_int() == 7 && ldv_undef_int() == 8)
        abort();
    return 0;
}

// OUTPUT
