// Products of matrices of doubles: a tight loop of floating-point arithmetic.

enum { SIZE = 64 };

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(void) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            double sum = 0;
            for (int k = 0; k < SIZE; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

int run(int n) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (double)((i * 7 + j) % 11) / 8;
            b[i][j] = (double)((i + j * 5) % 13) / SIZE;
        }
    for (int round = 0; round < n; round++) {
        multiply();
        // Halved and folded back, so that values neither grow nor vanish.
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) a[i][j] = c[i][j] > 1 ? c[i][j] / 8 : c[i][j] + 0.25;
    }
    double trace = 0;
    for (int i = 0; i < SIZE; i++) trace += c[i][SIZE - 1 - i];
    return (int)(trace * 65536);
}
