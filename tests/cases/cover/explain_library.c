// Calls that libraries make say little about the user's code: they are named on request.
// REQUIRES: clang
// RUN: coax cover % --entry check --max-runs 20 --out %t/out > %t/said
// RUN: coax explain %t/out explain_library.c:10
// RUN: coax explain %t/out explain_library.c:10 --all | tail -n 1 | sed 's,.*/,,; s,:.*,,'
// RUN: coax explain %t/out explain_library.c:12

#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int never(int x) { return x + 1; }

int check(int x) {
    int numbers[3] = {3, 1, 2};
    if (x * x == 3) {
        qsort(numbers, 3, sizeof *numbers, compare);
        return never(x);
    }
    return numbers[0];
}

// OUTPUT
// $ coax cover % --entry check --max-runs 20 --out %t/out > %t/said
// $ coax explain %t/out explain_library.c:10
// | explain_library.c:10 is not covered
// | its function is called only by libraries, and not in any run; `--all` says where
// $ coax explain %t/out explain_library.c:10 --all | tail -n 1 | sed 's,.*/,,; s,:.*,,'
// | qsort.c
// $ coax explain %t/out explain_library.c:12
// | explain_library.c:12 is not covered
// | its function is called only here, where no run came:
// |   explain_library.c:18:16
