// SHA-256: rounds of rotations and additions over a schedule in memory. The constants are made, not written down.

typedef unsigned u32;
typedef unsigned long long u64;

static u32 constants[64], initial[8];
static unsigned char data[1 << 14];

static u64 integer_root(u64 n, int cube) {
    u64 root = 0;
    for (u64 bit = 1ull << 19; bit; bit >>= 1) {
        u64 candidate = root | bit;
        if ((cube ? candidate * candidate * candidate : candidate * candidate) <= n) root = candidate;
    }
    return root;
}

// The first 32 bits after the point of a root of a prime, by bisection; doubles are exact enough, as the example below shows.
static u32 fraction(u32 prime, int cube) {
    double root = (double)integer_root(prime, cube), low = root, high = root + 1;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        double power = cube ? middle * middle * middle : middle * middle;
        if (power < prime) low = middle;
        else high = middle;
    }
    return (u32)(u64)((high - root) * 4294967296.0);
}

static void make_constants(void) {
    int count = 0;
    for (u32 candidate = 2; count < 64; candidate++) {
        int prime = 1;
        for (u32 divisor = 2; divisor * divisor <= candidate; divisor++) prime &= candidate % divisor != 0;
        if (!prime) continue;
        if (count < 8) initial[count] = fraction(candidate, 0);
        constants[count++] = fraction(candidate, 1);
    }
}

static u32 rotate(u32 x, int by) { return x >> by | x << (32 - by); }

static void compress(u32 *state, const unsigned char *block) {
    u32 w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (u32)block[4 * i] << 24 | (u32)block[4 * i + 1] << 16 | (u32)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        u32 early = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        u32 late = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + early + w[i - 7] + late;
    }
    for (int i = 0; i < 8; i++) s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        u32 big = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
        u32 choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        u32 first = s[7] + big + choice + constants[i] + w[i];
        u32 small = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
        u32 second = small + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + first;
        s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = first + second;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

// The digest's first word; the padded tail is made in a block of its own.
static u32 sha256(const unsigned char *bytes, int length) {
    u32 state[8];
    unsigned char tail[128] = {0};
    int rest = length % 64, blocks = rest < 56 ? 1 : 2;
    for (int i = 0; i < 8; i++) state[i] = initial[i];
    for (int i = 0; i + 64 <= length; i += 64) compress(state, bytes + i);
    for (int i = 0; i < rest; i++) tail[i] = bytes[length - rest + i];
    tail[rest] = 0x80;
    for (int i = 0; i < 8; i++) tail[blocks * 64 - 1 - i] = (unsigned char)((u64)length * 8 >> 8 * i);
    for (int i = 0; i < blocks; i++) compress(state, tail + 64 * i);
    return state[0];
}

int run(int n) {
    make_constants();
    // The standard's own example.
    if (sha256((const unsigned char *)"abc", 3) != 0xba7816bfu) return -1;
    for (u32 i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 11);
    u32 sum = 0;
    for (int round = 0; round < n; round++) {
        for (int i = 0; i < 64; i++) data[(sum + (u32)i * 61) % sizeof data] ^= (unsigned char)(sum >> (i & 15));
        sum = sha256(data, (int)sizeof data - round % 64);
    }
    return (int)sum;
}
