/* Dates from ranges. */
#include <klee/klee.h>

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_in(int month, int year) {
    switch (month) {
    case 2: return 28 + is_leap(year);
    case 4: case 6: case 9: case 11: return 30;
    default: return 31;
    }
}

int main() {
    int month = klee_range(1, 13, "month");
    int year = klee_range(1900, 2101, "year");
    int day = klee_int("day");
    if (day < 1 || day > days_in(month, year)) klee_silent_exit(0);
    if (month == 2 && day == 29) klee_assert(is_leap(year));
    return day;
}
