// Decompression in the manner of LZ77: literals, and copies from what was already written, perhaps overlapping.

static unsigned char packed[1 << 15], unpacked[1 << 18];

// Packs a made-up stream: a control byte below 128 announces so many literals, the others a copy.
static int make_packed(void) {
    unsigned state = 99;
    int size = 0, written = 0;
    while (size < (int)sizeof packed - 64 && written < (int)sizeof unpacked - 600) {
        state = state * 1664525u + 1013904223u;
        unsigned choice = state >> 16;
        if (written < 8 || choice % 3 == 0) {
            int count = 1 + (int)(choice >> 4) % 12;
            packed[size++] = (unsigned char)count;
            for (int i = 0; i < count; i++) packed[size++] = (unsigned char)(choice >> (i & 7));
            written += count;
        } else {
            int count = 3 + (int)(choice >> 3) % 40, farthest = written < 4096 ? written : 4096;
            int distance = 1 + (int)(choice >> 2) % farthest;
            packed[size++] = (unsigned char)(128 + count);
            packed[size++] = (unsigned char)distance;
            packed[size++] = (unsigned char)(distance >> 8);
            written += count;
        }
    }
    return size;
}

static int unpack(int size) {
    int from = 0, to = 0;
    while (from < size) {
        int control = packed[from++];
        if (control < 128) {
            if (from + control > size || to + control > (int)sizeof unpacked) return -1;
            while (control-- > 0) unpacked[to++] = packed[from++];
        } else {
            int count = control - 128, distance = packed[from] | packed[from + 1] << 8;
            from += 2;
            if (distance == 0 || distance > to || to + count > (int)sizeof unpacked) return -1;
            for (; count-- > 0; to++) unpacked[to] = unpacked[to - distance];
        }
    }
    return to;
}

int run(int n) {
    int size = make_packed();
    unsigned sum = 0;
    for (int round = 0; round < n; round++) {
        int length = unpack(size);
        if (length < 0) return -1;
        for (int i = 0; i < length; i += 13) sum = sum * 31 + unpacked[i];
    }
    return (int)sum;
}
