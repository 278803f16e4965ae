// Objects that only their constructors make are refused; what C passes as a number is one.
// REQUIRES: clang
// RUN: coax dump path % --entry text 2>&1
// EXIT: 2
// RUN: coax dump path % --entry numbers 2>&1
// EXIT: 2
// RUN: coax dump path % --entry guarded 2>&1
// EXIT: 2
// RUN: coax dump path % --entry only 2>/dev/null
// RUN: coax dump path % --entry bits 2>/dev/null
#include <string>
#include <vector>

struct Guard {
    int x;
    ~Guard() {}
};

union Only {
    int i;
};

struct Bits {
    unsigned b : 4;
};

int text(const std::string &s) { return s.size() == 3; }

int numbers(std::vector<int> v) { return v.size() == 3; }

int guarded(Guard g, int k) { return g.x == k; }

int only(Only u, int k) { return u.i == k ? 3 : 4; }

int bits(Bits b) { return b.b == 3 ? 3 : 4; }
