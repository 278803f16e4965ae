// The eight queens and their sisters: backtracking with a board in memory.

static signed char column_of[16];

static int is_safe(int row, int column) {
    for (int other = 0; other < row; other++) {
        int distance = column_of[other] - column;
        if (distance == 0 || distance == row - other || distance == other - row) return 0;
    }
    return 1;
}

static int place(int row, int size) {
    if (row == size) return 1;
    int solutions = 0;
    for (int column = 0; column < size; column++)
        if (is_safe(row, column)) {
            column_of[row] = (signed char)column;
            solutions += place(row + 1, size);
        }
    return solutions;
}

int run(int n) {
    int sum = 0;
    for (int round = 0; round < n; round++) sum = sum * 3 + place(0, 5 + round % 5);
    return sum;
}
