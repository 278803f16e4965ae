// Accesses outside of a block of the heap: each is found, though the plain program goes on; the fixed twins have none.
// REQUIRES: clang
// RUN: coax cover % --entry index_too_large --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry index_fixed --out %t/2 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry word_at_the_end --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry word_fixed --out %t/4 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry index_negative --out %t/5 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry negative_fixed --out %t/6 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry before_the_first --out %t/7 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry before_fixed --out %t/8 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry copy_too_long --out %t/9 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry copy_fixed --out %t/10 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry no_room_for_the_end --max-len 8 --out %t/11 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry room_fixed --max-len 8 --out %t/12 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax replay % --test %t/1/tests | grep -o 'heap buffer.*'

#include <stdlib.h>
#include <string.h>

// Only a certain kind comes to the access, and only one index is wrong.
static int table(unsigned kind, unsigned index, unsigned most) {
    int *table = calloc(100, sizeof *table);
    int found = 0;
    if (table && kind == 4711 && index <= most)
        found = table[index] + 1;
    free(table);
    return found;
}
int index_too_large(unsigned kind, unsigned index) { return table(kind, index, 100); }
int index_fixed(unsigned kind, unsigned index) { return table(kind, index, 99); }

// Four bytes are read where three are left.
static unsigned word(unsigned size, unsigned wanted) {
    if (size < 8 || size > 16) return 0;
    unsigned char *buffer = calloc(1, size);
    unsigned word = 0;
    if (buffer && wanted <= size) memcpy(&word, buffer + size - wanted, sizeof word);
    free(buffer);
    return word;
}
unsigned word_at_the_end(unsigned size, unsigned wanted) { return word(size, wanted); }
unsigned word_fixed(unsigned size, unsigned wanted) { return wanted < 4 ? 0 : word(size, wanted); }

static int history(int back, int most) {
    short *history = malloc(64 * sizeof *history);
    int value = 0;
    if (history && back > 50 && back <= most) {
        history[64 - back] = 7;
        value = history[64 - back];
    }
    free(history);
    return value;
}
int index_negative(int back) { return history(back, 65); }
int negative_fixed(int back) { return history(back, 64); }

// A loop that goes back to the last blank, and does not stop at the first byte.
static int last_blank(char first, int checks) {
    char *text = malloc(12);
    if (!text) return 0;
    memset(text, 'x', 12);
    text[0] = first;
    char *at = text + 11;
    while ((!checks || at > text) && *at != ' ' && at > text - 4) at--;
    int place = at - text;
    free(text);
    return place;
}
int before_the_first(char first) { return last_blank(first, 0); }
int before_fixed(char first) { return last_blank(first, 1); }

static int copy(unsigned length, unsigned most) {
    char *source = calloc(1, 300), *target = malloc(200);
    int is_copied = 0;
    if (source && target && length > 150 && length < most) {
        memcpy(target, source, length);
        is_copied = target[3] == 0;
    }
    free(source);
    free(target);
    return is_copied;
}
int copy_too_long(unsigned length) { return copy(length, 205); }
int copy_fixed(unsigned length) { return copy(length, 201); }

// The classic: no room for the zero at the end of a string.
static int duplicate(const char *name, unsigned more) {
    char *copy = malloc(strlen(name) + more);
    if (!copy) return 0;
    int is_special = name[0] == '#';
    if (is_special) strcpy(copy, name);
    free(copy);
    return is_special;
}
int no_room_for_the_end(const char *name) { return duplicate(name, 0); }
int room_fixed(const char *name) { return duplicate(name, 1); }

// OUTPUT
// $ coax cover % --entry index_too_large --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  heap buffer overflow at memory_heap_overflow.c:31:17
// $ coax cover % --entry index_fixed --out %t/2 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry word_at_the_end --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  heap buffer overflow at memory_heap_overflow.c:43:35
// $ coax cover % --entry word_fixed --out %t/4 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry index_negative --out %t/5 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  heap buffer overflow at memory_heap_overflow.c:54:28
// $ coax cover % --entry negative_fixed --out %t/6 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry before_the_first --out %t/7 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  heap buffer overflow at memory_heap_overflow.c:70:38
// $ coax cover % --entry before_fixed --out %t/8 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry copy_too_long --out %t/9 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  heap buffer overflow at memory_heap_overflow.c:82:9
// $ coax cover % --entry copy_fixed --out %t/10 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry no_room_for_the_end --max-len 8 --out %t/11 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  heap buffer overflow at memory_heap_overflow.c:97:21
// $ coax cover % --entry room_fixed --max-len 8 --out %t/12 2>/dev/null | grep -c FAILS
// | 0
// $ coax replay % --test %t/1/tests | grep -o 'heap buffer.*'
// | heap buffer overflow (4 bytes read, just behind a block of 400 bytes, allocated at memory_heap_overflow.c:28:18) at memory_heap_overflow.c:31:17 in table
