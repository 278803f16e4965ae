# 0 "/root/clones/rep/tests/programs/svcomp/state_machine.c"
# 0 "<built-in>"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "/root/clones/rep/tests/programs/svcomp/state_machine.c"

extern int __VERIFIER_nondet_int();
extern void abort(void);
# 1 "/usr/include/assert.h" 1 3 4
# 35 "/usr/include/assert.h" 3 4
# 1 "/usr/include/features.h" 1 3 4
# 392 "/usr/include/features.h" 3 4
# 1 "/usr/include/features-time64.h" 1 3 4
# 20 "/usr/include/features-time64.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/wordsize.h" 1 3 4
# 21 "/usr/include/features-time64.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/timesize.h" 1 3 4
# 19 "/usr/include/x86_64-linux-gnu/bits/timesize.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/wordsize.h" 1 3 4
# 20 "/usr/include/x86_64-linux-gnu/bits/timesize.h" 2 3 4
# 22 "/usr/include/features-time64.h" 2 3 4
# 393 "/usr/include/features.h" 2 3 4
# 489 "/usr/include/features.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/sys/cdefs.h" 1 3 4
# 561 "/usr/include/x86_64-linux-gnu/sys/cdefs.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/wordsize.h" 1 3 4
# 562 "/usr/include/x86_64-linux-gnu/sys/cdefs.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/long-double.h" 1 3 4
# 563 "/usr/include/x86_64-linux-gnu/sys/cdefs.h" 2 3 4
# 490 "/usr/include/features.h" 2 3 4
# 513 "/usr/include/features.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/gnu/stubs.h" 1 3 4
# 10 "/usr/include/x86_64-linux-gnu/gnu/stubs.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/gnu/stubs-64.h" 1 3 4
# 11 "/usr/include/x86_64-linux-gnu/gnu/stubs.h" 2 3 4
# 514 "/usr/include/features.h" 2 3 4
# 36 "/usr/include/assert.h" 2 3 4
# 66 "/usr/include/assert.h" 3 4




# 69 "/usr/include/assert.h" 3 4
extern void __assert_fail (const char *__assertion, const char *__file,
      unsigned int __line, const char *__function)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));


extern void __assert_perror_fail (int __errnum, const char *__file,
      unsigned int __line, const char *__function)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));




extern void __assert (const char *__assertion, const char *__file, int __line)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));



# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c" 2

# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c"
void reach_error() { 
# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c" 3 4
                    ((void) sizeof ((
# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c"
                    0
# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c" 3 4
                    ) ? 1 : 0), __extension__ ({ if (
# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c"
                    0
# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c" 3 4
                    ) ; else __assert_fail (
# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c"
                    "0"
# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c" 3 4
                    , "/root/clones/rep/tests/programs/svcomp/state_machine.c", 5, __extension__ __PRETTY_FUNCTION__); }))
# 5 "/root/clones/rep/tests/programs/svcomp/state_machine.c"
                             ; }

int state = 1;
int last = 0;

int step(int input) {
    if (state == 1 && input == 3) { state = 2; return 20; }
    if (state == 2 && input == 5) { state = 3; return 21; }
    if (state == 2 && input != 5) { state = 1; return 22; }
    if (state == 3 && input == last + 1) { state = 4; return 23; }
    return -2;
}

int main() {
    int output = -1;
    for (int round = 0; round < 6; round++) {
        int input = __VERIFIER_nondet_int();
        if (input != 1 && input != 2 && input != 3 && input != 5 && input != 6) return -2;
        output = step(input);
        if (state == 4) { ERROR: { reach_error(); abort(); } }
        last = input;
    }
    return output > 0;
}
