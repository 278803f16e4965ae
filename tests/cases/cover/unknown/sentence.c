// Words are looked up by their hash, and only a sentence of several leads on: each is put in the place of the last, and the text grows behind it.
// REQUIRES: clang
// RUN: coax cover % --entry f --unknown hash --no-mutate --max-runs 900 --out %t/out

#include <stddef.h>
#include <string.h>

static const char *const words[] = {"let", "be", "end", "not"};
static const char *table[64];
static const char *at, *behind;

static unsigned hash(const char *word) {
    unsigned long long mixed = 0x9e3779b97f4a7c15ull;
    for (; *word; word++) {
        mixed = (mixed ^ (unsigned char)*word) * 0xbf58476d1ce4e5b9ull;
        mixed ^= mixed >> 29;
    }
    return (unsigned)(mixed >> 32) & 63;
}

/* The next word of the text, or nothing if it is none of the language. */
static const char *next_word(void) {
    char word[8] = "";
    size_t length = 0;
    while (at < behind && *at == ' ')
        at++;
    while (at < behind && *at != ' ' && length < 7)
        word[length++] = *at++;
    const char *found = table[hash(word)];
    return found && !strcmp(found, word) ? found : NULL;
}

int f(const char *text, size_t length) {
    for (int i = 0; i < 4; i++)
        table[hash(words[i])] = words[i];
    at = text;
    behind = text + length;
    if (next_word() != words[0])
        return 0;
    if (next_word()) /* a name */
        return 1;
    if (next_word() != words[1])
        return 2;
    const char *value = next_word();
    if (value == words[3])
        value = next_word();
    return value == words[2] ? 4 : 3;
}

// OUTPUT
// $ coax cover % --entry f --unknown hash --no-mutate --max-runs 900 --out %t/out
// | 5 tests, 0 failures; branches 26/26 (100 %), lines 27/27 (100 %), functions 3/3 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | `hash` is unknown: [n] values seen, [n] direct calls
// | Tests are in [t]/out/tests.
