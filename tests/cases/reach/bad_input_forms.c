// Texts that are no place: what is wrong, and how it is written. Of files those are named that the user wrote, the most similar first.
// REQUIRES: clang
// RUN: for place in :3 :trap :trap: 3 +4 site: label: f:TRAP f:traps f: %:x %:-3 %:99999999999 f+ f+x f+0xx Label:x % a::f nothing; do coax reach % --entry f --target $place --out %t/out; done
// EXIT: 2
// RUN: coax reach % --entry f --target bad_input_form.c:14 --out %t/out
// EXIT: 2
// RUN: coax reach % --entry f --target crt1.c:14 --out %t/out
// EXIT: 2
// RUN: test ! -e %t/out

int f(unsigned x) {
    return x > 10;
}

// OUTPUT
// $ for place in :3 :trap :trap: 3 +4 site: label: f:TRAP f:traps f: %:x %:-3 %:99999999999 f+ f+x f+0xx Label:x % a::f nothing; do coax reach % --entry f --target $place --out %t/out; done
// ! error: `:3` has no file before the colon; write FILE:LINE, for instance parser.c:412
// ! error: `:trap` has no function before the colon; write FUNCTION:trap
// ! error: `:trap:` has no file before the colon; write FILE:LINE, for instance parser.c:412
// ! error: `3` has no file before the line; write FILE:LINE, for instance parser.c:3
// ! error: `+4` has no function before the plus; write FUNCTION+OFFSET
// ! error: `site:` has no number behind the colon; write site:NUMBER
// ! error: `label:` has no name behind the colon; write label:NAME
// ! error: `f:TRAP` is no place: behind its last colon is neither a line nor `trap`; write FILE:LINE or FUNCTION:trap
// ! error: `f:traps` is no place: behind its last colon is neither a line nor `trap`; write FILE:LINE or FUNCTION:trap
// ! error: `f:` is no place: behind its last colon is neither a line nor `trap`; write FILE:LINE or FUNCTION:trap
// ! error: `bad_input_forms.c:x` is no place: behind its last colon is neither a line nor `trap`; write FILE:LINE or FUNCTION:trap
// ! error: `bad_input_forms.c:-3` is no place: behind its last colon is neither a line nor `trap`; write FILE:LINE or FUNCTION:trap
// ! error: `bad_input_forms.c:99999999999` is no place: behind its last colon is neither a line nor `trap`; write FILE:LINE or FUNCTION:trap
// ! error: `f+` is no place: behind its plus is no number of bytes; write FUNCTION+OFFSET, for instance f+0x1c
// ! error: `f+x` is no place: behind its plus is no number of bytes; write FUNCTION+OFFSET, for instance f+0x1c
// ! error: `f+0xx` is no place: behind its plus is no number of bytes; write FUNCTION+OFFSET, for instance f+0x1c
// ! error: `Label:x` is no place: behind its last colon is neither a line nor `trap`; write FILE:LINE or FUNCTION:trap
// ! error: `bad_input_forms.c` is a file; name a line of it, for instance bad_input_forms.c:412
// ! error: there is no function `a::f` in the program; did you mean `f`?
// ! error: there is no function `nothing` in the program; `coax dump functions --all` lists those that there are
// $ coax reach % --entry f --target bad_input_form.c:14 --out %t/out
// ! error: no code of the program is from `bad_input_form.c`; name a file like bad_input_forms.c
// $ coax reach % --entry f --target crt1.c:14 --out %t/out
// ! error: no code of the program is from `crt1.c`; name a file like bad_input_forms.c
// $ test ! -e %t/out
