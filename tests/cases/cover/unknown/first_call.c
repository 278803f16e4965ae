// The first call fills a table, and with each input it is the first: what it writes before it looks at what it is given is the same whatever that is, and nothing
// that it gives. The number that it keeps depends on the input, so it is.
// REQUIRES: clang
// RUN: coax cover % --entry both --unknown sum --no-mutate --out %t/both | grep -v 'never called'
// RUN: coax cover % --entry kept --unknown sum --no-mutate --out %t/kept | grep -v 'never called'

static unsigned table[256], is_filled, last;

static void fill(void) {
    for (unsigned i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++) table[i] = table[i] & 1 ? 0xedb88320 ^ table[i] >> 1 : table[i] >> 1;
    }
    is_filled = 1;
}

static unsigned sum(const unsigned char *data, unsigned length) {
    if (!is_filled) fill();
    unsigned sum = ~0u;
    for (unsigned i = 0; i < length; i++) sum = table[(sum ^ data[i]) & 0xff] ^ sum >> 8;
    last = sum;
    return ~sum;
}

int both(unsigned word, unsigned first, unsigned second) {
    unsigned char data[4] = {word, word >> 8, word >> 16, word >> 24};
    if (sum(data, 2) != first) return 1;
    if (data[0] != 'a' || data[2] != 'b') return 2;
    if (sum(data + 2, 2) != second) return 3;
    return data[3] == 'c' ? 4 : 5;
}

int kept(unsigned word, unsigned first) {
    unsigned char data[4] = {word, word >> 8, word >> 16, word >> 24};
    sum(data, 4);
    if (last == first && data[1] == '!') return 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry both --unknown sum --no-mutate --out %t/both | grep -v 'never called'
// | 5 tests, 0 failures; branches 18/22 (82 %), lines 16/22 (73 %), functions 3/4 (75 %)
// | 13 runs on 7 paths, 12 questions to the solvers, 0 mutations, [time]; all paths are explored
// | `sum` was to be unknown: 17 values seen, 2 direct calls; when nothing was found any more, its calls were followed
// | Tests are in [t]/both/tests.
// $ coax cover % --entry kept --unknown sum --no-mutate --out %t/kept | grep -v 'never called'
// | not covered  first_call.c:18:9 to line 20: proved infeasible: no input takes it
// | 3 tests, 0 failures; branches 13/22 (59 %), lines 15/22 (68 %), functions 3/4 (75 %)
// | 11 runs on 5 paths, 10 questions to the solvers, 0 mutations, [time]; all paths are explored
// | `sum` was to be unknown: 17 values seen, 2 direct calls; when nothing was found any more, its calls were followed
// | Tests are in [t]/kept/tests.
