void §part(void) {
    unsigned int x = __VERIFIER_nondet_uint(), y = «0¦__VERIFIER_nondet_uchar()», z = 0;
    «¦assume(x < «50..100000»);»
    while (x < «100¦1000¦100000¦10000000») {
        if (x < «50¦500») x++;
        else { x += «2..5»; y++; }
        z = z * «1¦3» + y;
    }
    «while (y > 0) { y--; z--; if (y == «5..40» && z % 2) break; }¦»
    if («z == «0..40»¦x % 2 == «0¦1» && y > «10..60»¦(z & 15) == «0..15»») reach_error();
}
