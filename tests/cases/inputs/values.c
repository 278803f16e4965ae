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

// OUTPUT
// $ coax replay % --value 1.5 --value 3 --value true --value 200 --value 12345 --value -7
// | ok    run: returned
// |       input  | {"name":"f","f32":1.5}
// |       input  | {"name":"d","f64":3.0}
// |       input  | {"name":"b","bool":true}
// |       input  | {"name":"u","u8":200}
// |       input  | {"name":"text","bytes":"12345\u0000\u0000"}
// |       input  | {"name":"number","bytes":{"hex":"f9ffffff"}}
// |       stdout | 1.5 3 1 200 12345 -7
// $ coax replay % --value 1.5 --value 3 --value 2
// ! error: --value: `2` does not fit `b`, which is a number (bool); give a value for each that the program asks for, in order
// $ coax replay % --value 1.5 --value 3 --value 1 --value 300
// ! error: --value: `300` does not fit `u`, which is a number (u8); give a value for each that the program asks for, in order
// $ coax replay % --value 1.5 --value 3 --value 1 --value 3 --value "a text that is too long"
// ! error: --value: `a text that is too long` does not fit `text`, which has 7 bytes; give a value for each that the program asks for, in order
// $ coax replay % --value '{"name":"g","f32":1}' --value '{"i32":3}' --value 1 --value 4 --value '"1234"' --value 0
// ! error: --value: what is called `g` was given to `f`: values are given in order; give a value for each that the program asks for, in order
// $ coax replay % --value 0 --value 0 --value 0 --value 0 --value x --value 0 --value 1 --value 2 --fault 7=io
// | ok    run: returned
// |       input  | {"name":"f","f32":0.0}
// |       input  | {"name":"d","f64":0.0}
// |       input  | {"name":"b","bool":false}
// |       input  | {"name":"u","u8":0}
// |       input  | {"name":"text","bytes":"x\u0000\u0000\u0000\u0000\u0000\u0000"}
// |       input  | {"name":"number","bytes":"\u0000\u0000\u0000\u0000"}
// |       stdout | 0 0 0 0 x 0
// ! note: the program did not ask for the last 2 values
// ! note: there was no read or write number 7, so it could not go wrong
