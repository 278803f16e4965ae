// The Mandelbrot set: floating-point numbers, some of them single, that decide when a loop ends.

static int steps_double(double x, double y, int most) {
    double a = 0, b = 0;
    int steps = 0;
    for (; steps < most && a * a + b * b <= 4; steps++) {
        double next = a * a - b * b + x;
        b = 2 * a * b + y;
        a = next;
    }
    return steps;
}

static int steps_float(float x, float y, int most) {
    float a = 0, b = 0;
    int steps = 0;
    for (; steps < most && a * a + b * b <= 4; steps++) {
        float next = a * a - b * b + x;
        b = 2 * a * b + y;
        a = next;
    }
    return steps;
}

int run(int n) {
    unsigned sum = 0;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            double x = 3.0 * column / n - 2.25, y = 2.5 * row / n - 1.25;
            sum = sum * 31 + (unsigned)steps_double(x, y, 100);
            sum = sum * 31 + (unsigned)steps_float((float)x, (float)y, 100);
        }
    return (int)sum;
}
