// A hash of long byte strings in four 64-bit lanes: multiplications, rotations, hardly a branch.

typedef unsigned long long u64;

static const u64 P = 0x9e3779b185ebca87u, Q = 0xc2b2ae3d27d4eb4fu, R = 0x165667b19e3779f9u;

static unsigned char data[1 << 16];

static u64 rotate(u64 x, int by) { return x << by | x >> (64 - by); }

static u64 word(const unsigned char *bytes) {
    u64 word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
}

static u64 mix(u64 lane, u64 input) { return rotate(lane + input * Q, 31) * P; }

static u64 hash(const unsigned char *bytes, int length, u64 seed) {
    const unsigned char *end = bytes + length;
    u64 a = seed + P + Q, b = seed + Q, c = seed, d = seed - P;
    for (; end - bytes >= 32; bytes += 32) {
        a = mix(a, word(bytes));
        b = mix(b, word(bytes + 8));
        c = mix(c, word(bytes + 16));
        d = mix(d, word(bytes + 24));
    }
    u64 sum = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18) + (u64)length;
    for (; end - bytes >= 8; bytes += 8) sum = rotate(sum ^ mix(0, word(bytes)), 27) * P + R;
    for (; bytes < end; bytes++) sum = rotate(sum ^ *bytes * R, 11) * P;
    sum = (sum ^ sum >> 33) * Q;
    sum = (sum ^ sum >> 29) * R;
    return sum ^ sum >> 32;
}

int run(int n) {
    for (unsigned i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 7 + (i >> 8));
    u64 sum = 0;
    for (int round = 0; round < n; round++) sum = hash(data, (int)sizeof data - round % 37, sum);
    return (int)sum;
}
