// Values are what the program asks for, by their value and not by their bits; what does not fit is an error.
// REQUIRES: clang
// RUN: coax replay % --value 1.5 --value 3 --value true --value 200 --value 12345 --value -7
// RUN: coax replay % --value 1.5 --value 3 --value 2
// EXIT: 2
// RUN: coax replay % --value 1.5 --value 3 --value 1 --value 300
// EXIT: 2
// RUN: coax replay % --value 1.5 --value 3 --value 1 --value 3 --value "a text that is too long"
// EXIT: 2
// RUN: coax replay % --value '{"name":"g","f32":1}' --value '{"i32":3}' --value 1 --value 4 --value '"1234"' --value 0
// EXIT: 2
// RUN: coax replay % --value 0 --value 0 --value 0 --value 0 --value x --value 0 --value 1 --value 2 --fault 7=io
#include <coax.h>
#include <stdio.h>

int main(void) {
    char text[7];
    int number;
    float f = coax_f32("f");
    double d = coax_f64("d");
    bool b = coax_bool("b");
    uint8_t u = coax_u8("u");
    coax_bytes(text, sizeof text, "text");
    coax_bytes(&number, sizeof number, "number");
    printf("%g %g %d %d %.7s %d\n", f, d, b, u, text, number);
    return 0;
}
