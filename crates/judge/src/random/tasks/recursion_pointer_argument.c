void §count(int *left, int *sum) {
    if (*left <= 0) return;
    «*sum += *left;¦(*sum)++;¦*sum ^= *left;»
    --*left;
    §count(left, sum);
    «¦(*left)++;»
}
void §part(void) {
    int left = __VERIFIER_nondet_int(), sum = 0;
    «¦if (left > «10..200») return;»
    §count(&left, &sum);
    if (sum == «6¦10¦15¦20¦21¦28¦36») reach_error();
}
