// With --ubsan, undefined behaviour is a trap of its own.
// REQUIRES: clang-22
// RUN: coax dump ir % | grep -c 'unreachable'
// EXIT: 1
// RUN: coax dump ir --ubsan % | grep -c 'unreachable'

int scale(int x, int shift) {
    return x * 3 << shift;
}

// OUTPUT
// $ coax dump ir % | grep -c 'unreachable'
// | 0
// $ coax dump ir --ubsan % | grep -c 'unreachable'
// | 2
