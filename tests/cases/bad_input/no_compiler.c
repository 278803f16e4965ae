// Without a C compiler: what is missing, and the command that gets it, which depends on the machine.
// CACHE: untouched
// RUN: PATH=$(dirname $(command -v coax)) coax dump ir % 2> %t/message
// EXIT: 2
// RUN: sed 's/\(Get it with: \)..*/\1(what this machine offers)/' %t/message

int main(void) { return 0; }

// OUTPUT
// $ PATH=$(dirname $(command -v coax)) coax dump ir % 2> %t/message
// $ sed 's/\(Get it with: \)..*/\1(what this machine offers)/' %t/message
// | error: clang is needed for compiling C and C++ and was not found. Get it with: (what this machine offers)
