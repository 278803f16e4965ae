// A loop that asks for a value in each of thousands of rounds and fails late: what the failure does not need goes in pieces, not one by one.
// REQUIRES: clang
// RUN: mkdir %t/seeds; (echo '{"format": 1, "input": {"values": ['; for round in $(seq 4000); do echo '{"bool": true},'; done; echo '{"bool": false}]}}') > %t/seeds/a.json
// RUN: coax cover % --seeds %t/seeds --max-runs 2 --no-mutate --out %t/out > %t/said; grep -c '"bool": true' %t/out/tests/fails*
_Bool nondet_bool(void);
void abort(void);

int main(void) {
    int rounds = 0;
    while (nondet_bool()) rounds++;
    if (rounds >= 100) abort();
    return 0;
}

// OUTPUT
// $ mkdir %t/seeds; (echo '{"format": 1, "input": {"values": ['; for round in $(seq 4000); do echo '{"bool": true},'; done; echo '{"bool": false}]}}') > %t/seeds/a.json
// $ coax cover % --seeds %t/seeds --max-runs 2 --no-mutate --out %t/out > %t/said; grep -c '"bool": true' %t/out/tests/fails*
// | 100
// ! note: 1 input is read from [t]/seeds, 0 refused
