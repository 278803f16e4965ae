static void *§take(unsigned n);
static void *§part_of(unsigned n) { «char room[«8¦64¦2000»]; room[n & 7] = 1; n += room[n & 3];¦» return §take(n «¦+ 1¦| 1»); }
static void *§take(unsigned n) {
    if (n == «0..9») return 0;
    return (char *)§part_of(n «¦+ 2») + 1;
}
void §part(void) {
    unsigned n = __VERIFIER_nondet_uint();
    «¦if (n > «3..100») return;»
    if (§take(n)) reach_error();
}
