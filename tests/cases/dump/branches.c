// At the default level every branch of the source is there, at its line, and libc is left out unless asked for.
// REQUIRES: clang-22
// RUN: coax dump ir % | sed 's/fn[0-9]* //; s/site[0-9]* //'
// RUN: coax dump calls % | sed 's/fn[0-9]* //; s/site[0-9]* //'
// RUN: coax dump calls % --all | grep -c '^fn.* puts'
#include <stdio.h>

static int sign(int x) {
    if (x < 0)
        return -1;
    return x > 0 ? 1 : 0;
}

int main(int argc, char **argv) {
    switch (argc) {
    case 1:
        return 0;
    case 2:
        puts(argv[1]);
    }
    while (argc-- > 1)
        if (sign(argc) && argc != 3)
            return 1;
    return 0;
}

// OUTPUT
// $ coax dump ir % | sed 's/fn[0-9]* //; s/site[0-9]* //'
// | main (i32, i32) -> (i32) {
// | block0(v0: i32, v1: i32):
// |   v2 = i32.const -1
// |   v3 = i32.add v0 v2
// |   v4 = i32.const 1
// |   v5 = i32.gt_u v3 v4
// |   switch v3 [0: block1, 1: block2, else: block3]             ; branches.c:15:5
// | block1():
// |   v6 = i32.const 0
// |   jump block10(v6)
// | block2():
// |   v7 = i32.load offset=4 v1                                  ; branches.c:19:14
// |   v8 = call puts v7                                     ; branches.c:19:9
// |   jump block3
// | block3():
// |   jump block4(v0)
// | block4(v9: i32):
// |   v10 = i32.const -1
// |   v11 = i32.add v9 v10
// |   v12 = i32.const 1
// |   v13 = i32.gt_s v9 v12
// |   v14 = i32.const 1
// |   v15 = i32.and v13 v14
// |   v16 = i32.eqz v15
// |   branch v16 ? block9 : block5                               ; branches.c:21:5
// | block5():
// |   v17 = call sign v11                                   ; branches.c:22:13
// |   v18 = i32.eqz v17
// |   branch v18 ? block8 : block6                               ; branches.c:22:24
// | block6():
// |   v19 = i32.const 3
// |   v20 = i32.ne v11 v19
// |   v21 = i32.const 1
// |   v22 = i32.and v20 v21
// |   v23 = i32.eqz v22
// |   branch v23 ? block8 : block7                               ; branches.c:22:24
// | block7():
// |   v24 = i32.const 1
// |   jump block10(v24)
// | block8():
// |   jump block4(v11)
// | block9():
// |   v25 = i32.const 0
// |   jump block10(v25)
// | block10(v26: i32):
// |   return v26
// | }
// | sign (i32) -> (i32) {
// | block0(v0: i32):
// |   v1 = i32.const 0
// |   v2 = i32.lt_s v0 v1
// |   v3 = i32.const 1
// |   v4 = i32.and v2 v3
// |   v5 = i32.eqz v4
// |   branch v5 ? block2 : block1                                ; branches.c:9:11
// | block1():
// |   v6 = i32.const -1
// |   jump block3(v6)
// | block2():
// |   v7 = i32.const 0
// |   v8 = i32.gt_s v0 v7
// |   v9 = i32.const 1
// |   v10 = i32.const 0
// |   v11 = i32.const 1
// |   v12 = i32.and v8 v11
// |   v13 = select v9 v10 v12                                    ; branches.c:11:12
// |   jump block3(v13)
// | block3(v14: i32):
// |   return v14
// | }
// $ coax dump calls % | sed 's/fn[0-9]* //; s/site[0-9]* //'
// | main
// |   calls puts  ; branches.c:19:9
// |   calls sign  ; branches.c:22:13
// | sign
// $ coax dump calls % --all | grep -c '^fn.* puts'
// | 1
