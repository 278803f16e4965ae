// C++ names are shown as written; code of the standard library's headers is not the user's.
// REQUIRES: clang-22
// RUN: coax dump calls % | sed 's/fn[0-9]* //; s/site[0-9]* //' | grep -v 'std::'
#include <string>

namespace harbour {
struct Ship {
    std::string name;
    bool late(int hours) const { return hours > 2 && !name.empty(); }
};
template <typename T> T most(T a, T b) { return a < b ? b : a; }
} // namespace harbour

int main(int argc, char **argv) {
    harbour::Ship ship{argv[0]};
    return ship.late(harbour::most(argc, 1)) ? 1 : 0;
}

// OUTPUT
// $ coax dump calls % | sed 's/fn[0-9]* //; s/site[0-9]* //' | grep -v 'std::'
// | main
// |   calls int harbour::most<int>(int, int)  ; names.cpp:16:22
// |   calls harbour::Ship::late(int) const  ; names.cpp:16:17
// |   calls harbour::Ship::~Ship()  ; names.cpp:17:1
// | int harbour::most<int>(int, int)
// | harbour::Ship::late(int) const
// | harbour::Ship::~Ship()
