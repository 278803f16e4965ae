void §part(void) {
    «unsigned int¦int¦unsigned short¦long long» n = __VERIFIER_nondet_«int¦uint¦ushort¦uchar»(), i, sum = 0;
    «¦if (n > «10..2000») return;¦assume(n >= 0);»
    for (i = «0¦1»; i < n; i++) {
        «sum += i;¦sum = sum + 2;¦sum ^= i * «3..99»;¦if (i % «2..9» == 0) sum++;¦if (sum < «10..90») sum += i; else sum--;»
        «¦if (sum == «1000..90000») break;¦int j; for (j = 0; j < i; j++) sum += j & 1;»
    }
    if («sum == «2..60»¦i == «7..40»¦sum > «100..900»») reach_error();
}
