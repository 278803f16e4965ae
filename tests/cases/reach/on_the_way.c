// A number as text, and a hash, on the way to a place: functions that become unknown by themselves.
// REQUIRES: clang
// RUN: coax reach % --entry number --target %:19 --unknown strtod --max-runs 400 --seed 1 --out %t/number | sed 's/-[0-9a-f]*.json//'
// RUN: coax reach % --entry number --target %:19 --max-runs 600 --out %t/by_itself | sed 's/-[0-9a-f]*.json//'
// RUN: coax reach % --entry keyword --target %:26 --unknown hash --max-runs 400 --out %t/keyword | sed 's/-[0-9a-f]*.json//'

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
// $ coax reach % --entry number --target %:19 --unknown strtod --max-runs 400 --seed 1 --out %t/number | sed 's/-[0-9a-f]*.json//'
// | reached      on_the_way.c:19  number-line-18-to-line-19
// $ coax reach % --entry number --target %:19 --max-runs 600 --out %t/by_itself | sed 's/-[0-9a-f]*.json//'
// | reached      on_the_way.c:19  number-line-18-to-line-19
// $ coax reach % --entry keyword --target %:26 --unknown hash --max-runs 400 --out %t/keyword | sed 's/-[0-9a-f]*.json//'
// | reached      on_the_way.c:26  keyword-line-25-to-line-26
