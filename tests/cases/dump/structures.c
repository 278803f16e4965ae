// Parameters are made from debug information and called as the source calls them; `--param` takes numbers, text, JSON.
// REQUIRES: clang
// RUN: coax dump path % --entry sum
// RUN: coax dump path % --entry sum --param '{"pointer":{"size":8,"fields":[{"name":"value","at":0,"i32":7}]}}'
// RUN: coax dump path % --entry starts --param hello --param 104
// RUN: coax dump path % --entry starts --param hello --param 5 --param 105
// RUN: coax dump path % --entry starts --param hello --param 5 --param 300
// EXIT: 2
// RUN: coax dump path % --entry starts --param hello
// RUN: coax replay % --entry sum --param seven
// EXIT: 2
// RUN: coax replay % --entry sum --param '{"pointer":{"fields":[]}}'
// EXIT: 2
// RUN: coax dump path % --entry apply
// RUN: coax dump test % --entry sum > %t/test.json; head -n 30 %t/test.json; coax replay % --test %t/test.json 2>&1 | sed 's,.*/,,'
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

int starts(const unsigned char *text, size_t length, unsigned char with) {
    if (length == 0) return 0;
    if (text[0] != with) return 0;
    return 1;
}

int apply(int (*function)(int), int x) {
    if (!function) return x == 3;
    return function(x);
}

// OUTPUT
// $ coax dump path % --entry sum
// | site3 structures.c:26:25  branch to line 25  (slt list.value 6:32)
// | site3 structures.c:26:25  branch to line 25  (slt list.next.value 6:32)
// | site3 structures.c:26:25  branch to line 25  (slt list.next.next.value 6:32)
// | returned i32 0
// ! note: `sum` is given zeros: `--param` gives it something else
// $ coax dump path % --entry sum --param '{"pointer":{"size":8,"fields":[{"name":"value","at":0,"i32":7}]}}'
// | site3 structures.c:26:25  branch to line 26  (sle 6:32 list.value)
// | returned i32 7
// $ coax dump path % --entry starts --param hello --param 104
// | site6 structures.c:31:16  branch to line 32  (not (eq length 0:32))
// | site8 structures.c:32:17  branch to line 33  (eq with text[0])
// | returned i32 1
// $ coax dump path % --entry starts --param hello --param 5 --param 105
// | site6 structures.c:31:16  branch to line 32  (not (eq length 0:32))
// | site8 structures.c:32:17  branch to line 32  (not (eq with text[0]))
// | returned i32 0
// $ coax dump path % --entry starts --param hello --param 5 --param 300
// ! error: --param: `300` does not fit a u8
// $ coax dump path % --entry starts --param hello
// | site6 structures.c:31:16  branch to line 32  (not (eq length 0:32))
// | site8 structures.c:32:17  branch to line 32  (not (eq with text[0]))
// | returned i32 0
// ! note: `with` is given zeros
// $ coax replay % --entry sum --param seven
// ! error: --param: `seven` is nothing that `list` can point to; write null, or JSON: `coax dump test` shows some
// $ coax replay % --entry sum --param '{"pointer":{"fields":[]}}'
// ! error: --param: `{"pointer":{"fields":[]}}` is no parameter in JSON: missing field `size`
// $ coax dump path % --entry apply
// | input {"name":"function()#1","i32":0}
// | returned i32 0
// ! note: `apply` is given zeros: `--param` gives it something else
// ! note: the run decided nothing because of its input
// $ coax dump test % --entry sum > %t/test.json; head -n 30 %t/test.json; coax replay % --test %t/test.json 2>&1 | sed 's,.*/,,'
// | {
// |   "format": 1,
// |   "input": {
// |     "entry": "sum",
// |     "params": [
// |       {
// |         "name": "list",
// |         "pointer": {
// |           "size": 8,
// |           "fields": [
// |             {
// |               "name": "value",
// |               "at": 0,
// |               "i32": 0
// |             },
// |             {
// |               "name": "next",
// |               "at": 4,
// |               "pointer": {
// |                 "size": 8,
// |                 "heap": true,
// |                 "fields": [
// |                   {
// |                     "name": "value",
// |                     "at": 0,
// |                     "i32": 0
// |                   },
// |                   {
// |                     "name": "next",
// |                     "at": 4,
// | test.json: returned i32 0
// ! note: `sum` is given zeros: `--param` gives it something else
