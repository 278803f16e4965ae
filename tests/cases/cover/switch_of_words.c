// A switch on what an automaton makes of a word: each question about it is for a way that nobody has covered.
// REQUIRES: clang
// RUN: coax cover % --entry f --no-mutate --max-runs 80 --out %t/out

enum { OTHER, D, E, F, I, N, O };

static const unsigned char kinds[256] = {['d'] = D, ['e'] = E, ['f'] = F, ['i'] = I, ['n'] = N, ['o'] = O};

/* The words do, done, end, if, in, of, on, nod, fed: which state comes after which. */
static const unsigned char next[19][7] = {
    [0] = {[D] = 1, [E] = 5, [I] = 8, [O] = 11, [N] = 14, [F] = 16},
    [1] = {[O] = 2},
    [2] = {[N] = 3},
    [3] = {[E] = 4},
    [5] = {[N] = 6},
    [6] = {[D] = 7},
    [8] = {[F] = 9, [N] = 10},
    [11] = {[F] = 12, [N] = 13},
    [14] = {[O] = 15},
    [15] = {[D] = 18},
    [16] = {[E] = 17},
    [17] = {[D] = 18},
};

static const unsigned char accepted[19] = {[2] = 1, [4] = 2, [7] = 3, [9] = 4, [10] = 5, [12] = 6, [13] = 7, [18] = 8};

/* What a word is worth, whose letters are the bytes of a number. */
static int value(unsigned word) {
    unsigned state = 0;
    for (; word; word >>= 8)
        state = next[state][kinds[word & 255]];
    switch (accepted[state]) {
        case 1: return 10;
        case 2: return 21;
        case 3: return 32;
        case 4: return 43;
        case 5: return 54;
        case 6: return 65;
        case 7: return 76;
        case 8: return 87;
        default: return 0;
    }
}

int f(unsigned one, unsigned two, unsigned three) { return value(one) + value(two) + value(three); }

// OUTPUT
// $ coax cover % --entry f --no-mutate --max-runs 80 --out %t/out
// | 8 tests, 0 failures; branches 11/11 (100 %), lines 14/14 (100 %), functions 2/2 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/out/tests.
