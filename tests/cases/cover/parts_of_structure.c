// Coax fills in the numbers of a structure as it likes. Where a failure comes of numbers beside pointers, it is said which they are, for nothing tells which
// parts belong together; and what needs no such thing comes first.
// REQUIRES: clang
// RUN: coax cover % --entry add --scope add --no-mutate --max-runs 60 --out %t/out 2>/dev/null | grep -A 1 FAILS

#include <stddef.h>

struct buffer {
    unsigned char *bytes;
    size_t size, position;
};

int add(struct buffer *buffer, int value, int divisor) {
    if (buffer->position == buffer->size) return -1;
    buffer->bytes[buffer->position++] = value;
    return value / divisor;
}

// OUTPUT
// $ coax cover % --entry add --scope add --no-mutate --max-runs 60 --out %t/out 2>/dev/null | grep -A 1 FAILS
// | FAILS  trapped: integer divide by zero at parts_of_structure.c:16:18  fails-IntegerDivideByZero-line-16-99f23d.json
// | FAILS  trapped: integer overflow at parts_of_structure.c:16:18  fails-IntegerOverflow-line-16-772a18.json
// | FAILS  trapped: memory access out of bounds at parts_of_structure.c:15:39  fails-MemoryOutOfBounds-line-15-8a4e37.json
// |        if `buffer.position` is 61440, though nothing says which parts of a structure belong together
