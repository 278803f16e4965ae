// Quicksort with a median of three: recursion, and loops whose branches nobody can predict.

static unsigned values[20000];

static unsigned next(unsigned *state) { return *state = *state * 1664525u + 1013904223u; }

static void swap(unsigned *a, unsigned *b) {
    unsigned kept = *a;
    *a = *b;
    *b = kept;
}

static void sort(int low, int high) {
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (values[middle] < values[low]) swap(&values[middle], &values[low]);
        if (values[high] < values[low]) swap(&values[high], &values[low]);
        if (values[high] < values[middle]) swap(&values[high], &values[middle]);
        unsigned pivot = values[middle];
        int i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) i++;
            while (values[j] > pivot) j--;
            if (i <= j) swap(&values[i++], &values[j--]);
        }
        sort(low, j);
        low = i;
    }
}

int run(int n) {
    int count = sizeof values / sizeof *values;
    unsigned state = 1, sum = 0;
    for (int round = 0; round < n; round++) {
        for (int i = 0; i < count; i++) values[i] = next(&state) >> 4;
        sort(0, count - 1);
        for (int i = 1; i < count; i++)
            if (values[i - 1] > values[i]) return -1;
        for (int i = 0; i < count; i += 97) sum = sum * 31 + values[i];
    }
    return (int)sum;
}
