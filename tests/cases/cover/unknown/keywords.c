// Words are looked up by their hash: the program itself shows which words have which, so each is found from nothing.
// REQUIRES: clang
// RUN: coax cover % --entry f --unknown hash --no-mutate --max-runs 200 --out %t/out

#include <string.h>

static const char *const words[] = {"begin", "end", "while"};
static const char *table[64];

static unsigned hash(const char *word) {
    unsigned long long mixed = 0x9e3779b97f4a7c15ull;
    for (; *word; word++) {
        mixed = (mixed ^ (unsigned char)*word) * 0xbf58476d1ce4e5b9ull;
        mixed ^= mixed >> 29;
    }
    return (unsigned)(mixed >> 32) & 63;
}

int f(const char *word) {
    for (int i = 0; i < 3; i++)
        table[hash(words[i])] = words[i];
    const char *found = table[hash(word)];
    if (!found || strcmp(found, word))
        return 0;
    if (found == words[0])
        return 1;
    if (found == words[1])
        return 2;
    return 3;
}

// OUTPUT
// $ coax cover % --entry f --unknown hash --no-mutate --max-runs 200 --out %t/out
// | 5 tests, 0 failures; branches 12/12 (100 %), lines 15/15 (100 %), functions 2/2 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | `hash` is unknown: [n] values seen, [n] direct calls
// | Tests are in [t]/out/tests.
