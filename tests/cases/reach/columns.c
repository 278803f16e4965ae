// A column is only the code that is there: of two parts of one line one may be dead. What a report calls a branch is a place, too.
// REQUIRES: clang
// RUN: coax reach % --entry f --target %:18:16 --target %:18:26 --no-mutate --max-runs 20 --out %t/two | sed 's/-[0-9a-f]*.json//'
// RUN: coax reach % --entry f --target %:18 --no-mutate --max-runs 20 --out %t/line | sed 's/-[0-9a-f]*.json//'
// RUN: coax reach % --entry f --target %:18:27 --out %t/none
// EXIT: 2
// RUN: coax reach % --entry f --target %:18:999 --out %t/none
// EXIT: 2
// RUN: coax reach % --entry f --target %:1000:1 --out %t/none
// EXIT: 2
// RUN: coax reach % --entry f --target other.c:18:1 --out %t/none
// EXIT: 2
// RUN: test ! -e %t/none
// RUN: coax cover % --entry f --no-mutate --max-runs 20 --out %t/cover | sed -n 's/^not covered *\([^ ]*\) to .*/\1/p' > %t/places; cat %t/places
// RUN: coax reach % --entry f --target $(cat %t/places) --no-mutate --max-runs 20 --out %t/pasted | sed 's/-[0-9a-f]*.json//'

int f(int a, int b) {
    if (a == 5 && a > 7) b = 3; else b = 4;
    return b;
}

// OUTPUT
// $ coax reach % --entry f --target %:18:16 --target %:18:26 --no-mutate --max-runs 20 --out %t/two | sed 's/-[0-9a-f]*.json//'
// | reached      columns.c:18:16  f-line-18-to-18-0
// | unreachable  columns.c:18:26: what must hold on every way there contradicts itself: columns.c:18:16
// $ coax reach % --entry f --target %:18 --no-mutate --max-runs 20 --out %t/line | sed 's/-[0-9a-f]*.json//'
// | reached      columns.c:18  f-line-18-to-18-0
// $ coax reach % --entry f --target %:18:27 --out %t/none
// ! error: there is no code at column 27 of line 18 of `columns.c`; name the nearest with code, 11 or 16 or 21 or 26
// $ coax reach % --entry f --target %:18:999 --out %t/none
// ! error: there is no code at column 999 of line 18 of `columns.c`; name the nearest with code, 11 or 16 or 21 or 26
// $ coax reach % --entry f --target %:1000:1 --out %t/none
// ! error: there is no code on line 1000 of `columns.c`; name the nearest with code, 19
// $ coax reach % --entry f --target other.c:18:1 --out %t/none
// ! error: no code of the program is from `other.c`; name a file like columns.c
// $ test ! -e %t/none
// $ coax cover % --entry f --no-mutate --max-runs 20 --out %t/cover | sed -n 's/^not covered *\([^ ]*\) to .*/\1/p' > %t/places; cat %t/places
// | columns.c:18:16
// $ coax reach % --entry f --target $(cat %t/places) --no-mutate --max-runs 20 --out %t/pasted | sed 's/-[0-9a-f]*.json//'
// | reached      columns.c:18:16  f-line-18-to-18-0
