// Products of matrices of integers in rows that are addressed through pointers.

enum { SIZE = 64 };

static int cells[3][SIZE * SIZE];
static int *rows[3][SIZE];

static void multiply(int **to, int *const *left, int *const *right) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) to[i][j] = 0;
    for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < SIZE; k++) {
            int factor = left[i][k];
            for (int j = 0; j < SIZE; j++) to[i][j] += factor * right[k][j];
        }
}

int run(int n) {
    for (int which = 0; which < 3; which++)
        for (int i = 0; i < SIZE; i++) rows[which][i] = &cells[which][((i * 5) % SIZE) * SIZE];
    for (int i = 0; i < SIZE * SIZE; i++) cells[0][i] = i % 17 - 8, cells[1][i] = i % 23 - 11;
    for (int round = 0; round < n; round++) {
        multiply(rows[2], rows[0], rows[1]);
        for (int i = 0; i < SIZE * SIZE; i++) cells[0][i] = (cells[2][i] & 0xffff) - 0x8000;
    }
    int sum = 0;
    for (int i = 0; i < SIZE * SIZE; i++) sum = sum * 31 + cells[2][i];
    return sum;
}
