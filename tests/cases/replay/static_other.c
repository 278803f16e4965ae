static int unused(int y) {
    if (y == 5) return 1;
    return 0;
}
