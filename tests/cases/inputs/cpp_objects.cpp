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

// OUTPUT
// $ coax dump path % --entry text 2>&1
// | error: `s` is or leads to a class that the debug information does not describe: coax does not make it by itself; write a harness that does: `coax init --entry text` begins one
// $ coax dump path % --entry numbers 2>&1
// | error: `v` is or leads to a class that the debug information does not describe: coax does not make it by itself; write a harness that does: `coax init --entry numbers` begins one
// $ coax dump path % --entry guarded 2>&1
// | error: `g` is or leads to `Guard`, a class whose objects only its constructors make: coax does not make it by itself; write a harness that does: `coax init --entry guarded` begins one
// $ coax dump path % --entry only 2>/dev/null
// | site13 cpp_objects.cpp:33:34  select nonzero  (eq u.i k)
// | returned i32 3
// $ coax dump path % --entry bits 2>/dev/null
// | site14 cpp_objects.cpp:35:27  select zero  (not (eq (extract 0 4 b.b) 3:4))
// | returned i32 4
