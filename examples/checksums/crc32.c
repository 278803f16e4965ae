// Chunks with CRC-32.
//
//     coax cover examples/checksums/crc32.c
#include "crc32.h"

#define CHECKSUM crc32
#define CHECKSUM_BYTES 4
#include "chunks.h"
