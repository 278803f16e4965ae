// Functions that an entry is given pointers to return anything: each result is part of the input, in tests, on the plain module and in C.
// Nothing is a failure because there is no function.
// REQUIRES: clang cc
// RUN: coax cover % --entry least --max-runs 60 --scope least --emit c --out %t/least
// RUN: coax replay % --test %t/least/tests/least-*zero* | tail -n 4
// RUN: coax cover % --entry read_all --scope read_all --emit c --out %t/read
// RUN: cc -fwrapv -I. -o %t/least/run %t/least/c/tests.c -lm && %t/least/run | tail -n 1
// RUN: cc -fwrapv -I. -o %t/read/run %t/read/c/tests.c -lm && %t/read/run | tail -n 1
// RUN: coax init % --entry read_all --out %t/harness.c && coax cover % %t/harness.c --entry harness_read_all --scope read_all --out %t/harness

#include <stddef.h>

int least(const int *values, size_t count, int (*cmp)(const void *, const void *, void *), void *ctx) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (cmp(&values[i], &values[best], ctx) < 0) best = i;
    if (best == 2) return 42;
    return 0;
}

struct stream {
    long (*read)(void *ctx, char *place, size_t size);
    _Bool (*at_end)(void *ctx);
    void *(*get)(void *ctx);
    void (*close)(void *ctx);
    void *ctx;
};

int read_all(const struct stream *stream) {
    char buffer[16];
    if (stream->read(stream->ctx, buffer, sizeof buffer) > 16) return -1;
    if (stream->at_end(stream->ctx) && !stream->get(stream->ctx)) return 1;
    stream->close(stream->ctx);
    return 0;
}
