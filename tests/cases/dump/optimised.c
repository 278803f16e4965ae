// Higher levels fold branches away; those that stay keep their lines.
// REQUIRES: clang-22
// RUN: coax dump ir % | grep 'branch\|load\|store\|div' | sed 's/site[0-9]* //'
// RUN: coax dump ir -O 1 % | grep 'branch\|load\|store\|div' | sed 's/site[0-9]* //'
// RUN: coax dump ir -O 2 % | grep 'branch\|load\|store\|div' | sed 's/site[0-9]* //'

int table[16];

int lookup(int i, int divisor) {
    if (i < 0)
        return -1;
    if (i > 15)
        return -1;
    if (divisor == 0)
        return -2;
    if (table[i] > 100)
        table[i] = 100;
    return table[i] / divisor;
}

// OUTPUT
// $ coax dump ir % | grep 'branch\|load\|store\|div' | sed 's/site[0-9]* //'
// |   branch v6 ? block2 : block1                                ; optimised.c:10:11
// |   branch v12 ? block4 : block3                               ; optimised.c:12:11
// |   branch v1 ? block6 : block5                                ; optimised.c:14:17
// |   v19 = i32.load v18                                         ; optimised.c:16:9
// |   branch v24 ? block8 : block7                               ; optimised.c:16:18
// |   i32.store v28 v29                                          ; optimised.c:17:18
// |   v34 = i32.load v33                                         ; optimised.c:18:12
// |   v35 = i32.div_s v34 v1                                     ; optimised.c:18:21
// $ coax dump ir -O 1 % | grep 'branch\|load\|store\|div' | sed 's/site[0-9]* //'
// |   branch v3 ? block2 : block1                                ; optimised.c:10:11
// |   branch v1 ? block4 : block3                                ; optimised.c:14:17
// |   v10 = i32.load offset=8388608 v7                           ; optimised.c:16:9
// |   branch v12 ? block6 : block5                               ; optimised.c:16:18
// |   i32.store v9 v13                                           ; optimised.c:17:18
// |   v14 = i32.load v9                                          ; optimised.c:18:12
// |   v15 = i32.div_s v14 v1                                     ; optimised.c:18:21
// $ coax dump ir -O 2 % | grep 'branch\|load\|store\|div' | sed 's/site[0-9]* //'
// |   branch v3 ? block2 : block1                                ; optimised.c:10:11
// |   branch v1 ? block4 : block3                                ; optimised.c:14:17
// |   v8 = i32.load offset=8388608 v7                            ; optimised.c:16:9
// |   branch v10 ? block6(v8) : block5                           ; optimised.c:16:18
// |   i32.store v13 v14                                          ; optimised.c:17:18
// |   v16 = i32.div_s v15 v1                                     ; optimised.c:18:21
