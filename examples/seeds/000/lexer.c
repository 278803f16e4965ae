// Godefroid 2011, section 7 and figure 4: keywords are hashed into a table at the start, words of the input are looked up in it.
//
//     coax cover examples/seeds/000/lexer.c --unknown hash --no-mutate
#include "language.h"
#include <stdlib.h>

enum { TABLE_SIZE = 101 };

struct entry {
    struct entry *next;
    const char *name;
    enum token token;
};

static struct entry *table[TABLE_SIZE];

static unsigned hash(const char *name) {
    uint64_t mixed = 0x9e3779b97f4a7c15;
    for (; *name; name++) {
        mixed = (mixed ^ (uint8_t)*name) * 0xbf58476d1ce4e5b9;
        mixed ^= mixed >> 29;
    }
    mixed = (mixed ^ mixed >> 32) * 0x94d049bb133111eb;
    return (unsigned)((mixed ^ mixed >> 31) % TABLE_SIZE);
}

/* Adds a keyword to the table; -1 if it is there already. */
static int addsym(const char *name, enum token token) {
    unsigned place = hash(name);
    for (struct entry *entry = table[place]; entry; entry = entry->next) {
        if (!strcmp(name, entry->name)) return -1;
    }
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) abort();
    entry->next = table[place];
    entry->name = name;
    entry->token = token;
    table[place] = entry;
    return 0;
}

static struct entry *findsym(const char *name) {
    static struct entry none = {NULL, NULL, NAME};
    for (struct entry *entry = table[hash(name)]; entry; entry = entry->next) {
        if (!strcmp(name, entry->name)) return entry;
    }
    return &none;
}

static enum token classify(const char *word) { return findsym(word)->token; }

/* Once or again: what is there already stays. */
static void fill_table(void) {
    addsym("print", PRINT);
    addsym("let", LET);
    addsym("be", BE);
    addsym("if", IF);
    addsym("then", THEN);
    addsym("else", ELSE);
    addsym("end", END);
    addsym("while", WHILE);
    addsym("do", DO);
    addsym("return", RETURN);
    addsym("skip", SKIP);
    addsym("less", LESS);
    addsym("equals", EQUALS);
    addsym("not", NOT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fill_table();
    parse((const char *)data, size);
    return 0;
}
