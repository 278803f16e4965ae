// Undefined behaviour goes unnoticed, or traps with its reason if asked to.
// REQUIRES: clang-22
// RUN: coax replay % --entry add --param 2147483647 --param 1
// RUN: coax replay % --entry add --param 2147483647 --param 1 --ubsan
// EXIT: 1
// RUN: coax replay % --entry pick --param 5 --ubsan
// EXIT: 1

int add(int a, int b) {
    return a + b;
}

int numbers[4] = {1, 2, 3, 4};

int pick(int i) {
    return numbers[i];
}

// OUTPUT
// $ coax replay % --entry add --param 2147483647 --param 1
// | ok    run: returned i32 -2147483648
// $ coax replay % --entry add --param 2147483647 --param 1 --ubsan
// | FAIL  run: trapped: unreachable (Undefined Behavior Sanitizer: signed integer addition overflow in 'a + b') at undefined.c:10:14 in add
// $ coax replay % --entry pick --param 5 --ubsan
// | FAIL  run: trapped: unreachable (Undefined Behavior Sanitizer: Array index out of bounds) at undefined.c:16:12 in pick
