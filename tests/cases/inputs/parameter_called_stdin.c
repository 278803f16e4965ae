// Names of parameters are the source's: one that is called as another input gets a number.
// REQUIRES: clang
// RUN: coax dump path % --entry f
// RUN: coax replay % --entry f --param 4
int f(int stdin, const char *io) { return stdin == 4 && io[0] == 'x'; }

// OUTPUT
// $ coax dump path % --entry f
// | site1 parameter_called_stdin.c:5:54  branch to 5:54  (not (eq stdin#2 4:32))
// | returned i32 0
// ! note: `f` is given zeros: `--param` gives it something else
// $ coax replay % --entry f --param 4
// | ok    run: returned i32 0
// ! note: `io` is given zeros
