// Labels are places as others are: they are searched for backwards, too, and one that does not exist is told at once.
// REQUIRES: clang
// RUN: coax reach % --entry f --target "label:large and odd" --no-mutate --max-runs 20 --out %t/one | sed 's/  .*//'
// RUN: coax reach % --entry f --target label:impossible --target label:small --no-mutate --max-runs 20 --out %t/two | sed 's/  .*//'
// RUN: coax reach % --entry f --target label:imposible --out %t/three
// EXIT: 2
// RUN: test ! -e %t/three

void coax_cover(const char *label);

int f(unsigned x) {
    if (x < 10) {
        coax_cover("small");
        return 0;
    }
    if (x > 1000 && x % 2 == 1) coax_cover("large and odd");
    if (x == 3) coax_cover("impossible");
    return 1;
}

// OUTPUT
// $ coax reach % --entry f --target "label:large and odd" --no-mutate --max-runs 20 --out %t/one | sed 's/  .*//'
// | reached
// $ coax reach % --entry f --target label:impossible --target label:small --no-mutate --max-runs 20 --out %t/two | sed 's/  .*//'
// | unreachable
// | reached
// $ coax reach % --entry f --target label:imposible --out %t/three
// ! error: the program has no label `imposible`; name one like `impossible` or `large and odd` or `small`
// $ test ! -e %t/three
