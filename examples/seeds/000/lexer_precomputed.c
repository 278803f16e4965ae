// Godefroid 2011, end of section 7: the hashes of the keywords are numbers in the source. Nothing in the program tells which
// words have them, so they are learned from texts that somebody wrote.
//
//     coax cover examples/seeds/000/lexer_precomputed.c --unknown hash --no-mutate --seeds examples/seeds/000/texts
#include "language.h"

static uint32_t hash(const char *name) {
    uint64_t mixed = 0x9e3779b97f4a7c15;
    for (; *name; name++) {
        mixed = (mixed ^ (uint8_t)*name) * 0xbf58476d1ce4e5b9;
        mixed ^= mixed >> 29;
    }
    mixed = (mixed ^ mixed >> 32) * 0x94d049bb133111eb;
    return (uint32_t)(mixed ^ mixed >> 31);
}

static enum token classify(const char *word) {
    switch (hash(word)) {
        case 0x622050b6: return PRINT;
        case 0x70cf1c5e: return LET;
        case 0x6733860e: return BE;
        case 0x91233dc7: return IF;
        case 0x82b461e2: return THEN;
        case 0x8cd4d251: return ELSE;
        case 0xd65a5553: return END;
        case 0x3345f1b1: return WHILE;
        case 0x6e141271: return DO;
        case 0x1bb620e7: return RETURN;
        case 0xb2edc58b: return SKIP;
        case 0xa19c46d2: return LESS;
        case 0xd890f8ad: return EQUALS;
        case 0xa59cc0f1: return NOT;
        default: return NAME;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    parse((const char *)data, size);
    return 0;
}
