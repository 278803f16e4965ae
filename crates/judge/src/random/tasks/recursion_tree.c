int §fib(int n) {
    if (n < 1) return 0;
    if (n == 1) return 1;
    return §fib(n - 1) + §fib(n - 2);
}
int §hanoi(int n) { return n == 1 ? 1 : 2 * §hanoi(n - 1) + 1; }
int §gcd(int a, int b) {
    if (a <= 0 || b <= 0) return 0;
    if (a == b) return a;
    return a > b ? §gcd(a - b, b) : §gcd(a, b - a);
}
void §part(void) {
    int n = __VERIFIER_nondet_int();
    «if (n > «8..18») return;
    if (§fib(n) == «1¦2¦3¦5¦8¦13¦21¦34») reach_error();
    ¦if (n < 1 || n > «20..40») return;
    if (§hanoi(n) >= «31¦63¦127¦1023¦65535») reach_error();
    ¦int m = __VERIFIER_nondet_int();
    «if (m > «20..400» || n > «20..400») return;¦»
    if (§gcd(m, n) == «2..17») reach_error();»
}
