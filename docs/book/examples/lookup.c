static int hash(int key) {
    unsigned long long mixed = ((unsigned)key + 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53ull;
    return (int)(mixed ^ mixed >> 29);
}

enum answer { WRONG, RIGHT, SPECIAL };

enum answer lookup(int proof, int key) {
    if (proof != hash(key))
        return WRONG;
    if (key == 4711)
        /* The proof has to be that of 4711. */
        return SPECIAL;
    return RIGHT;
}
