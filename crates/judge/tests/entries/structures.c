// Functions on structures: each prints what it was given, as C sees it.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// What a function prints is seen though nobody closes the stream.
__attribute__((constructor)) static void print_at_once(void) { setvbuf(stdout, NULL, _IONBF, 0); }

struct node {
    int value;
    struct node *next;
};

int list_sum(struct node *list) {
    int sum = 0;
    for (struct node *node = list; node; node = node->next) {
        sum += node->value;
        if (node->value == 41) sum += 1000;
    }
    printf("%d", sum);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return sum;
}

struct tree {
    struct tree *left, *right;
    char key;
};

int tree_find(const struct tree *tree, char key) {
    if (!tree) {
        putchar('.');
        return 0;
    }
    putchar(tree->key);
    if (tree->key == key) return 1;
    return tree_find(key < tree->key ? tree->left : tree->right, key);
}

struct callbacks {
    int (*open)(int);
    int (*close)(int);
    int flags;
};

int call_open(const struct callbacks *table) {
    printf("%d %d", table->open != NULL, table->flags);
    if (table->flags == 3) return -2;
    return table->open ? table->open(table->flags) : -1;
}

struct item {
    short id;
    double price;
    char name[4];
};

int count_expensive(const struct item *items, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        printf("%d %g %.4s;", items[i].id, items[i].price, items[i].name);
        if (items[i].price > 2.5 && items[i].name[3] == 'z') found++;
    }
    return found;
}

void divide(int a, int b, int *quotient, int *rest) {
    printf("%d %d %d %d", a, b, *quotient, *rest);
    if (*rest == 9) return;
    *quotient = a / b;
    *rest = a % b;
}

struct inner {
    char c;
    long long wide;
};
struct outer {
    char tag;
    struct inner inner;
    struct inner both[2];
    unsigned small : 3, larger : 7;
    union {
        float f;
        int i;
    } either;
    bool on;
};

int nested(const struct outer *outer) {
    printf("%c %lld %c %u %u %d %d", outer->tag, outer->inner.wide, outer->both[1].c, outer->small, outer->larger, outer->either.i,
           outer->on);
    if (outer->tag == 'q' && outer->inner.wide == 5 && outer->both[1].c == 'w' && outer->larger == 3 && outer->on) return 1;
    return 0;
}

struct single {
    float f;
};

int by_value(struct inner pair, struct single single, unsigned char byte, bool flag) {
    printf("%c %lld %g %d %d", pair.c, pair.wide, single.f, byte, flag);
    if (pair.wide == 4 && flag && byte > 200 && single.f > 1) return 1;
    return 0;
}

struct inner make(int x) {
    struct inner made = {'m', x};
    if (x == 2) made.c = '2';
    return made;
}

int last_is(const uint8_t *buffer, size_t length) {
    printf("%zu", length);
    if (length > 3 && buffer[length - 1] == '!') return 1;
    return 0;
}

int overread(const uint8_t *buffer, size_t length) { return buffer[length]; }

int text(const char *string) {
    printf("[%s]", string);
    return string[0] == 'h' && string[1] == 'i' && !string[2];
}

void consume(char *string) {
    if (string[0] == 'f') {
        fputs("freed", stdout);
        free(string);
    } else {
        string[0] = 'x';
        fputs(string, stdout);
    }
}

int sum(int count, const short *numbers) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += numbers[i];
    printf("%d", sum);
    return sum == 12;
}

enum colour { RED = 3, GREEN = 5 };

int colour(enum colour colour) {
    printf("%d", colour);
    return colour == GREEN;
}

struct message {
    const char *body;
    unsigned short body_len;
};

int message(const struct message *message) {
    printf("%.*s", message->body_len, message->body);
    if (message->body_len > 2 && message->body[2] == 'c') return 1;
    return 0;
}

static int only_static(int x) { return x == 3; }
static int used_static(int x) { return x == 4; }

int main(void) { return used_static(5); }
