int §f(int depth, const char *above) {
    char frame[«16¦200¦1000¦5000¦40000»];
    int i;
    for (i = 0; i < 8; i++) frame[i] = (char)(depth + i + (above ? above[i & 3] : 0));
    if (depth <= «0¦1¦-5») return frame[«0..7»];
    return §f(depth - «1¦2¦3», frame) + frame[depth & 7];
}
void §part(void) {
    int depth = __VERIFIER_nondet_int();
    «if (depth > «30¦300¦3000¦30000») return;¦»
    if (§f(depth, 0) == «20..90») reach_error();
}
