// Reads a time of day, such as 09:45, from standard input.
//
//     printf 09:45 | coax replay examples/small/clock.c --stdin -
//     coax cover examples/small/clock.c --max-len 8
#include <stdio.h>

enum { NO_TIME = -1 };

/* Two digits as a number. */
static int two_digits(void) {
    int number = 0;
    for (int i = 0; i < 2; i++) {
        int character = getchar();
        if (character < '0' || character > '9') return NO_TIME;
        number = number * 10 + (character - '0');
    }
    return number;
}

static int minutes_of_day(void) {
    int hour = two_digits();
    if (hour == NO_TIME || hour > 23) return NO_TIME;
    if (getchar() != ':') return NO_TIME;
    int minute = two_digits();
    if (minute == NO_TIME || minute > 59) return NO_TIME;
    return hour * 60 + minute;
}

int main(void) {
    int minutes = minutes_of_day();
    if (minutes == NO_TIME) {
        puts("no time");
        return 1;
    }
    if (minutes >= 24 * 60) return 2; /* a day has no more */
    if (minutes < 12 * 60) puts("in the morning");
    else if (minutes == 12 * 60) puts("noon");
    else puts("in the afternoon");
    return 0;
}
