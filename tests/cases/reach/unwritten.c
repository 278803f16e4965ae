// Static variables that nothing writes stay as they are, if no write leaves its variable; those that something may write do not, however it does.
// REQUIRES: clang
// RUN: coax reach % --no-mutate --max-runs 400 --target %:42 --target %:44 --target %:46 --target %:48 --target %:50 --target %:52 --target %:54 --target %:56 --target %:58 --target %:60 --target %:62 --out %t/out
// EXIT: 3

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hooks { int level; int (*hook)(int); };

static int never, stored, through_callee, through_return, in_memory, copied_to, filled, read_into, chosen, by_index[4];
static int *kept = &in_memory;
static const struct hooks constant = {3, abs};
static struct hooks hooks = {3, abs};

void nobody_calls(int x) { never = x; hooks.hook = 0; }

static void set(int *place, int x) { *place = x; }

static int *where(void) { return &through_return; }

static int judge(const struct hooks *given, int x);

int main(void) {
    int x = getchar();
    if (x < 'a') return 0;
    stored = x;
    set(&through_callee, x);
    *where() = x;
    *kept = x;
    memcpy(&copied_to, &x, sizeof x);
    memset(&filled, x, sizeof filled);
    fread(&read_into, 1, 1, stdin);
    *(x == 'b' ? &chosen : &stored) = x;
    by_index[x & 3] = x;
    return judge(x == 'q' ? &constant : &hooks, x);
}

static int judge(const struct hooks *given, int x) {
    if (never)
        return puts("never");
    if (given->level != 3)
        return puts("level");
    if (stored == 'c')
        puts("stored");
    if (through_callee == 'd')
        puts("through_callee");
    if (through_return == 'e')
        puts("through_return");
    if (in_memory == 'f')
        puts("in_memory");
    if (copied_to == 'g')
        puts("copied_to");
    if (filled == 0x68686868)
        puts("filled");
    if (read_into == 'i')
        puts("read_into");
    if (chosen)
        puts("chosen");
    if (by_index[2])
        puts("by_index");
    return given->hook(x);
}

// OUTPUT
// $ coax reach % --no-mutate --max-runs 400 --target %:42 --target %:44 --target %:46 --target %:48 --target %:50 --target %:52 --target %:54 --target %:56 --target %:58 --target %:60 --target %:62 --out %t/out
// | unreachable  unwritten.c:42: what must hold on every way there contradicts itself: unwritten.c:41:9
// | unreachable  unwritten.c:44: what must hold on every way there contradicts itself: unwritten.c:43:22
// | reached      unwritten.c:46  judge-line-45-to-line-46-4a5032.json
// | reached      unwritten.c:48  judge-line-47-to-line-48-d7be78.json
// | reached      unwritten.c:50  judge-line-49-to-line-50-07371c.json
// | reached      unwritten.c:52  judge-line-51-to-line-52-e608ae.json
// | reached      unwritten.c:54  judge-line-53-to-line-54-c614d1.json
// | reached      unwritten.c:56  judge-line-55-to-line-56-0c266a.json
// | reached      unwritten.c:58  judge-line-57-to-line-58-780207.json
// | reached      unwritten.c:60  main-line-35-nonzero-af4053.json
// | reached      unwritten.c:62  judge-line-61-to-line-62-24b6d9.json
// | Assumed: no write leaves the variable or block that its address was made from.
