// String search, naive and by Horspool's skips, and a few functions of libc on the way.
#include <string.h>

static char text[1 << 15];

static int count_naive(const char *needle, int length) {
    int found = 0;
    for (int at = 0; at + length < (int)sizeof text; at++) {
        int i = 0;
        while (i < length && text[at + i] == needle[i]) i++;
        found += i == length;
    }
    return found;
}

static int count_skipping(const char *needle, int length) {
    int skip[256], found = 0;
    for (int i = 0; i < 256; i++) skip[i] = length;
    for (int i = 0; i < length - 1; i++) skip[(unsigned char)needle[i]] = length - 1 - i;
    for (int at = 0; at + length < (int)sizeof text;) {
        unsigned char last = (unsigned char)text[at + length - 1];
        found += last == (unsigned char)needle[length - 1] && memcmp(text + at, needle, (size_t)length) == 0;
        at += skip[last];
    }
    return found;
}

static int count_libc(const char *needle) {
    int found = 0;
    for (const char *at = text; (at = strstr(at, needle)); at++) found++;
    return found;
}

int run(int n) {
    static const char *const words[] = {"the ", "tea ", "is ", "hot, ", "ships ", "are ", "late; ", "then "};
    static const char *const needles[] = {"the ships are late; ", "hot, hot, ", "tea is ", "absent", "then the tea "};
    unsigned state = 5;
    size_t length = 0;
    while (length < sizeof text - 16) {
        state = state * 1664525u + 1013904223u;
        const char *word = words[state >> 29];
        memcpy(text + length, word, strlen(word));
        length += strlen(word);
    }
    text[length] = 0;
    int sum = 0;
    for (int round = 0; round < n; round++) {
        const char *needle = needles[round % 5];
        int naive = count_naive(needle, (int)strlen(needle));
        if (naive != count_skipping(needle, (int)strlen(needle)) || naive != count_libc(needle)) return -1;
        sum = sum * 31 + naive;
    }
    return sum;
}
