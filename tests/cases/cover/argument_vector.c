// A function that is given words and how many there are. Each word has as much room as the longest needs, so that a path is the same whichever of them there are, and all
// runs go where they should.
// REQUIRES: clang
// RUN: coax cover % --entry words --out %t/words
#include <string.h>

int words(int argc, char **argv) {
    if (argc < 2) return 1;
    if (strcmp(argv[1], "--help") == 0) return 2;
    if (argc > 2 && strcmp(argv[2], "go") == 0) return 3;
    return 0;
}

// OUTPUT
// $ coax cover % --entry words --out %t/words
// | 5 tests, 0 failures; branches 8/8 (100 %), lines 5/5 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | Tests are in [t]/words/tests.
