// The average of the numbers on standard input; one input makes it trap.
//
//     printf '3 4 8' | coax replay examples/average.c --stdin -
//     coax replay examples/average.c
#include <stdio.h>

static int average(const int *numbers, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += numbers[i];
    return sum / count;
}

int main(void) {
    int numbers[100], count = 0;
    while (count < 100 && scanf("%d", &numbers[count]) == 1) count++;
    printf("%d\n", average(numbers, count));
    return 0;
}
