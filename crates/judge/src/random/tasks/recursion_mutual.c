int §odd(int n);
int §even(int n);
«¦int §third(int n) { if (n < 2) return n; return §odd(n - 2); }»
int §odd(int n) {
    if (n == 0) return 0;
    else if (n == 1) return 1;
    else return §even(n - 1);
}
int §even(int n) {
    if (n == 0) return 1;
    else if (n == 1) return 0;
    else return «§odd(n - 1)¦1 - §even(n - 1)¦§odd(n - 1) & 1»;
}
void §part(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return;
    «¦if (n > «20..20000») return;»
    int result = §even(n), mod = n % «2..5»;
    if (result < 0 || result == mod) return;
    reach_error();
}
