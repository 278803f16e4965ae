#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
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
static struct coax_shared { int is_over, signal; char said[256]; } *coax_shared;

/* A build that measures coverage has these; what a test has executed is kept however it ends. */
#ifdef __ELF__
#define COAX_MAYBE __attribute__((weak))
extern void __gcov_dump(void) COAX_MAYBE;
extern void __gcov_exit(void) COAX_MAYBE;
extern int __llvm_profile_write_file(void) COAX_MAYBE;
extern void __llvm_profile_set_filename(const char *) COAX_MAYBE;
static void coax_keep_coverage(void) {
    if (__gcov_dump) __gcov_dump();
    else if (__gcov_exit) __gcov_exit();
    if (__llvm_profile_write_file) __llvm_profile_write_file();
}
static const int coax_signals[] = {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
static struct sigaction coax_before[sizeof coax_signals / sizeof *coax_signals];
static void coax_dying(int number) {
    /* If coverage cannot be written from here, for instance because the heap is locked, that ends it. */
    coax_shared->signal = number;
    signal(SIGALRM, SIG_DFL);
    alarm(2);
    coax_keep_coverage();
    for (size_t i = 0; i < sizeof coax_signals / sizeof *coax_signals; i++) {
        if (coax_signals[i] == number) sigaction(number, &coax_before[i], NULL);
    }
    raise(number);
}
static void coax_measure(void) {
    static char stack[1 << 16];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = coax_dying, .sa_flags = SA_ONSTACK};
    /* The processes of all tests add to one file. */
    if (__llvm_profile_set_filename && !getenv("LLVM_PROFILE_FILE")) __llvm_profile_set_filename("default_%m.profraw");
    if (!__gcov_dump && !__gcov_exit && !__llvm_profile_write_file) return;
    at_quick_exit(coax_keep_coverage);
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof coax_signals / sizeof *coax_signals; i++) {
        sigaction(coax_signals[i], &action, &coax_before[i]);
    }
}
#else
static void coax_keep_coverage(void) {}
static void coax_measure(void) {}
#endif
#ifdef __linux__
/* A program that leaves at once keeps it too: these stand before the C library's. */
void _exit(int code) {
    coax_keep_coverage();
    for (;;) syscall(SYS_exit_group, code);
}
void _Exit(int code) { _exit(code); }
static void coax_leave(int code) { _exit(code); }
#else
static void coax_leave(int code) {
    coax_keep_coverage();
    _exit(code);
}
#endif

static void coax_fail(const char *call, const char *got, const char *expected) {
    snprintf(coax_shared->said, sizeof coax_shared->said, "%s gives %s instead of %s", call, got, expected);
    coax_leave(1);
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
        coax_leave(1);
    }
    return coax_values[coax_taken++ % COAX_VALUES];
}
static void coax_take_bytes(void *place, size_t size) {
    struct coax_value value = coax_take();
    memset(place, 0, size);
    memcpy(place, value.bytes, value.size < size ? value.size : size);
}
