// Five operators a round on one number, without a decision about it: what a run pays for each term.

int run(int n) {
    unsigned x = (unsigned)n;
    for (unsigned i = 1; i <= 1000; i++) x = ((x ^ x >> 3) * 31 + i) | 1;
    return (int)x;
}
