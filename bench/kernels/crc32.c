// CRC-32 by a table of 256 words: each step waits for the load of the one before.

static unsigned table[256];
static unsigned char data[1 << 16];

static void fill_table(void) {
    for (unsigned i = 0; i < 256; i++) {
        unsigned remainder = i;
        for (int bit = 0; bit < 8; bit++) remainder = remainder & 1 ? remainder >> 1 ^ 0xedb88320u : remainder >> 1;
        table[i] = remainder;
    }
}

static unsigned crc(unsigned sum, const unsigned char *bytes, int length) {
    sum = ~sum;
    for (int i = 0; i < length; i++) sum = sum >> 8 ^ table[(sum ^ bytes[i]) & 0xff];
    return ~sum;
}

int run(int n) {
    fill_table();
    // The check value that every description of this CRC gives.
    if (crc(0, (const unsigned char *)"123456789", 9) != 0xcbf43926u) return -1;
    for (unsigned i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * i >> 3);
    unsigned sum = 0;
    for (int round = 0; round < n; round++) sum = crc(sum, data, sizeof data);
    return (int)sum;
}
