// The first call fills a table, and with each input it is the first: what it writes before it looks at what it is given is the same whatever that is, and nothing
// that it gives. The number that it keeps depends on the input, so it is. A note that begins with "nothing", and what it is told to count, are what it gives, too,
// though with some inputs they stay as they were at first. That the table lies right behind a buffer makes it no part of that.
// REQUIRES: clang
// RUN: coax cover % --entry both --unknown sum --no-auto-unknown --no-mutate --out %t/both | grep -v 'never called'
// RUN: coax cover % --entry kept --unknown sum --no-auto-unknown --no-mutate --out %t/kept | grep -v 'never called'
// RUN: coax cover % --entry from_buffer --unknown sum --no-auto-unknown --no-mutate --out %t/from-buffer | grep -v 'never called'
// RUN: coax cover % --entry noted --unknown note --no-auto-unknown --no-mutate --out %t/noted | grep -v 'never called'
// RUN: coax cover % --entry counted --unknown count --no-auto-unknown --no-mutate --out %t/counted | grep -v 'never called'

static unsigned char buffer[4];
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
    if (data[3] == 'c') return 4;
    return 5;
}

int kept(unsigned word, unsigned first) {
    unsigned char data[4] = {word, word >> 8, word >> 16, word >> 24};
    sum(data, 4);
    if (last == first && data[1] == '!') return 1;
    return 0;
}

int from_buffer(unsigned word, unsigned first) {
    for (int i = 0; i < 4; i++) buffer[i] = word >> 8 * i;
    if (sum(buffer, 4) == first && buffer[1] == '!') return 1;
    return 0;
}

static int is_odd;

static unsigned note(unsigned word) {
    is_odd = 0;
    word *= 0x9e3779b1;
    if (word >> 30 == 2) is_odd = 1;
    return word ^ word >> 15;
}

int noted(unsigned word) {
    note(word);
    if (is_odd) return 1;
    return 0;
}

static void count(unsigned word, unsigned char counts[4]) {
    for (int i = 0; i < 4; i++) counts[i] = 0;
    for (word *= 0x9e3779b1; word; word >>= 8) counts[word & 3]++;
}

int counted(unsigned word) {
    unsigned char counts[4];
    count(word, counts);
    if (counts[3] == 2) return 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry both --unknown sum --no-auto-unknown --no-mutate --out %t/both | grep -v 'never called'
// | 6 tests, 0 failures; branches 20/40 (50 %), lines 17/43 (40 %), functions 3/9 (33 %)
// | [work], [time]; there is nothing left to try
// | `sum` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/both/tests.
// $ coax cover % --entry kept --unknown sum --no-auto-unknown --no-mutate --out %t/kept | grep -v 'never called'
// | not covered  first_call.c:23:9 to line 25: proved infeasible: no input takes it
// | 3 tests, 0 failures; branches 13/40 (32 %), lines 15/43 (35 %), functions 3/9 (33 %)
// | [work], [time]; there is nothing left to try
// | What is proved assumes: every function leaves the stack pointer as it found it, and the stack does not grow into static data; `kept` is called once, when the program has just begun.
// | `sum` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/kept/tests.
// $ coax cover % --entry from_buffer --unknown sum --no-auto-unknown --no-mutate --out %t/from-buffer | grep -v 'never called'
// | not covered  first_call.c:23:9 to line 25: it is in a function that is unknown: its decisions were not followed
// | 3 tests, 0 failures; branches 15/40 (38 %), lines 13/43 (30 %), functions 3/9 (33 %)
// | [work], [time]; there is nothing left to try
// | `sum` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/from-buffer/tests.
// $ coax cover % --entry noted --unknown note --no-auto-unknown --no-mutate --out %t/noted | grep -v 'never called'
// | 2 tests, 0 failures; branches 4/40 (10 %), lines 8/43 (19 %), functions 2/9 (22 %)
// | [work], [time]; there is nothing left to try
// | `note` is unknown: [n] values seen, [n] direct call; failures in it were not searched for
// | Tests are in [t]/noted/tests.
// $ coax cover % --entry counted --unknown count --no-auto-unknown --no-mutate --out %t/counted | grep -v 'never called'
// | 2 tests, 0 failures; branches 6/40 (15 %), lines 8/43 (19 %), functions 2/9 (22 %)
// | [work], [time]; there is nothing left to try
// | `count` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/counted/tests.
