void §part(void) {
    «unsigned int¦unsigned long long¦int» x = __VERIFIER_nondet_«uint¦ulong¦int»();
    unsigned ones = 0, y = __VERIFIER_nondet_uchar(), product = 0, i;
    «for (i = 0; i < 8 * sizeof x; i++) ones += x >> i & 1;¦while (x) { x &= x - 1; ones++; }¦while (x > 0) { ones += x & 1; x >>= 1; }»
    for (i = 0; i < 8; i++) if (y >> i & 1) product += ones << i;
    if (ones == «3..30» && «product % 11 == 3¦product > 500¦1») reach_error();
    «if (product != ones * y) reach_error();¦»
    if (x «/¦%» (int)(y - «20..200»)) ones++;
}
