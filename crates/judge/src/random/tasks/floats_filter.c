void §part(void) {
    float state = 0, old = 0;
    int i;
    for (i = 0; i < «4..30»; i++) {
        float in = __VERIFIER_nondet_float();
        «if (!(in >= -1 && in <= 1)) return;¦assume(in > -5.f && in < 5.f);¦»
        state = in * 0.«1..9»f + state * 0.«1..9»f - old * 0.«1..3»f;
        old = in;
        if (state > «2..9».f) reach_error();
        if (state != state) «reach_error();¦return;»
    }
    if ((int)(state * 10) == «1..9») reach_error();
}
