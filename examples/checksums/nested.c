// Chunks with CRC-32, in a file with a CRC-32 over all of them and their checksums.
//
//     coax cover examples/checksums/nested.c
#include "crc32.h"

#define CHECKSUM crc32
#define CHECKSUM_BYTES 4
#define WHOLE_FILE
#include "chunks.h"
