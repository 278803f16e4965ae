// Recursion and little else: Fibonacci, Ackermann, and mutual recursion through a table of functions.

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

typedef int step(int, int);
static step collatz_even, collatz_odd, collatz_end;
static step *const steps[] = {collatz_even, collatz_odd, collatz_end};

static int onwards(int n, int count) { return steps[n == 1 ? 2 : n & 1](n, count); }
static int collatz_even(int n, int count) { return onwards(n / 2, count + 1); }
static int collatz_odd(int n, int count) { return onwards(3 * n + 1, count + 1); }
static int collatz_end(int n, int count) { return n + count; }

int run(int n) {
    int sum = 0;
    for (int round = 0; round < n; round++) {
        sum = sum * 7 + fibonacci(18 + round % 3);
        sum = sum * 7 + ackermann(2, 40 + round % 5);
        for (int start = 1; start < 200; start++) sum += onwards(start + round, 0);
    }
    return sum;
}
