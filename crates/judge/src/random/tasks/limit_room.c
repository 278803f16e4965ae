static int §use(int n) {
    «char room[n];¦char *room = alloca(n);»
    room[0] = 1; room[n - 1] = 2;
    return room[0] + room[n / 2];
}
void §part(void) {
    int n = __VERIFIER_nondet_int(), i, sum = 0;
    if (n <= 0 «¦|| n > «1000¦100000¦7000000»») return;
    for (i = 1; i <= «1..4»; i++) sum += §use(n «/ i¦¦+ i» );
    if (sum == «2..12») reach_error();
}
