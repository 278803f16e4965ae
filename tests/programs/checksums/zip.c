// Unpacks the files of a zip archive, with miniz: each has a CRC-32 in the directory at the end.
#include "miniz.h"
#include <stdint.h>
#include <string.h>

enum { MOST_FILES = 4, MOST_OUTPUT = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t output[MOST_OUTPUT];
    mz_zip_archive archive;
    memset(&archive, 0, sizeof archive);
    if (!mz_zip_reader_init_mem(&archive, data, size, 0)) return 0;
    for (mz_uint i = 0; i < mz_zip_reader_get_num_files(&archive) && i < MOST_FILES; i++) {
        mz_zip_archive_file_stat about;
        if (!mz_zip_reader_file_stat(&archive, i, &about)) continue;
        mz_zip_reader_extract_to_mem(&archive, i, output, sizeof output, 0);
    }
    mz_zip_reader_end(&archive);
    return 0;
}
