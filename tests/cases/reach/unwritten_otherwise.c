// Variables are written by vectors, too, and by way of symbols that the linker makes: nothing is taken for constant then.
// REQUIRES: clang
// RUN: coax reach % --cflags -msimd128 --entry f --no-mutate --max-runs 50 --target %:20 --target %:22 --out %t/out
// EXIT: 0
#include <wasm_simd128.h>

static int pair[4];
__attribute__((section("modes"), used)) static int mode = 3;
extern int __start_modes[], __stop_modes[];

static void set_all(int x) {
    for (int *place = __start_modes; place != __stop_modes; place++) *place = x;
}

int f(int x) {
    wasm_v128_store(pair, wasm_i32x4_const(1, 2, 3, 4));
    set_all(x);
    int found = 0;
    if (pair[1] == 2)
        found++;
    if (mode != 3)
        found += 2;
    return found;
}

// OUTPUT
// $ coax reach % --cflags -msimd128 --entry f --no-mutate --max-runs 50 --target %:20 --target %:22 --out %t/out
// | reached      unwritten_otherwise.c:20  f-line-19-to-line-20-d7e77f.json
// | reached      unwritten_otherwise.c:22  f-line-19-to-line-20-d7e77f.json
