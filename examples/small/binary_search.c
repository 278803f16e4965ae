// Binary search in a sorted array, which is looked at before.
//
//     coax cover examples/small/binary_search.c --entry find
enum { MOST = 6, NOT_FOUND = -1, TOO_MANY = -2, NOT_SORTED = -3, BROKEN = -4 };

static int search(const short *numbers, int count, short wanted) {
    int low = 0, high = count - 1, steps = 0;
    while (low <= high) {
        if (++steps > 3) return BROKEN; /* six numbers are halved three times */
        int middle = low + (high - low) / 2;
        if (middle < 0 || middle >= count) return BROKEN; /* it is between both */
        if (numbers[middle] == wanted) return middle;
        if (numbers[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return NOT_FOUND;
}

int find(const short *numbers, int count, short wanted) {
    if (count > MOST) return TOO_MANY;
    for (int i = 1; i < count; i++) {
        if (numbers[i - 1] >= numbers[i]) return NOT_SORTED;
    }
    return search(numbers, count, wanted);
}
