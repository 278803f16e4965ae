// Each line says in a comment which sites it has. A mark with `!` holds at every level of optimisation; a
// plain one by default, a site with `?` only an optimiser makes. No site is on a line without its mark. The branch of a condition
// that spans lines is where clang puts it: that of `a && b` at the operator, that of `?` at its condition.

extern int external(int);
extern void stop(void) __attribute__((noreturn));

static int clamp(int x, int low, int high) {
    if (x < low) // @branch
        return low;
    if (x > high) // @branch
        return high;
    return x;
}

int divide(int a, int b) {
    return a
           / b; // @trap!
}

int sum(const int *values, int count) {
    int total = 0;
    for (int i = 0; i < count; i++) { // @branch!
        total += values[i]; // @access!
        if (total > 100) // @branch!
            stop(); // @call! @trap!
    }
    return total;
}

int name(int i) {
    switch (i) { // @branch! @call? @access?
    case 0:
        return external(1); // @call
    case 1:
        return external(20); // @call
    case 2:
        return external(33); // @call
    case 5:
        return external(47); // @call
    }
    return i;
}

int nested(int a, int b, int *out) {
    int limited = clamp(a, 1, 3); // @call
    if (limited > 2 && // @branch!
        external(b) == 'x') { // @call!
        *out = b; // @access!
    } else if (b) { // @branch!
        do {
            b = external(b); // @call!
        } while (b != 3); // @branch!
        out[1] = a; // @access!
    }
    int steps = 0;
    while (a > 0) { // @branch!
        if (external(a)) // @call! @branch!
            break;
        a--;
        steps++;
    }
    return steps // @branch!
               ? external(steps) // @call!
               : *out; // @access!
}
