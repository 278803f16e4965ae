int §f(int x) {
    if (x > «50..200») return x - «5..20»;
    return §f(§f(x + «7..23»));
}
void §part(void) {
    int x = __VERIFIER_nondet_int();
    «¦assume(x > -«100..5000»);»
    int result = §f(x);
    if (!(result == 91 || «(x > 102 && result == x - 10)¦x % 7 == 3»)) reach_error();
}
