// A null dereference goes through a pointer that is null. An index that leads from an object to where nothing is leaves the object, wherever that lies: it is the
// same failure as with an index that leads elsewhere. Replays say the same.
// REQUIRES: clang
// RUN: coax cover % --entry of_table --scope of_table --no-mutate --max-runs 40 --out %t/1 2>/dev/null | grep FAILS
// RUN: coax cover % --entry of_stack --scope of_stack --no-mutate --max-runs 40 --out %t/2 2>/dev/null | grep FAILS
// RUN: coax cover % --entry of_ring --scope of_ring --no-mutate --max-runs 40 --out %t/3 2>/dev/null | grep FAILS
// RUN: coax cover % --entry of_block --scope of_block --no-mutate --max-runs 40 --out %t/4 2>/dev/null | grep FAILS
// RUN: coax cover % --entry of_null --scope of_null --no-mutate --max-runs 40 --out %t/5 2>/dev/null | grep FAILS
// RUN: coax replay % --test %t/2/tests | grep -o '^[a-zA-Z]*\|reach.*\|memory access.*bounds'
// RUN: coax replay % --entry of_null --param 3 2>&1 | head -n 1

#include <stdlib.h>

static int table[16];
int of_table(int index) { return table[index]; }

int of_stack(int index) {
    volatile char local[8] = {3};
    return local[index];
}

struct ring {
    unsigned char *bytes;
    unsigned count, head;
};
static int first(const unsigned char *at) { return *at; }
int of_ring(const struct ring *ring) { return first(ring->bytes + ring->head); }

int of_block(int index) {
    char *block = calloc(8, 1);
    if (!block) return 0;
    int found = first((unsigned char *)block + index);
    free(block);
    return found;
}

static int *find(int wanted) { return wanted == 3 ? NULL : &table[wanted & 15]; }
int of_null(int wanted) { return find(wanted)[1]; }

// OUTPUT
// $ coax cover % --entry of_table --scope of_table --no-mutate --max-runs 40 --out %t/1 2>/dev/null | grep FAILS
// | FAILS  trapped: memory access out of bounds at null_or_outside.c:15:34  fails-MemoryOutOfBounds-line-15-f26352.json
// $ coax cover % --entry of_stack --scope of_stack --no-mutate --max-runs 40 --out %t/2 2>/dev/null | grep FAILS
// | FAILS  trapped: memory access out of bounds (1 byte read at address 1023) at null_or_outside.c:19:12  fails-MemoryOutOfBounds-line-19-eee303.json
// $ coax cover % --entry of_ring --scope of_ring --no-mutate --max-runs 40 --out %t/3 2>/dev/null | grep FAILS
// | FAILS  trapped: memory access out of bounds at null_or_outside.c:27:47  fails-MemoryOutOfBounds-line-27-181463.json
// $ coax cover % --entry of_block --scope of_block --no-mutate --max-runs 40 --out %t/4 2>/dev/null | grep FAILS
// | FAILS  heap buffer overflow at null_or_outside.c:32:17  fails-HeapBufferOverflow-line-32-e60480.json
// | FAILS  trapped: memory access out of bounds at null_or_outside.c:32:17  fails-MemoryOutOfBounds-line-32-c30808.json
// $ coax cover % --entry of_null --scope of_null --no-mutate --max-runs 40 --out %t/5 2>/dev/null | grep FAILS
// | FAILS  null pointer dereference at null_or_outside.c:38:34  fails-NullDereference-line-38-fb2940.json
// $ coax replay % --test %t/2/tests | grep -o '^[a-zA-Z]*\|reach.*\|memory access.*bounds'
// | FAIL
// | memory access out of bounds
// | ok
// $ coax replay % --entry of_null --param 3 2>&1 | head -n 1
// | FAIL  run: null pointer dereference (4 bytes read at address 4) at null_or_outside.c:38:34 in of_null
