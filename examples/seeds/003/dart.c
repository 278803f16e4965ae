// Dinges 2014, figure 4.3: a cube, which solvers for linear conditions cannot handle.
//
//     coax reach examples/seeds/003/dart.c --entry dart --target error
int error(void) { return -1; }

int dart(int x, int y) {
    int a = x * x * x;
    int b = y + 3;
    if (a == b) {
        return error();
    }
    return 0;
}
