// What is given by `--value` is what was written, read as what the program asks for; what cannot be that is refused.
// REQUIRES: clang
// RUN: coax replay % --value 1.5 --value 3 --value true --value 200 --value 12345 --value -5
// RUN: coax replay % --value 1 --value -3 --value '{"bool":true}' --value '{"i32":200}' --value '{"bytes":"12"}' --value '{"i32":-5}'
// RUN: coax replay % --value 1.5 --value 3 --value 2
// EXIT: 2
// RUN: coax replay % --value 1 --value 1 --value 1 --value 300
// EXIT: 2
// RUN: coax replay % --value '{"i32":1}'
// EXIT: 2
// RUN: coax replay % --value 1 --value 1 --value 1 --value 1 --value 12345678
// EXIT: 2
// RUN: coax replay % --value '{"name":"g","f32":2}' --value 1 --value 1 --value 1 --value 1 --value 1 --value 7 --fault 7=io
// RUN: coax dump test % --value 5 > %t/test.json && coax replay % --test %t/test.json
#include <coax.h>

int main(void) {
    float f = coax_f32("f");
    double d = coax_f64("d");
    _Bool flag = coax_bool("flag");
    unsigned char byte = coax_u8("byte");
    char text[7];
    coax_bytes(text, sizeof text, "text");
    int number;
    coax_bytes(&number, sizeof number, "number");
    if (f == 1.5f && d == 3.0 && flag && byte == 200 && text[0] == '1' && number == -5)
        coax_cover("as written");
    return 0;
}

// OUTPUT
// $ coax replay % --value 1.5 --value 3 --value true --value 200 --value 12345 --value -5
// | ok    run: returned
// |       input  | {"name":"f","f32":1.5}
// |       input  | {"name":"d","f64":3.0}
// |       input  | {"name":"flag","bool":true}
// |       input  | {"name":"byte","u8":200}
// |       input  | {"name":"text","bytes":"12345\u0000\u0000"}
// |       input  | {"name":"number","bytes":{"hex":"fbffffff"}}  as a number: -5
// |       label  | as written
// $ coax replay % --value 1 --value -3 --value '{"bool":true}' --value '{"i32":200}' --value '{"bytes":"12"}' --value '{"i32":-5}'
// | ok    run: returned
// |       input  | {"name":"f","f32":1.0}
// |       input  | {"name":"d","f64":-3.0}
// |       input  | {"name":"flag","bool":true}
// |       input  | {"name":"byte","u8":200}
// |       input  | {"name":"text","bytes":"12\u0000\u0000\u0000\u0000\u0000"}
// |       input  | {"name":"number","bytes":{"hex":"fbffffff"}}  as a number: -5
// $ coax replay % --value 1.5 --value 3 --value 2
// ! error: `2` does not fit `flag` (bool).
// ! Give a value of that kind: a number in its range, text of at most so many bytes, or JSON as in a test.
// $ coax replay % --value 1 --value 1 --value 1 --value 300
// ! error: `300` does not fit `byte` (u8).
// ! Give a value of that kind: a number in its range, text of at most so many bytes, or JSON as in a test.
// $ coax replay % --value '{"i32":1}'
// ! error: `i32 1` does not fit `f` (f32).
// ! Give a value of that kind: a number in its range, text of at most so many bytes, or JSON as in a test.
// $ coax replay % --value 1 --value 1 --value 1 --value 1 --value 12345678
// ! error: `12345678` does not fit `text` (7 bytes).
// ! Give a value of that kind: a number in its range, text of at most so many bytes, or JSON as in a test.
// $ coax replay % --value '{"name":"g","f32":2}' --value 1 --value 1 --value 1 --value 1 --value 1 --value 7 --fault 7=io
// | ok    run: returned
// |       input  | {"name":"f","f32":2.0}
// |       input  | {"name":"d","f64":1.0}
// |       input  | {"name":"flag","bool":true}
// |       input  | {"name":"byte","u8":1}
// |       input  | {"name":"text","bytes":"1\u0000\u0000\u0000\u0000\u0000\u0000"}
// |       input  | {"name":"number","bytes":"\u0001\u0000\u0000\u0000"}  as a number: 1
// ! note: the program asked for 6 of the 7 values, the last 1 had no effect
// ! note: the value that is called `g` was given to `f`
// ! note: the run has 0 reads and writes: the fault of number 7 had no effect
// $ coax dump test % --value 5 > %t/test.json && coax replay % --test %t/test.json
// | ok    [t]/test.json: returned
// |       input  | {"name":"f","f32":5.0}
// |       input  | {"name":"d","f64":0.0}
// |       input  | {"name":"flag","bool":false}
// |       input  | {"name":"byte","u8":0}
// |       input  | {"name":"text","bytes":"\u0000\u0000\u0000\u0000\u0000\u0000\u0000"}
// |       input  | {"name":"number","bytes":"\u0000\u0000\u0000\u0000"}  as a number: 0
