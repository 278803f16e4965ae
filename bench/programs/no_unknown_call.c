// A parser that does without a hash unless its text is larger than any that is tried: what does it cost to know nothing about the hash?
#include "../../examples/seeds/000/language.h"

static uint32_t hash(const uint8_t *data, size_t length) {
    uint64_t mixed = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < length; i++) {
        mixed = (mixed ^ data[i]) * 0xbf58476d1ce4e5b9;
        mixed ^= mixed >> 29;
    }
    return (uint32_t)(mixed ^ mixed >> 32);
}

static enum token classify(const char *word) {
    static const char *const words[] = {"print", "let", "be",     "if",   "then", "else",   "end",
                                        "while", "do",  "return", "skip", "less", "equals", "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i]) == 0) return PRINT + i;
    }
    return NAME;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1 << 20 && hash(data, size) == 0) return -1;
    parse((const char *)data, size);
    return 0;
}
