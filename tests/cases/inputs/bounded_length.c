// A symbolic input is never longer than was said: the path says so, and so must an input that a solver finds.
// REQUIRES: clang
// RUN: coax dump smt % --sym-stdin 5
#include <unistd.h>

int main(void) {
    char bytes[3];
    return read(0, bytes, sizeof bytes) == 3 && bytes[2] == 'x';
}

// OUTPUT
// $ coax dump smt % --sym-stdin 5
// | (set-option :produce-models true)
// | (set-logic QF_BV)
// | (declare-fun |stdin.length| () (_ BitVec 32))
// | (declare-fun |stdin[2]| () (_ BitVec 8))
// | (assert (bvult |stdin.length| #x00000006))
// | (assert (bvule #x00000003 |stdin.length|))
// | (assert (not (= |stdin[2]| #x78)))
// | (assert (bvult |stdin.length| #x00100001))
// | (assert (bvule #x00000003 |stdin.length|))
// | (check-sat)
// | (get-model)
