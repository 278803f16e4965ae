// A fuzz target in libFuzzer's style, without a main.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

__attribute__((constructor)) static void print_at_once(void) { setvbuf(stdout, NULL, _IONBF, 0); }

static int ready;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    ready = *argc == 1 && (*argv)[0][0] != 0 && (*argv)[1] == NULL;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    printf("%d %zu", ready, size);
    if (size >= 4 && data[0] == 'F' && data[3] == 'Z') return data[size - 1] == '!' ? data[size] : 0;
    return 0;
}
