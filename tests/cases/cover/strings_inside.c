// Strings in structures end, as those that are parameters do.
// REQUIRES: clang
// RUN: coax cover % --entry greet --max-len 6 --out %t/out
#include <string.h>

struct person {
    char *name;
    unsigned age;
    const char *title;
};

int greet(const struct person *person) {
    if (strlen(person->name) == 3 && person->age == 42) return 1;
    if (strcmp(person->title, "Dr") == 0) return 2;
    return 0;
}

// OUTPUT
// $ coax cover % --entry greet --max-len 6 --out %t/out
// | 3 tests, 0 failures; branches 6/6 (100 %), lines 4/4 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | Tests are in [t]/out/tests.
