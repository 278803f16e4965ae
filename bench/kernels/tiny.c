// A program so small that only its start counts: some twenty decisions about one number.

static int classify(unsigned x) {
    if (x == 0) return 0;
    int kind = 1;
    for (int byte = 0; byte < 4; byte++) {
        unsigned c = x >> 8 * byte & 0xff;
        if (c >= 'a' && c <= 'z') kind = kind * 3 + 1;
        else if (c >= '0' && c <= '9') kind = kind * 3 + 2;
        else if (c < ' ') kind = kind * 3;
        else kind ^= 0x55;
    }
    if (x % 3 == 1) kind += 100;
    return kind;
}

int run(int n) {
    int kind = classify((unsigned)n);
    return kind > 50 ? kind - 50 : kind;
}
