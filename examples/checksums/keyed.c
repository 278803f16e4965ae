// Chunks with a keyed hash of 64 bits: additions, rotations and xors on four words, two rounds for each word of eight bytes
// and four at the end, in the manner of SipHash.
//
//     coax cover examples/checksums/keyed.c
#include <stddef.h>
#include <stdint.h>

static const uint64_t key[2] = {0x6c62272e07bb0142, 0x62b821756295c58d};

static uint64_t rotate(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

static void round(uint64_t state[4]) {
    state[0] += state[1];
    state[2] += state[3];
    state[1] = rotate(state[1], 17) ^ state[0];
    state[3] = rotate(state[3], 21) ^ state[2];
    state[0] = rotate(state[0], 32) + state[3];
    state[2] += state[1];
    state[3] = rotate(state[3], 13) ^ state[0];
    state[1] = rotate(state[1], 19) ^ state[2];
    state[2] = rotate(state[2], 32);
}

static uint64_t keyed_hash(const uint8_t *data, size_t length) {
    uint64_t state[4] = {key[0], key[1], ~key[0], ~key[1]};
    for (size_t start = 0; start <= length; start += 8) {
        uint64_t word = (uint64_t)length << 56; /* what fills the last one */
        for (size_t i = 0; i < 8 && start + i < length; i++) word ^= (uint64_t)data[start + i] << 8 * i;
        state[3] ^= word;
        round(state);
        round(state);
        state[0] ^= word;
    }
    for (int i = 0; i < 4; i++) round(state);
    return state[0] ^ state[1] ^ state[2] ^ state[3];
}

#define CHECKSUM keyed_hash
#define CHECKSUM_BYTES 8
#include "chunks.h"
