// Gotlieb, Botella and Rueher 2000, as Dinges 2014 uses it: a loop that counts down.
//
//     coax reach examples/seeds/003/easy_loop.c --entry easy_loop --target error
int error(void) { return -1; }

int easy_loop(int x, int y) {
    int count = 0;
    while (x > 0) {
        x--;
        count += 2;
    }
    if (count == y && count > 20) {
        return error();
    }
    return 0;
}
