// A machine with registers, interpreted: a loop around a switch, whose program is a sieve of primes.

enum op { SET, ADD, ADD_AND_JUMP, MULTIPLY, COUNT, LOAD, STORE, LESS, JUMP_IF, JUMP_UNLESS, HALT };

struct instruction {
    unsigned char op, a, b, c;
    int immediate;
};

enum { LIMIT = 2000 };

static int cells[LIMIT + 1];

// r0: limit, r1: candidate, r2: multiple, r3: condition, r4: how many primes, r5: one
static const struct instruction program[] = {
    {SET, 0, 0, 0, LIMIT},
    {SET, 1, 0, 0, 2},
    {SET, 4, 0, 0, 0},
    {SET, 5, 0, 0, 1},
    // 4: a candidate that nobody struck out is prime
    {LOAD, 3, 1, 0, 0},
    {JUMP_IF, 3, 0, 0, 12},
    {COUNT, 4, 0, 0, 0},
    {MULTIPLY, 2, 1, 1, 0},
    // 8: strike out its multiples
    {LESS, 3, 2, 0, 0},
    {JUMP_UNLESS, 3, 0, 0, 12},
    {STORE, 5, 2, 0, 0},
    {ADD_AND_JUMP, 2, 2, 1, 8},
    // 12: the next candidate
    {ADD, 1, 1, 5, 0},
    {LESS, 3, 1, 0, 0},
    {JUMP_IF, 3, 0, 0, 4},
    {HALT, 4, 0, 0, 0},
};

static int interpret(void) {
    int r[8] = {0};
    for (int at = 0;;) {
        struct instruction now = program[at++];
        switch ((enum op)now.op) {
        case SET: r[now.a] = now.immediate; break;
        case ADD: r[now.a] = r[now.b] + r[now.c]; break;
        case ADD_AND_JUMP: r[now.a] = r[now.b] + r[now.c], at = now.immediate; break;
        case MULTIPLY: r[now.a] = r[now.b] * r[now.c]; break;
        case COUNT: r[now.a]++; break;
        case LOAD: r[now.a] = cells[r[now.b]]; break;
        case STORE: cells[r[now.b]] = r[now.a]; break;
        case LESS: r[now.a] = r[now.b] < r[now.c]; break;
        case JUMP_IF: at = r[now.a] ? now.immediate : at; break;
        case JUMP_UNLESS: at = r[now.a] ? at : now.immediate; break;
        case HALT: return r[now.a];
        }
    }
}

int run(int n) {
    int sum = 0;
    for (int round = 0; round < n; round++) {
        for (int i = 0; i <= LIMIT; i++) cells[i] = 0;
        int primes = interpret();
        if (primes != 303) return -1;
        sum = sum * 31 + primes;
    }
    return sum;
}
