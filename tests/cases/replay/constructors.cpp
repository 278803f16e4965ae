// Global variables are initialised before any function that is entered; short names are completed.
// REQUIRES: clang
// RUN: coax replay % --entry 'sum(int)' --param 36
// RUN: coax replay % --entry sum --param 36

static int three() { return 3; }

struct Table {
    int first, second;
    Table() : first(1), second(2) {}
};

static Table table;
static int third = three();

int sum(int start) { return start + table.first + table.second + third; }

int main() { return sum(0) != 6; }

// OUTPUT
// $ coax replay % --entry 'sum(int)' --param 36
// | ok    run: returned i32 42
// $ coax replay % --entry sum --param 36
// | ok    run: returned i32 42
