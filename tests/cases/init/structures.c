// The harness that coax would use for a function, to be edited. It compiles beside the program and asks for the same values.
// REQUIRES: clang
// RUN: coax init % --entry sum --out harness.c && cat harness.c && coax dump path % harness.c --entry harness_sum 2>&1 | grep structures.c
// RUN: for f in starts nested by_value made each colour filled message; do coax init % --entry $f --out %t/$f.c >/dev/null && coax dump path % %t/$f.c --entry harness_$f >/dev/null 2>&1 && echo $f compiles and runs; done
// RUN: coax init % --entry sum --out harness.c
// EXIT: 2
// RUN: coax init % --entry hidden
// EXIT: 2
// RUN: coax init %
// EXIT: 2
// RUN: coax init % --entry call 2>&1; rm harness.c harness_call.c
#include <stdbool.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

int sum(const struct node *list) {
    int sum = 0;
    for (; list; list = list->next)
        if (list->value > 5) sum += list->value;
    return sum;
}

int starts(const unsigned char *text, size_t length, unsigned char with) { return length && text[0] == with; }

struct outer {
    char tag;
    struct {
        double d;
        unsigned low : 3, high : 7;
    } inner;
    struct node nodes[2];
    union {
        int i;
        float f;
    } either;
    bool on;
};

int nested(struct outer *outer) { return outer->tag == 'x' && outer->inner.high == 3; }
int by_value(struct node node, bool flag, float f) { return node.value == 3 && flag && f > 1; }
struct node made(int x) {
    struct node node = {x, 0};
    return node;
}
int each(const struct outer *all, int count, short *numbers, size_t numbers_bytes) {
    return count > 1 && all[1].on && numbers_bytes > 2 && numbers[1] == 3;
}
enum colour { RED = 3 };
int colour(enum colour colour) { return colour == RED; }
void filled(char *text, int *length) {
    text[0] = 'x';
    *length = 1;
}
struct message {
    const char *body;
    unsigned short body_len;
};
int message(const struct message *message) { return message->body_len > 2 && message->body[2] == 'c'; }
int call(int (*function)(int), int x) { return function ? function(x) : 0; }
static int hidden(int x) { return x; }
int (*pointer)(int) = hidden;

// OUTPUT
// $ coax init % --entry sum --out harness.c && cat harness.c && coax dump path % harness.c --entry harness_sum 2>&1 | grep structures.c
// | wrote harness.c
// | /* What coax does by itself for `sum`: change it as you like, then run
// |  *     coax cover structures.c harness.c --entry harness_sum
// |  */
// | #include <coax.h>
// | #include <stdlib.h>
// |
// | struct node {
// |     int32_t value;
// |     void *next;
// | } __attribute__((packed, aligned(8)));
// | _Static_assert(sizeof(struct node) == 8, "as in the program");
// |
// | int32_t sum(void *);
// |
// | COAX_HARNESS(harness_sum)
// | void harness_sum(void) {
// |     struct node *list = calloc(1, sizeof *list);
// |     list->value = coax_i32("list.value");
// |     struct node *list_next = calloc(1, sizeof *list_next);
// |     list_next->value = coax_i32("list.next.value");
// |     struct node *list_next_next = calloc(1, sizeof *list_next_next);
// |     list_next_next->value = coax_i32("list.next.next.value");
// |     list_next->next = list_next_next;
// |     list->next = list_next;
// |     sum(list);
// | }
// | site3 structures.c:23:25  branch to line 22  (slt list.value 6:32)
// | site3 structures.c:23:25  branch to line 22  (slt list.next.value 6:32)
// | site3 structures.c:23:25  branch to line 22  (slt list.next.next.value 6:32)
// $ for f in starts nested by_value made each colour filled message; do coax init % --entry $f --out %t/$f.c >/dev/null && coax dump path % %t/$f.c --entry harness_$f >/dev/null 2>&1 && echo $f compiles and runs; done
// | starts compiles and runs
// | nested compiles and runs
// | by_value compiles and runs
// | made compiles and runs
// | each compiles and runs
// | colour compiles and runs
// | filled compiles and runs
// | message compiles and runs
// $ coax init % --entry sum --out harness.c
// ! error: harness.c is there already; move it away, or name another file with `--out`
// $ coax init % --entry hidden
// ! error: `hidden` is static, so no other file can call it; remove `static`, or write the harness in its own file
// $ coax init %
// ! error: a harness is for one function; name it with `--entry`
// $ coax init % --entry call 2>&1; rm harness.c harness_call.c
// | wrote harness_call.c
