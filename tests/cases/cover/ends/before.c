// Before a search has begun a signal ends coax at once, with the compiler: this one would take a minute. Nothing is left.
// REQUIRES: clang
// RUN: mkdir %t/bin; printf '#!/bin/sh\nkill -TERM $PPID\nexec /bin/sleep 60\n' > %t/bin/clang; chmod +x %t/bin/clang
// RUN: coax=$(command -v coax); PATH=%t/bin "$coax" cover % --out %t/out
// EXIT: 130
// RUN: coax=$(command -v coax); PATH=%t/bin "$coax" replay %
// EXIT: 130
// RUN: ls %t
int main(void) { return 0; }

// OUTPUT
// $ mkdir %t/bin; printf '#!/bin/sh\nkill -TERM $PPID\nexec /bin/sleep 60\n' > %t/bin/clang; chmod +x %t/bin/clang
// $ coax=$(command -v coax); PATH=%t/bin "$coax" cover % --out %t/out
// ! error: interrupted before the search began; nothing was written
// $ coax=$(command -v coax); PATH=%t/bin "$coax" replay %
// ! error: interrupted
// $ ls %t
// | bin
