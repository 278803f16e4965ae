// A number as text, and a hash, on the way to a place: functions that become unknown by themselves.
// REQUIRES: clang
// RUN: coax reach % --entry number --target %:18 --max-runs 600 --out %t/by_itself | sed 's/-[0-9a-f]*.json//'
// RUN: coax reach % --entry keyword --target %:25 --unknown hash --max-runs 400 --out %t/keyword | sed 's/-[0-9a-f]*.json//'

#include <stdlib.h>
#include <string.h>

static unsigned hash(const char *text, unsigned length) {
    unsigned value = 2166136261u;
    for (unsigned i = 0; i < length; i++) value = (value ^ (unsigned char)text[i]) * 16777619u;
    return value;
}

int number(const char *text) {
    double value = strtod(text, 0);
    if (value > 12.5 && value < 13) {
        return 1;
    }
    return 0;
}

int keyword(const char *text) {
    if (strlen(text) == 4 && hash(text, 4) == hash("exit", 4)) {
        return 1;
    }
    return 0;
}

// OUTPUT
// $ coax reach % --entry number --target %:18 --max-runs 600 --out %t/by_itself | sed 's/-[0-9a-f]*.json//'
// | reached      on_the_way.c:18  number-line-17-to-line-18
// $ coax reach % --entry keyword --target %:25 --unknown hash --max-runs 400 --out %t/keyword | sed 's/-[0-9a-f]*.json//'
// | reached      on_the_way.c:25  keyword-line-24-to-line-25
