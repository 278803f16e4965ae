// A module that is already compiled may say that its source is any file of this machine: only those in the current directory are shown.
// REQUIRES: clang
// RUN: mkdir %t/other; cp % %t/other/secret.c; cd %t/other && coax-cc -g secret.c -o %t/p.wasm && cd - > %t/said; coax cover %t/p.wasm --scope %t/other --emit html --out %t/out > %t/said; grep -q 'argv.1..0.' %t/out/html/index.html || echo not shown
// RUN: cd %t/other && coax cover %t/p.wasm --scope %t/other --emit html --out %t/out2 > %t/said; grep -q 'argv.1..0.' %t/out2/html/index.html && echo shown
int main(int argc, char **argv) {
    if (argc > 1) return argv[1][0];
    return 0;
}

// OUTPUT
// $ mkdir %t/other; cp % %t/other/secret.c; cd %t/other && coax-cc -g secret.c -o %t/p.wasm && cd - > %t/said; coax cover %t/p.wasm --scope %t/other --emit html --out %t/out > %t/said; grep -q 'argv.1..0.' %t/out/html/index.html || echo not shown
// | not shown
// $ cd %t/other && coax cover %t/p.wasm --scope %t/other --emit html --out %t/out2 > %t/said; grep -q 'argv.1..0.' %t/out2/html/index.html && echo shown
// | shown
