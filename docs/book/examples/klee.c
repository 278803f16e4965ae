/* A harness for KLEE. */
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char *encode(const char *plain);

int main(void) {
    char plain[3];
    klee_make_symbolic(plain, sizeof plain, "plain");
    klee_assume(plain[2] == 0);
    assert(strlen(encode(plain)) >= strlen(plain));
    return 0;
}
