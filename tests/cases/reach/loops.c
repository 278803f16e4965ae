// Loops that go round many times, as methods that are run: what they are given is looked for, and what they give is what matters.
// REQUIRES: clang
// RUN: coax reach % --entry collatz --target %:17 --strategy backward --out %t/collatz
// RUN: coax reach % --entry digits --target %:26 --strategy backward --out %t/digits
// RUN: coax reach % --entry wave --target %:33 --strategy backward --out %t/wave
// RUN: grep -h segments %t/collatz/report.json %t/digits/report.json %t/wave/report.json

#include <math.h>

int collatz(unsigned n) {
    int steps = 0;
    while (n > 1 && steps < 1000) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    if (steps == 111) {
        return 1;
    }
    return 0;
}

int digits(unsigned long long n) {
    int sum = 0;
    for (; n > 0; n /= 10) sum += (int)(n % 10);
    if (sum == 97) {
        return 1;
    }
    return 0;
}

int wave(double x, double y) {
    if (x > 1 && x < 2 && sin(x) * cos(y) > 0.9 && sqrt(y) > 3) {
        return 1;
    }
    return 0;
}

// OUTPUT
// $ coax reach % --entry collatz --target %:17 --strategy backward --out %t/collatz
// | reached      loops.c:17  collatz-line-12-to-12-27-4bc654.json
// $ coax reach % --entry digits --target %:26 --strategy backward --out %t/digits
// | reached      loops.c:26  digits-line-24-to-line-24-baa8c7.json
// $ coax reach % --entry wave --target %:33 --strategy backward --out %t/wave
// | reached      loops.c:33  wave-line-32-to-line-32-dc6c59.json
// $ grep -h segments %t/collatz/report.json %t/digits/report.json %t/wave/report.json
// |       "segments": 3,
// |       "segments": 2,
// |       "segments": 4,
