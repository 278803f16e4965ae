// Blocks that are used after they were freed, freed twice, or freed though they are no blocks.
// REQUIRES: clang
// RUN: coax cover % --entry use_after_free --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry use_fixed --out %t/2 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry stale_pointer --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry stale_fixed --out %t/4 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry double_free --max-len 8 --max-runs 50 --out %t/5 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry double_fixed --max-len 8 --max-runs 50 --out %t/6 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry freed_by_both --out %t/7 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry both_fixed --out %t/8 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry free_inside --max-len 8 --out %t/9 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry inside_fixed --max-len 8 --out %t/10 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry free_static --out %t/11 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry static_fixed --out %t/12 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax replay % --test %t/1/tests | grep -o 'use after free.*'

#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };

static struct node *list(int count) {
    struct node *first = NULL;
    for (int i = 0; i < count; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node) break;
        *node = (struct node){i, first};
        first = node;
    }
    return first;
}

// Frees a list; wrong if it looks at the next one after the free.
static int sum(int key, int looks_first) {
    int sum = 0;
    if (key != 31337) return 0;
    for (struct node *node = list(3), *next; node; node = next) {
        next = node->next;
        free(node);
        if (!looks_first) sum += node->value;
    }
    return sum;
}
int use_after_free(int key) { return sum(key, 0); }
int use_fixed(int key) { return sum(key, 1); }

// A pointer into a buffer that has moved.
static int append(unsigned count, int refreshes) {
    int *all = malloc(4 * sizeof *all);
    int *last = all + 3;
    // What is behind the block is taken: it cannot grow where it is.
    char *other = malloc(8);
    if (!all || !other) return 0;
    if (count > 4 && count < 20) {
        int *moved = realloc(all, count * 1000);
        if (!moved) return 0;
        all = moved;
        if (refreshes) last = all + 3;
        *last = 5;
    }
    free(other);
    free(all);
    return 1;
}
int stale_pointer(unsigned count) { return append(count, 0); }
int stale_fixed(unsigned count) { return append(count, 1); }

static int parse(const unsigned char *text, size_t length, int clears) {
    char *copy = malloc(length + 1);
    if (!copy) return -1;
    int result = 0;
    if (length > 2 && text[0] == 'E' && text[1] == 'r') {
        free(copy);
        if (clears) copy = NULL;
        result = -1;
    }
    free(copy);
    return result;
}
int double_free(const unsigned char *text, size_t length) { return parse(text, length, 0); }
int double_fixed(const unsigned char *text, size_t length) { return parse(text, length, 1); }

struct pair { char *key, *value; };
static int pair(int is_same, int copies) {
    struct pair pair = {malloc(8), NULL};
    if (!pair.key) return 0;
    memcpy(pair.key, "default", 8);
    if (is_same == -7) pair.value = copies ? strdup(pair.key) : pair.key;
    free(pair.value);
    free(pair.key);
    return 1;
}
int freed_by_both(int is_same) { return pair(is_same, 0); }
int both_fixed(int is_same) { return pair(is_same, 1); }

static int trim(const char *text, int keeps) {
    char *copy = strdup(text), *start = copy;
    if (!copy) return 0;
    while (*start == ' ') start++;
    int length = strlen(start);
    free(keeps ? copy : start);
    return length;
}
int free_inside(const char *text) { return trim(text, 0); }
int inside_fixed(const char *text) { return trim(text, 1); }

static char fallback[] = "unnamed";
static int name(unsigned id, int checks) {
    char *name = fallback;
    if (id % 1000 != 77) {
        name = malloc(8);
        if (!name) return 0;
        name[0] = 'n';
    }
    int first = name[0];
    if (!checks || name != fallback) free(name);
    return first;
}
int free_static(unsigned id) { return name(id, 0); }
int static_fixed(unsigned id) { return name(id, 1); }

// OUTPUT
// $ coax cover % --entry use_after_free --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  use after free at memory_freed.c:46:40
// $ coax cover % --entry use_fixed --out %t/2 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry stale_pointer --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  use after free at memory_freed.c:65:15
// $ coax cover % --entry stale_fixed --out %t/4 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry double_free --max-len 8 --max-runs 50 --out %t/5 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  double free at memory_freed.c:83:5
// $ coax cover % --entry double_fixed --max-len 8 --max-runs 50 --out %t/6 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry freed_by_both --out %t/7 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  double free at memory_freed.c:96:5
// $ coax cover % --entry both_fixed --out %t/8 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry free_inside --max-len 8 --out %t/9 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  invalid free at memory_freed.c:107:5
// $ coax cover % --entry inside_fixed --max-len 8 --out %t/10 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry free_static --out %t/11 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  invalid free at memory_freed.c:122:38
// $ coax cover % --entry static_fixed --out %t/12 2>/dev/null | grep -c FAILS
// | 0
// $ coax replay % --test %t/1/tests | grep -o 'use after free.*'
// | use after free (4 bytes read, 0 bytes behind the start of a freed block of 8 bytes, allocated at memory_freed.c:31:29, freed at memory_freed.c:45:9) at memory_freed.c:46:40 in sum
