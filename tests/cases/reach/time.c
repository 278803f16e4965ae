// A run with thousands of calls under way ends when the time is over: what each of them has done by then is not told to anybody.
// REQUIRES: clang
// RUN: timeout 12 coax reach % --entry f --target %:16 --cflags -O0 --time 1s --no-mutate --out %t/out > %t/said
// EXIT: 4
// RUN: sed 's/:16: .*/:16/' %t/said

static unsigned mix(unsigned x, unsigned depth) {
    if (depth == 0) return x;
    unsigned y = mix(x * 31 + depth, depth - 1);
    if (y & 1) y ^= depth;
    return y + (x >> 3);
}

int f(unsigned x) {
    if (mix(x, 6000) == 12345)
        return 1;
    return 0;
}

// OUTPUT
// $ timeout 12 coax reach % --entry f --target %:16 --cflags -O0 --time 1s --no-mutate --out %t/out > %t/said
// $ sed 's/:16: .*/:16/' %t/said
// | unknown      time.c:16
