/* A target of libFuzzer's. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

char *encode(const char *plain);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *plain = malloc(size + 1);
    memcpy(plain, data, size);
    plain[size] = 0;
    free(encode(plain));
    free(plain);
    return 0;
}
