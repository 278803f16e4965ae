// Dinges 2014, figure 4.6: only the smallest integer gets there.
//
//     coax reach examples/seeds/003/narrow.c --entry narrow --target error
int error(void) { return -1; }

int narrow(int x) {
    int y;
    if (x >= 0) {
        y = x;
    } else {
        y = -x;
    }
    if (y < 0) return error();
    return 0;
}
