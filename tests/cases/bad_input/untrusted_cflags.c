// Flags in coax.toml that could load code into the compiler, or read other files: they count only if the user says so.
// REQUIRES: clang
// RUN: mkdir inc; echo '#define LIMIT 7' > inc/limit.h; ln -s / root
// RUN: printf 'cflags = "-Iinc -DMORE=2 -fplugin=./p.so -Xclang -load -Xclang p.so -B. @args -I/etc -include root/etc/passwd"\nentry = "check"\n' > coax.toml; coax replay %
// RUN: printf 'cflags = "-Iinc -DMORE=2 -fplugin=./p.so"\n' > coax.toml; coax replay % --entry check --trust-config 2>&1 | grep -c 'unable to load plugin'
// RUN: rm -r inc root coax.toml
#include "limit.h"

int check(int x) {
    if (x == LIMIT) return 1;
    return x > MORE;
}

// OUTPUT
// $ mkdir inc; echo '#define LIMIT 7' > inc/limit.h; ln -s / root
// $ printf 'cflags = "-Iinc -DMORE=2 -fplugin=./p.so -Xclang -load -Xclang p.so -B. @args -I/etc -include root/etc/passwd"\nentry = "check"\n' > coax.toml; coax replay %
// | ok    run: returned i32 0
// ! note: coax.toml:1:1: `cflags`: ignored is `-fplugin=./p.so`, `-Xclang`, `-load`, `-Xclang`, `p.so`, `-B.`, `@args`, `-I/etc`, `-include`, `root/etc/passwd`, for it could run code or reach what is not in this directory; write it on the command line, or trust the file with `--trust-config`
// ! note: `check` is given zeros: `--param` gives it something else
// $ printf 'cflags = "-Iinc -DMORE=2 -fplugin=./p.so"\n' > coax.toml; coax replay % --entry check --trust-config 2>&1 | grep -c 'unable to load plugin'
// | 1
// $ rm -r inc root coax.toml
