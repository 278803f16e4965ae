// Any function can be the entry: static ones, also those that nobody calls, and those of other files by their name or `file:name`.
// REQUIRES: clang
// WITH: static_other.c
// RUN: coax replay % --entry hidden
// RUN: coax dump path % --entry unused --param 3
// RUN: coax dump path % static_other.c --entry static_other.c:unused --param 3
// RUN: coax dump path % static_other.c --entry unused --param 3
// EXIT: 2
// RUN: coax replay % --entry hiden
// EXIT: 2

static int hidden(void) { return 1; }

static int unused(int x) {
    if (x == 2) return 1;
    return 0;
}

int main(void) { return hidden(); }

// OUTPUT
// $ coax replay % --entry hidden
// | ok    run: returned i32 1
// $ coax dump path % --entry unused --param 3
// | site6 static.c:15:11  branch to line 16  (not (eq x 2:32))
// | returned i32 0
// $ coax dump path % static_other.c --entry static_other.c:unused --param 3
// | site7 static_other.c:2:11  branch to line 3  (not (eq y 5:32))
// | returned i32 0
// $ coax dump path % static_other.c --entry unused --param 3
// ! error: there are several static functions `unused`. Name the file too, like `static.c:unused`.
// $ coax replay % --entry hiden
// ! error: there is no function `hiden` in the program; did you mean `hidden`?
