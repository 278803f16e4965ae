// A directory that is somebody else's is left alone.
// REQUIRES: clang
// RUN: mkdir -p %t/mine; echo precious > %t/mine/report.txt; coax cover % --out %t/mine
// EXIT: 2
// RUN: ls %t/mine

int main(void) { return 0; }

// OUTPUT
// $ mkdir -p %t/mine; echo precious > %t/mine/report.txt; coax cover % --out %t/mine
// ! error: [t]/mine exists and is not coax's; name another directory with `--out`, or remove it
// $ ls %t/mine
// | report.txt
