// A function of another module answers an import: it becomes part of the program, so symbols go through it, and lines stay true.
// REQUIRES: clang
// WITH: stub_answers.wat
// RUN: coax replay % --stub receive=stub_answers.wat --stub env.fill=stub_answers.wat --value 7
// RUN: coax dump path % --stub receive=stub_answers.wat --stub fill=stub_answers.wat --value 7
// RUN: coax replay % --stub receive=stub_answers.wat:narrow --stub fill=stub_answers.wat
// EXIT: 2
// RUN: coax replay % --stub receive=stub_answers.wat:missing
// EXIT: 2
// RUN: coax replay % --stub send=stub_answers.wat
// EXIT: 2
// RUN: coax replay % --stub receive=none.wasm
// EXIT: 2
// RUN: coax replay % --stub receive=stub_answers.wat --stub fill=1 --value 7 --save %t/test.json && coax replay % --stub receive=stub_answers.wat --test %t/test.json
// RUN: coax replay % --stub fill=1 --test %t/test.json
// EXIT: 2
#include <coax.h>

long long receive(int channel);
int fill(void *place, int count);

int main(void) {
    char buffer[4] = {0};
    int channel = coax_i32("channel");
    if (receive(channel) == 21) {
        int count = fill(buffer, 3);
        return 10 * count + buffer[2] + buffer[3];
    }
    return 0;
}

// OUTPUT
// $ coax replay % --stub receive=stub_answers.wat --stub env.fill=stub_answers.wat --value 7
// | ok    run: exited with code 47
// |       input  | {"name":"channel","i32":7}
// $ coax dump path % --stub receive=stub_answers.wat --stub fill=stub_answers.wat --value 7
// | input {"name":"channel","i32":7}
// | site11 stub_module.c:25:26  branch to line 26  (eq channel 7:32)
// | exited with code 47
// $ coax replay % --stub receive=stub_answers.wat:narrow --stub fill=stub_answers.wat
// ! error: stub_answers.wat cannot be a stub: `env.receive` is imported as (i32) -> (i64), but `narrow` is (i64) -> (i32). Correct `--stub NAME=MODULE` or `--stub NAME=MODULE:EXPORT`.
// $ coax replay % --stub receive=stub_answers.wat:missing
// ! error: stub_answers.wat cannot be a stub: it exports no function `missing`; its functions are: `receive`, `narrow`, `fill`. Correct `--stub NAME=MODULE` or `--stub NAME=MODULE:EXPORT`.
// $ coax replay % --stub send=stub_answers.wat
// ! error: stub_answers.wat cannot be a stub: the program imports no function `send`. Correct `--stub NAME=MODULE` or `--stub NAME=MODULE:EXPORT`.
// $ coax replay % --stub receive=none.wasm
// ! error: none.wasm cannot be read: No such file or directory (os error 2). Check the path and its permissions.
// $ coax replay % --stub receive=stub_answers.wat --stub fill=1 --value 7 --save %t/test.json && coax replay % --stub receive=stub_answers.wat --test %t/test.json
// | ok    run: exited with code 10
// |       input  | {"name":"channel","i32":7}
// | ok    [t]/test.json: exited with code 10
// |       input  | {"name":"channel","i32":7}
// $ coax replay % --stub fill=1 --test %t/test.json
// ! error: a test says itself what `fill` answers; with `--test`, `--stub` is for functions of modules
