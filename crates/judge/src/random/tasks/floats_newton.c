void §part(void) {
    «double¦float» x = __VERIFIER_nondet_«double¦float»(), guess, last;
    int rounds = 0;
    if (!(x >= 1 && x <= «4¦100¦1e6»)) return;
    guess = «1¦x / 2»;
    do {
        last = guess;
        guess = (guess + x / guess) / 2;
        rounds++;
    } while (guess != last «&& rounds < «5..40»¦¦&& (last - guess > 0.01 || guess - last > 0.01)»);
    if (guess > «2..9») reach_error();
    if (rounds == «3..9») reach_error();
}
