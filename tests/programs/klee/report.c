/* Errors that the program reports by itself. */
#include <klee/klee.h>
#include <stdlib.h>

static int divide(int a, int b) {
    if (b == 0) klee_report_error(__FILE__, __LINE__, "division by zero", "user.err");
    return a / b;
}

int main() {
    int a = klee_int("a"), b = klee_int("b");
    if (b == 0 && a == 0) klee_silent_exit(1);
    if (a == 7 && b == 7) abort();
    if (a == 8 && b == 8) klee_abort();
    return divide(a, b | 1);
}
