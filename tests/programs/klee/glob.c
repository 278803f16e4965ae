/* A matcher of shell patterns on two symbolic strings. */
#include <klee/klee.h>

#define SIZE 5

static int matches(const char *pattern, const char *text) {
    if (*pattern == 0) return *text == 0;
    if (*pattern == '*') {
        do {
            if (matches(pattern + 1, text)) return 1;
        } while (*text++);
        return 0;
    }
    if (*text == 0) return 0;
    return (*pattern == '?' || *pattern == *text) && matches(pattern + 1, text + 1);
}

int main() {
    char pattern[SIZE], text[SIZE];
    klee_make_symbolic(pattern, sizeof pattern, "pattern");
    klee_make_symbolic(text, sizeof text, "text");
    pattern[SIZE - 1] = 0;
    text[SIZE - 1] = 0;
    return matches(pattern, text);
}
