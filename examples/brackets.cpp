// Are the brackets of a text balanced?
//
//     coax replay examples/brackets.cpp --coverage -- '([]{})' '([)]'
#include <cstdio>
#include <string_view>
#include <vector>

static char closing(char open) {
    switch (open) {
        case '(': return ')';
        case '[': return ']';
        case '{': return '}';
        default: return 0;
    }
}

static bool balanced(std::string_view text) {
    std::vector<char> expected;
    for (char character : text) {
        if (char close = closing(character)) {
            expected.push_back(close);
        } else if (character == ')' || character == ']' || character == '}') {
            if (expected.empty() || expected.back() != character) return false;
            expected.pop_back();
        }
    }
    return expected.empty();
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) std::printf("%s %s\n", argv[i], balanced(argv[i]) ? "balanced" : "not balanced");
}
