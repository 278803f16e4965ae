/* A task of Test-Comp. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
    int year = __VERIFIER_nondet_int();
    int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (is_leap && year % 200 == 100)
        reach_error();
    return 0;
}
