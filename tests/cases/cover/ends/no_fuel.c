// Fuel that is too little even to begin ends a run as any other: the failure and the limit are told.
// REQUIRES: clang
// RUN: coax cover % --fuel 1 --out %t/out | grep -e FAILS -e branches -e limit
// RUN: coax cover % --entry f --fuel 1 --out %t/f | grep -e FAILS -e branches -e limit

int f(int x) {
    return x > 2;
}

int main(void) {
    return f(3);
}

// OUTPUT
// $ coax cover % --fuel 1 --out %t/out | grep -e FAILS -e branches -e limit
// | FAILS  ran out of fuel at build/libc-bottom-half/crt/crt1.c:7  fails-ran-out-of-fuel-line-7-12acb1.json
// | 1 test, 1 failure; branches 0/0, lines 0/2 (0 %), functions 0/2 (0 %)
// | 1 run met the limit of fuel
// $ coax cover % --entry f --fuel 1 --out %t/f | grep -e FAILS -e branches -e limit
// | FAILS  ran out of fuel at offset 0x94  fails-ran-out-of-fuel-d7e77f.json
// | 1 test, 1 failure; branches 0/0, lines 0/2 (0 %), functions 0/2 (0 %)
// | 1 run met the limit of fuel
