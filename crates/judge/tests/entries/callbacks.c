/* Functions that are given functions. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int least(const int *values, size_t count, int (*cmp)(const void *, const void *)) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (cmp(&values[i], &values[best]) < 0) best = i;
    return (int)best;
}

struct small {
    int only;
};

struct kinds {
    int8_t (*a)(void *, float);
    uint16_t (*b)(int64_t);
    bool (*c)(void);
    int64_t (*d)(struct small, const char *, ...);
    double (*e)(double);
    float (*f)(struct kinds *);
    void *(*g)(size_t);
    void (*h)(void *);
};

int kinds(const struct kinds *k, void *ctx) {
    struct small small = {7};
    int got = 0;
    if (k->a(ctx, 1.5f) == -3) got |= 1;
    if (k->b(1LL << 40) == 65000) got |= 2;
    if (k->c()) got |= 4;
    if (k->d(small, "%d", 5) == -5) got |= 8;
    if (k->e(0.5) == 1.5) got |= 16;
    if (k->f(NULL) == 2.5f) got |= 32;
    if (k->g(9)) got |= 64;
    k->h(ctx);
    return got;
}

int twice(int (*f)(void *), void *data) {
    int first = f(data);
    return first == f(data) && first != 0;
}

int same(int (*one)(int), int (*other)(int)) {
    if (one == other) return -1;
    return one(1) * 10 + other(2);
}
