// Names that several functions have are told with where these are; one that none has, with those that are like it.
// REQUIRES: clang
// RUN: coax reach % --target area --out %t/out
// EXIT: 2
// RUN: coax reach % --target diametre --out %t/out
// EXIT: 2

extern "C" int getchar(void);

static int area(int side) { return side * side; }

static double area(double radius) { return 3.14 * radius * radius; }

static int diameter(int radius) { return 2 * radius; }

int main() { return area(getchar()) > area(2.5) && diameter(getchar()) > 3; }

// OUTPUT
// $ coax reach % --target area --out %t/out
// ! error: there are 2 functions `area`; name a line of the one that you mean: ambiguous.cc:10 (`area(int)`) or ambiguous.cc:12 (`area(double)`)
// $ coax reach % --target diametre --out %t/out
// ! error: there is no function `diametre` in the program; did you mean `diameter`?
