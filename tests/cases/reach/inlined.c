// A line that is in the code at several places is one place: what ways to each of them demand is met by the same run.
// REQUIRES: clang
// RUN: coax reach % --entry f --target %:7 --no-mutate --max-runs 400 --out %t/out

static inline __attribute__((always_inline)) int is_marked(const unsigned char *at, unsigned kind) {
    if (at[0] == kind && at[1] == (kind ^ 0x5a))
        return at[2] - at[3] == 17;
    return 0;
}

int f(const unsigned char *data, unsigned length) {
    if (length < 12)
        return 0;
    unsigned long long far = data[8];
    return is_marked(data, 'a') + 2 * is_marked(data + 4, (unsigned)far) + 4 * is_marked(data + 8, length);
}

// OUTPUT
// $ coax reach % --entry f --target %:7 --no-mutate --max-runs 400 --out %t/out
// | reached      inlined.c:7  f-line-6-to-line-7-7b379a.json
