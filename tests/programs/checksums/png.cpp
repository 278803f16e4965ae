// Reads a picture as PNG, with lodepng: each chunk has a CRC-32, the pixels are a zlib stream with an Adler-32.
#include "lodepng.h"
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned char *pixels = nullptr;
    unsigned width = 0, height = 0;
    LodePNGState state;
    lodepng_state_init(&state);
    // No more pixels than a test needs.
    if (!lodepng_inspect(&width, &height, &state, data, size) && width <= 1024 && height <= 1024) {
        lodepng_decode(&pixels, &width, &height, &state, data, size);
    }
    free(pixels);
    lodepng_state_cleanup(&state);
    return 0;
}
