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
// $ coax cover % --out %t/out
// ! error: nobody provides what the program imports: `env.getuid`, `env.ldv_stop`, `env.ldv_undef_int`.
// ! Link the libraries that define them, or say what they answer with `--stub NAME=VALUE` or `--stub NAME=unknown`; `--stub-missing` says unknown of all.
// $ coax cover % --out %t/out --stub-missing --stub getuid=0
// | FAILS  abort at stub_missing.c:18:9  fails-Abort-line-18-e3a797.json
// | not covered  stub_missing.c:14:18 to line 15: proved infeasible: no input takes it
// | 3 tests, 1 failure; branches 5/6 (83 %), lines 5/6 (83 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | What is proved assumes: `getuid` always gives 0 (`--stub`).
// | Tests are in [t]/out/tests.
// ! note: nobody has these, so they do nothing and return anything: `env.ldv_stop`, `env.ldv_undef_int`
// $ coax replay % --test %t/out/tests/fails*
// | FAIL  [t]/out/tests/fails-Abort-line-18-e3a797.json: trapped: unreachable at stub_missing.c:18:9 in main
// |       as expected
// |       input  | {"name":"ldv_undef_int#1","i32":7}
// |       input  | {"name":"ldv_undef_int#2","i32":8}
// |         at libc-bottom-half/sources/abort.c:5:5 in abort
// |         at stub_missing.c:18:9 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
