int §calls;
int §f(int m, int n) {
    «¦if (++§calls > «1000..100000») abort();»
    if (m == 0) return n + 1;
    if (n == 0) return §f(m - 1, 1);
    return §f(m - 1, §f(m, n - 1));
}
void §part(void) {
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (m < 0 || m > «1..3») return;
    if (n < 0 || n > «2..23») return;
    int result = §f(m, n);
    if («m >= 2 && result == «5..30»¦result < «4..8»¦!(m < 2 || result >= 4)») reach_error();
}
