// Each proof says what it takes for granted, as far as that can matter to it: what the host does before, how wide C's types are, that it is the
// first call. The report begins with the data model.
// REQUIRES: clang
// RUN: coax cover % --entry allocates --no-mutate --out %t/a | grep -e infeasible -e assumes; grep data_model %t/a/report.json
// RUN: coax explain %t/a %:21
// RUN: coax cover % --entry is_wide --no-mutate --out %t/b | grep -e infeasible -e assumes
// RUN: coax cover % --entry counts --no-mutate --out %t/c | grep -e infeasible -e assumes
// RUN: coax cover % --no-mutate --out %t/e | grep -e infeasible -e assumes
// RUN: coax reach % --entry allocates --target %:21 --no-mutate --out %t/f
// EXIT: 3
// RUN: coax reach % --entry is_wide --target %:28 --no-mutate --out %t/g
// EXIT: 3
#include <stdlib.h>
#include <time.h>

#pragma clang diagnostic ignored "-Wtautological-constant-out-of-range-compare"

int allocates(int count) {
    int *numbers = malloc((count & 3) + 1);
    if (!numbers)
        return -1;
    free(numbers);
    return 0;
}

int is_wide(long number) {
    if (number > 3000000000)
        return 1;
    return 0;
}

// What is behind its branch does not matter to it.
int counts(int by) {
    static int calls;
    if (calls > 0)
        return 1;
    calls += by;
    return malloc(calls & 7) != 0;
}

int main(void) {
    time_t now = time(0);
    if (now == 12345)
        return 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry allocates --no-mutate --out %t/a | grep -e infeasible -e assumes; grep data_model %t/a/report.json
// | not covered  assumes_of_proofs.c:20:9 to line 21: proved infeasible: no input takes it
// | not covered  assumes_of_proofs.c:26 is_wide, 2 branches: proved: it is never called from this entry
// | not covered  assumes_of_proofs.c:33 counts, 2 branches: proved: it is never called from this entry
// | not covered  assumes_of_proofs.c:41 main, 2 branches: proved: it is never called from this entry
// | What is proved assumes: memory does not run out: `malloc` and its like do not fail; `long`, `size_t` and pointers have 32 bits.
// |   "data_model": "ilp32 (wasm32): int, long, size_t and pointers have 32 bits; long long has 64",
// $ coax explain %t/a %:21
// | assumes_of_proofs.c:21 is not covered
// | no run came there, because
// |   assumes_of_proofs.c:20:9 to line 21 is not covered: proved infeasible: no input takes it
// |       if (!numbers)
// | What is proved assumes: memory does not run out: `malloc` and its like do not fail; `long`, `size_t` and pointers have 32 bits.
// $ coax cover % --entry is_wide --no-mutate --out %t/b | grep -e infeasible -e assumes
// | not covered  assumes_of_proofs.c:27:16 to line 28: proved infeasible: no input takes it
// | not covered  assumes_of_proofs.c:18 allocates, 2 branches: proved: it is never called from this entry
// | not covered  assumes_of_proofs.c:33 counts, 2 branches: proved: it is never called from this entry
// | not covered  assumes_of_proofs.c:41 main, 2 branches: proved: it is never called from this entry
// | What is proved assumes: `long`, `size_t` and pointers have 32 bits.
// $ coax cover % --entry counts --no-mutate --out %t/c | grep -e infeasible -e assumes
// | not covered  assumes_of_proofs.c:35:15 to line 36: proved infeasible: no input takes it
// | not covered  assumes_of_proofs.c:18 allocates, 2 branches: proved: it is never called from this entry
// | not covered  assumes_of_proofs.c:26 is_wide, 2 branches: proved: it is never called from this entry
// | not covered  assumes_of_proofs.c:41 main, 2 branches: proved: it is never called from this entry
// | What is proved assumes: `counts` is called once, when the program has just begun; `long`, `size_t` and pointers have 32 bits.
// $ coax cover % --no-mutate --out %t/e | grep -e infeasible -e assumes
// | not covered  assumes_of_proofs.c:43:13 to line 44: proved infeasible: no input takes it
// | not covered  assumes_of_proofs.c:18 allocates, 2 branches: proved: it is never called from this entry
// | not covered  assumes_of_proofs.c:26 is_wide, 2 branches: proved: it is never called from this entry
// | not covered  assumes_of_proofs.c:33 counts, 2 branches: proved: it is never called from this entry
// | What is proved assumes: the clock shows what it shows in these runs; `long`, `size_t` and pointers have 32 bits.
// $ coax reach % --entry allocates --target %:21 --no-mutate --out %t/f
// | unreachable  assumes_of_proofs.c:21: all paths are explored, and none gets there, if all is as assumed
// | Assumed: memory does not run out: `malloc` and its like do not fail; `long`, `size_t` and pointers have 32 bits.
// $ coax reach % --entry is_wide --target %:28 --no-mutate --out %t/g
// | unreachable  assumes_of_proofs.c:28: what must hold on every way there contradicts itself: assumes_of_proofs.c:27:16
// | Assumed: `long`, `size_t` and pointers have 32 bits.
