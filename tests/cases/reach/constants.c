// What a constant holds is so whenever a function is called. A variable holds what it began with only in the first call, which the proof says.
// REQUIRES: clang
// RUN: coax reach % --entry of_constant --target constants.c:17 --strategy backward --out %t/1
// EXIT: 3
// RUN: coax reach % --entry of_variable --target constants.c:26 --strategy backward --out %t/2
// EXIT: 3

static const int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int calls;

int of_constant(unsigned n, int rounds)
{
    int sum = 0;
    for (int i = 0; i < rounds; i++) sum += i ^ rounds;
    if (sum > 4 && table[n & 7] > 9) {
        // Never.
        return 8;
    }
    return sum;
}
int of_variable(unsigned n, int rounds)
{
    int sum = 0;
    for (int i = 0; i < rounds; i++) sum += i ^ rounds;
    if (sum > 4 && calls > 9) {
        return 8;
    }
    calls += n & 1;
    return sum;
}

// OUTPUT
// $ coax reach % --entry of_constant --target constants.c:17 --strategy backward --out %t/1
// | unreachable  constants.c:17: what must hold on every way there contradicts itself: constants.c:15:17
// $ coax reach % --entry of_variable --target constants.c:26 --strategy backward --out %t/2
// | unreachable  constants.c:26: what must hold on every way there contradicts itself: constants.c:25:17
// | Assumed: `of_variable` is called once, when the program has just begun.
