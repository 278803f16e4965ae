// Sorts up to four numbers by insertion, and looks whether they are in order.
//
//     coax cover examples/small/sort.c --entry sort
enum { MOST = 4, TOO_MANY = -1, NOT_SORTED = -2 };

static void insert(int *numbers, int count, int number) {
    int place = count;
    while (place > 0 && numbers[place - 1] > number) {
        numbers[place] = numbers[place - 1];
        place--;
    }
    numbers[place] = number;
}

static int is_sorted(const int *numbers, int count) {
    for (int i = 1; i < count; i++) {
        if (numbers[i - 1] > numbers[i]) return 0;
    }
    return 1;
}

/* How many different numbers there are. */
int sort(int *numbers, int count) {
    if (count > MOST) return TOO_MANY;
    for (int i = 1; i < count; i++) insert(numbers, i, numbers[i]);
    if (!is_sorted(numbers, count)) return NOT_SORTED;
    int different = 0;
    for (int i = 0; i < count; i++) {
        if (i == 0 || numbers[i] != numbers[i - 1]) different++;
    }
    return different;
}
