#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Each test runs in a process of its own, so that it may exit, crash and change what is global. */
enum coax_end { COAX_RETURNS, COAX_EXITS, COAX_DIES };
enum { COAX_SECONDS = 10, COAX_VALUES = 4096 };
struct coax_test {
    const char *name;
    void (*run)(void);
    enum coax_end end;
    int code;
    const char *skipped; /* why it is not run, or null */
};
static struct coax_shared { int is_over; char said[256]; } *coax_shared;

static void coax_fail(const char *call, const char *got, const char *expected) {
    snprintf(coax_shared->said, sizeof coax_shared->said, "%s gives %s instead of %s", call, got, expected);
    _exit(1);
}
static void coax_equal(long long got, long long expected, const char *call) {
    char texts[2][32];
    snprintf(texts[0], 32, "%lld", got);
    snprintf(texts[1], 32, "%lld", expected);
    if (got != expected) coax_fail(call, texts[0], texts[1]);
}
static void coax_equal_float(double got, double expected, const char *call) {
    char texts[2][32];
    snprintf(texts[0], 32, "%.17g", got);
    snprintf(texts[1], 32, "%.17g", expected);
    if (got != expected && !(isnan(got) && isnan(expected))) coax_fail(call, texts[0], texts[1]);
}
static void coax_null(const void *got, int expected, const char *call) {
    if ((got == NULL) != expected) coax_fail(call, got ? "an address" : "NULL", expected ? "NULL" : "an address");
}
#define COAX_EQUAL(call, expected) coax_equal((long long)(call), (long long)(expected), #call)
#define COAX_EQUAL_FLOAT(call, expected) coax_equal_float((call), (expected), #call)
#define COAX_NULL(call) coax_null((call), 1, #call)
#define COAX_NOT_NULL(call) coax_null((call), 0, #call)

/* A copy that may be freed. */
static void *coax_heap(const void *bytes, size_t size) {
    void *copy = malloc(size ? size : 1);
    return memcpy(copy, bytes, size);
}
static void coax_stdin(const char *bytes, size_t size) {
    FILE *file = tmpfile();
    if (!file || fwrite(bytes, 1, size, file) != size || fflush(file)) abort();
    rewind(file);
    dup2(fileno(file), 0);
}

/* What the program asks for, in order. */
static struct coax_value { long long integer; double number; const void *bytes; size_t size; } coax_values[COAX_VALUES];
static size_t coax_given, coax_taken;
static void coax_give(struct coax_value value) { coax_values[coax_given++ % COAX_VALUES] = value; }
#define COAX_GIVE(name, value) \
    coax_give((struct coax_value){(long long)(value), (double)(value), &(__typeof__(value)){value}, sizeof(value)})
#define COAX_GIVE_BYTES(name, text) coax_give((struct coax_value){0, 0, (text), sizeof(text) - 1})
static struct coax_value coax_take(void) {
    if (coax_taken >= coax_given) {
        snprintf(coax_shared->said, sizeof coax_shared->said, "it asks for more values than it did before");
        _exit(1);
    }
    return coax_values[coax_taken++ % COAX_VALUES];
}
static void coax_take_bytes(void *place, size_t size) {
    struct coax_value value = coax_take();
    memset(place, 0, size);
    memcpy(place, value.bytes, value.size < size ? value.size : size);
}
