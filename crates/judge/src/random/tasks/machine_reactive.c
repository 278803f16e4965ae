static int §a1 = «1..9», §a2 = «2..20», §a3 = 0, §a4 = «32..36»;
static int §output(int input) {
    if (input == «1..3» && §a1 == «1..9» && §a3 < «3..9») { §a3++; §a1 = «1..9»; return «20..26»; }
    if (((§a2 == «2..20») || §a4 == 33) && input == «1..6») { §a2 = «2..20»; §a4 = 33 + §a3 % 3; return «20..26»; }
    if (§a4 == «33..35» && (input == «4..6» || §a1 > «4..9»)) { §a1 = (§a1 * «2..9» + input) % 10; return «20..26»; }
    if (§a1 == «0..9» && §a2 == «2..20» && §a3 > «1..6») reach_error();
    if (§a1 + §a2 + §a3 == «20..60») reach_error();
    return -2;
}
void §part(void) {
    int output = -1, rounds = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if ((input != 1) && (input != 2) && (input != 3) && (input != 4) && (input != 5) && (input != 6)) return;
        output = §output(input);
        if (output == -2) «continue;¦return;¦{ if (++rounds > «3..30») return; }»
    }
}
