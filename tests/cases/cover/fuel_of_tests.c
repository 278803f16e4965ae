// A test that is to run out of fuel says with how much it was found: a replay gives it no more, unless somebody says so.
// REQUIRES: clang
// RUN: coax cover % --entry wait --scope wait --no-mutate --fuel 20K --out %t/out | grep FAILS
// RUN: grep -h fuel %t/out/tests/fails-*
// RUN: coax replay % --test %t/out/tests | grep -A 1 FAIL
// RUN: coax replay % --test %t/out/tests --fuel 1M | grep -A 1 FAIL
// RUN: coax replay % --entry wait --param 99 --fuel 10K --save %t/saved.json | grep FAIL
// RUN: coax replay % --test %t/saved.json
// EXIT: 1

int wait(int n) {
    volatile int turns = 0;
    if (n == 99)
        while (turns < 10000)
            turns++;
    return turns;
}

// OUTPUT
// $ coax cover % --entry wait --scope wait --no-mutate --fuel 20K --out %t/out | grep FAILS
// | FAILS  ran out of fuel at fuel_of_tests.c:14:16  fails-ran-out-of-fuel-line-14-84030d.json
// $ grep -h fuel %t/out/tests/fails-*
// |   "expect": "out-of-fuel",
// |   "fuel": 20000
// $ coax replay % --test %t/out/tests | grep -A 1 FAIL
// | FAIL  [t]/out/tests/fails-ran-out-of-fuel-line-14-84030d.json: ran out of fuel at fuel_of_tests.c:14:16 in wait
// |       as expected
// $ coax replay % --test %t/out/tests --fuel 1M | grep -A 1 FAIL
// | FAIL  [t]/out/tests/fails-ran-out-of-fuel-line-14-84030d.json: returned i32 10000
// |       expected: ran out of fuel
// $ coax replay % --entry wait --param 99 --fuel 10K --save %t/saved.json | grep FAIL
// | FAIL  run: ran out of fuel at fuel_of_tests.c:14:16 in wait
// $ coax replay % --test %t/saved.json
// | FAIL  [t]/saved.json: ran out of fuel at fuel_of_tests.c:14:16 in wait
// |       as expected
// |       limit met: fuel; `--fuel` raises it
