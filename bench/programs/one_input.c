/* Runs a harness of libFuzzer's once, on the file that is named: for measuring what an input covers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) return 2;
    size_t size = 0, room = 1 << 20;
    uint8_t *data = malloc(room);
    if (data == NULL) return 2;
    size = fread(data, 1, room, file);
    fclose(file);
    /* Exactly as large as the input, as libFuzzer gives it. */
    uint8_t *exact = malloc(size ? size : 1);
    if (exact == NULL) return 2;
    for (size_t i = 0; i < size; i++) exact[i] = data[i];
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}
