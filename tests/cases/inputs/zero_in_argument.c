// Bytes behind the end of an argument are input too: the program can look at them.
// REQUIRES: clang
// RUN: coax dump path % --sym-arg 2 | grep arg1
// RUN: echo '{"format": 1, "input": {"args": ["\u0000b"]}}' > %t/test.json && coax replay % --test %t/test.json
int main(int count, char **words) { return count > 1 && words[1][0] == 0 && words[1][1] == 'b'; }

// OUTPUT
// $ coax dump path % --sym-arg 2 | grep arg1
// | site9 zero_in_argument.c:5:74  branch to 5:77  (eq arg1[0] 0:8)
// | site3 build/libc-bottom-half/crt/crt1.c:21:9  branch to line 24  (not (eq arg1[1] 98:8))
// $ echo '{"format": 1, "input": {"args": ["\u0000b"]}}' > %t/test.json && coax replay % --test %t/test.json
// | ok    [t]/test.json: exited with code 1
