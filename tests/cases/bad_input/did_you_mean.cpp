// The nearest names: those of the program's own code first, with their namespaces and without their parameters.
// REQUIRES: clang
// RUN: for name in json::reader::prase fre; do coax replay % --entry $name; echo $?; done
#include <stdlib.h>

namespace deep::json {
struct reader {
    int state;
    int parse(int x);
    int parse(int x, int y);
};
int reader::parse(int x) { return state + x; }
int reader::parse(int x, int y) { return state + x * y; }
}

void free_all(void **blocks, int count) {
    for (int i = 0; i < count; i++) free(blocks[i]);
}

// OUTPUT
// $ for name in json::reader::prase fre; do coax replay % --entry $name; echo $?; done
// | 2
// | 2
// ! error: there is no function `json::reader::prase` in the program; did you mean `deep::json::reader::parse`?
// ! error: there is no function `fre` in the program; did you mean `free_all`, `free` or `dlfree`?
