// That a failure supposes something of a pointer is said only if the run may have left memory through it: through `out`, also in a function that is given it, or where it
// was kept; not through `table`.
// REQUIRES: clang
// RUN: for entry in own through told kept given; do echo $entry: $(coax cover % --entry $entry --scope $entry --no-mutate --max-runs 60 --out %t/$entry | grep -o 'out of bounds\|if what .* leads to'); done

static int table[4];
static int *where;

int own(int *out, unsigned index) {
    *out = 7;
    return table[index];
}

int through(int *out, unsigned index) {
    return out[index];
}

static __attribute__((noinline)) int at(const int *from, unsigned index) {
    return from[index];
}

int told(int *out, unsigned index) {
    return at(out, index) + table[0];
}

int kept(int *out, unsigned index) {
    where = out;
    table[0] = 3;
    return where[index];
}

int given(int *out, unsigned index) {
    *out = 3;
    return at(table, index);
}

// OUTPUT
// $ for entry in own through told kept given; do echo $entry: $(coax cover % --entry $entry --scope $entry --no-mutate --max-runs 60 --out %t/$entry | grep -o 'out of bounds\|if what .* leads to'); done
// | own: out of bounds
// | through: out of bounds if what `out` leads to
// | told: out of bounds if what `out` leads to
// | kept: out of bounds if what `out` leads to
// | given: out of bounds
