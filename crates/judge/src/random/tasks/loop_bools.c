unsigned §x;
static void §less(void) { §x--; }
void §part(void) {
    §x = «__VERIFIER_nondet_uint()¦(unsigned)__VERIFIER_nondet_int()¦__VERIFIER_nondet_uchar()»;
    unsigned y = «0¦1¦__VERIFIER_nondet_uint()»;
    while («§x > 0¦§x > 0 && y > 0¦(int)§x > 0») {
        _Bool c = __VERIFIER_nondet_bool();
        if (c) §less();
        else «§less();¦y++;¦y--;¦§x -= 2;¦break;»
    }
    if («!(§x == 0)¦§x == 0 && y == «2..9»¦y > «3..20»») reach_error();
}
