static int §table[«8..40»] = {«1..9», «-9..9», «1..90», «1..90», 7, 3, 1, «0..9»};
void §part(void) {
    unsigned int i = __VERIFIER_nondet_uint(), j = «__VERIFIER_nondet_uchar()¦0»;
    int value = __VERIFIER_nondet_int(), k;
    «if (i >= sizeof §table / sizeof *§table) return;¦i %= sizeof §table / sizeof *§table;¦»
    §table[i] = value;
    «¦if (j < 8) §table[j] += «1..9»;»
    for (k = 0; k < 8; k++) {
        if (§table[k] == «10..60» && k != i) reach_error();
        «¦if (§table[§table[k] & 7] == value) i = k;»
    }
    if (§table[«0..7»] == «100..999») reach_error();
}
