«type:int¦unsigned int¦long long¦unsigned char» §f(«=type» x) {
    «if (x == 0) return 0;¦if (x <= 1) return x;»
    return §f(x - 1) + «1¦2¦x»;
}
void §part(void) {
    «=type» input = («=type»)«__VERIFIER_nondet_int()¦__VERIFIER_nondet_uint()¦__VERIFIER_nondet_uchar()»;
    «¦if (input > «5..40») return;¦assume(input < «10..3000»);»
    «=type» result = §f(input);
    if (result == «3..60») reach_error();
}
