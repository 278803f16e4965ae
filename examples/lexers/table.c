// Keywords are hashed into a table at the start, as flex does with the words of its own language (Godefroid 2011, figure 4).
//
//     coax cover examples/lexers/table.c examples/lexers/parser.c
#include "scanner.h"
#include <stdlib.h>
#include <string.h>

enum { TABLE_SIZE = 101 };

struct entry {
    struct entry *previous, *next;
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

static struct entry *findsym(const char *name) {
    struct entry *entry = table[hash(name)];
    while (entry && strcmp(name, entry->name) != 0) entry = entry->next;
    return entry;
}

static void addsym(const char *name, enum token token) {
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) abort();
    unsigned place = hash(name);
    entry->previous = NULL;
    entry->next = table[place];
    entry->name = name;
    entry->token = token;
    if (entry->next) entry->next->previous = entry;
    table[place] = entry;
}

static enum token keyword(const char *word, size_t length) {
    (void)length;
    struct entry *found = findsym(word);
    return found ? found->token : NAME;
}

__attribute__((constructor)) static void fill_table(void) {
    addsym("program", PROGRAM);
    addsym("const", CONST);
    addsym("var", VAR);
    addsym("procedure", PROCEDURE);
    addsym("begin", BEGIN_BLOCK);
    addsym("end", END);
    addsym("if", IF);
    addsym("then", THEN);
    addsym("else", ELSE);
    addsym("while", WHILE);
    addsym("do", DO);
    addsym("for", FOR);
    addsym("to", TO);
    addsym("downto", DOWNTO);
    addsym("repeat", REPEAT);
    addsym("until", UNTIL);
    addsym("case", CASE);
    addsym("of", OF);
    addsym("otherwise", OTHERWISE);
    addsym("return", RETURN);
    addsym("break", BREAK);
    addsym("print", PRINT);
    addsym("array", ARRAY);
    addsym("and", AND);
    addsym("or", OR);
    addsym("not", NOT);
    addsym("div", DIV);
    addsym("mod", MOD);
    addsym("true", TRUE_VALUE);
    addsym("false", FALSE_VALUE);
}
