// Another strategy is another search: in the same directory it begins anew, and does not go on with what the first one did.
// REQUIRES: clang
// RUN: coax reach % --target inner --strategy forward --no-mutate --max-runs 120 --out %t/out | sed 's/-[0-9a-f]*.json//'
// RUN: coax reach % --target inner --no-mutate --max-runs 200 --out %t/out | sed 's/-[0-9a-f]*.json//'
// Only backwards nothing is run that was not found, and that is not what ends it.
// RUN: coax reach % --target inner --strategy backward --out %t/behind
// EXIT: 4
// RUN: grep '"stop"' %t/behind/report.json

#include <stddef.h>
#include <stdint.h>

// Much that is not covered, and leads nowhere.
static int elsewhere(const uint8_t *data) {
    int sum = 0;
    for (int i = 0; i < 12; i++) {
        switch (data[i]) {
            case 'a': sum += 1; break;
            case 'b': sum ^= 7; break;
            case 'c': sum *= 3; break;
            case 'd': sum -= i; break;
            case 'e': sum |= 16; break;
            case 'f': sum = -sum; break;
            default: sum += data[i] > 'k' ? data[i] < 'q' ? 2 : 3 : data[i] == 'h' ? 5 : 4;
        }
    }
    return sum;
}

int inner(int found) { return found + 1; }

static int deeper(const uint8_t *data) {
    if (data[4] != data[5] + 1) return 0;
    if (data[5] < 100) return 1;
    return data[6] + data[7] == 77 ? inner(data[6]) : 2;
}

static int deep(const uint8_t *data) {
    if (data[0] != '<') return 0;
    if (data[1] == data[2]) return 1;
    return (data[2] ^ data[3]) == 0x21 ? deeper(data) : 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 20) return 0;
    int sum = elsewhere(data + 8);
    return deep(data) + sum;
}

// OUTPUT
// $ coax reach % --target inner --strategy forward --no-mutate --max-runs 120 --out %t/out | sed 's/-[0-9a-f]*.json//'
// | unknown      inner: as many runs as allowed (`--max-runs`); it was not searched for backwards (`--strategy forward`)
// $ coax reach % --target inner --no-mutate --max-runs 200 --out %t/out | sed 's/-[0-9a-f]*.json//'
// | reached      inner  deep-line-41-to-41-42
// $ coax reach % --target inner --strategy backward --out %t/behind
// | unknown      inner: backwards, no contradiction was found with one round of each loop and calls four functions deep
// $ grep '"stop"' %t/behind/report.json
// |   "stop": "complete",
