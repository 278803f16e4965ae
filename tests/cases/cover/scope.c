// What counts as the user's own code can be said: functions by name, files, or everything.
// REQUIRES: clang
// RUN: coax cover % --entry outer --scope 'part_*' --out %t/1 | grep -o 'branches [0-9/]*'
// RUN: coax cover % --entry outer --out %t/2 | grep -o 'branches [0-9/]*'
// RUN: coax cover % --entry outer --scope % --out %t/3 | grep -o 'branches [0-9/]*'
// RUN: coax cover % --entry outer --scope '*/nowhere/*' --out %t/4
// EXIT: 2

static int part_one(int x) {
    if (x > 3) return 1;
    return 2;
}

int outer(int x) {
    if (x == 7) return 0;
    if (x == 9) return 5;
    return part_one(x);
}

// OUTPUT
// $ coax cover % --entry outer --scope 'part_*' --out %t/1 | grep -o 'branches [0-9/]*'
// | branches 2/2
// $ coax cover % --entry outer --out %t/2 | grep -o 'branches [0-9/]*'
// | branches 6/6
// $ coax cover % --entry outer --scope % --out %t/3 | grep -o 'branches [0-9/]*'
// | branches 6/6
// $ coax cover % --entry outer --scope '*/nowhere/*' --out %t/4
// ! error: no code of the program is in scope `*/nowhere/*`; `coax dump functions --all` lists its functions and files
