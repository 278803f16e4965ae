// The weekday of a date, after the Gregorian calendar.
//
//     coax cover examples/small/calendar.c --entry weekday
enum { SUNDAY, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, NO_DATE = -1 };

static int is_leap_year(int year) {
    if (year % 400 == 0) return 1;
    if (year % 100 == 0) return 0;
    return year % 4 == 0;
}

static int days_in(int month, int year) {
    switch (month) {
        case 4:
        case 6:
        case 9:
        case 11: return 30;
        case 2: return is_leap_year(year) ? 29 : 28;
        default: return 31;
    }
}

int weekday(int year, int month, int day) {
    if (year < 1583 || year > 2400) return NO_DATE;
    if (month < 1 || month > 12) return NO_DATE;
    if (day < 1 || day > days_in(month, year)) return NO_DATE;
    if (month == 2 && day > 29) return NO_DATE; /* no February has so many days */
    // Zeller's congruence: a year begins in March.
    if (month <= 2) {
        month += 12;
        year--;
    }
    int century = year / 100, rest = year % 100;
    int number = (day + 13 * (month + 1) / 5 + rest + rest / 4 + century / 4 + 5 * century) % 7;
    if (number < 0) return NO_DATE; /* the sum is positive */
    if (number == 0) return SATURDAY;
    return number - 1;
}
