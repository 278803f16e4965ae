// A directory that is somebody else's is left alone.
// REQUIRES: clang
// RUN: mkdir -p %t/mine; echo precious > %t/mine/report.txt; coax cover % --out %t/mine
// EXIT: 2
// RUN: ls %t/mine

int main(void) { return 0; }
