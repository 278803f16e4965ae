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

// OUTPUT
// $ coax cover % --entry least --max-runs 60 --scope least --emit c --out %t/least
// | 2 tests, 0 failures; branches 6/6 (100 %), lines 5/5 (100 %), functions 1/1 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/least/tests.
// $ coax replay % --test %t/least/tests/least-*zero* | tail -n 4
// | ok    [t]/least/tests/least-line-16-zero-ff64d2.json: returned i32 0
// |       input  | {"name":"cmp()#1","i32":-1}
// |       input  | {"name":"cmp()#2","i32":0}
// |       input  | {"name":"cmp()#3","i32":0}
// $ coax cover % --entry read_all --scope read_all --emit c --out %t/read
// | not covered  callbacks.c:32:37 to line 33: proved infeasible: no input takes it
// | 3 tests, 0 failures; branches 5/6 (83 %), lines 5/5 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | What is proved assumes: `stream` is not null and shares nothing with other pointers, and what it leads to has the shape of the first input; `stream.at_end` is a function that returns anything and changes nothing; `stream.close` is a function that returns nothing and changes nothing; `stream.get` is a function that returns null and changes nothing; `stream.read` is a function that returns anything and changes nothing; what pointers lead to is where it is in these runs; `read_all` is called once, when the program has just begun; `long`, `size_t` and pointers have 32 bits.
// | Tests are in [t]/read/tests.
// ! note: `stream.get` returns a pointer: it is null
// $ cc -fwrapv -I. -o %t/least/run %t/least/c/tests.c -lm && %t/least/run | tail -n 1
// | 2 tests, 0 failed
// $ cc -fwrapv -I. -o %t/read/run %t/read/c/tests.c -lm && %t/read/run | tail -n 1
// | 3 tests, 0 failed
// $ coax init % --entry read_all --out %t/harness.c && coax cover % %t/harness.c --entry harness_read_all --scope read_all --out %t/harness
// | wrote [t]/harness.c
// | not covered  callbacks.c:32:37 to line 33: proved infeasible: no input takes it
// | 3 tests, 0 failures; branches 5/6 (83 %), lines 5/5 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | What is proved assumes: memory does not run out: `malloc` and its like do not fail; `long`, `size_t` and pointers have 32 bits.
// | Tests are in [t]/harness/tests.
// ! note: `stream.get` returns a pointer: it is null
