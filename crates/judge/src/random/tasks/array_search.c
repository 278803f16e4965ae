static int §find(const int *a, int n, int key) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = «(low + high) / 2¦low + (high - low) / 2»;
        if (a[middle] == key) return middle;
        if (a[middle] < key) low = middle + 1; else high = middle - «1¦1¦0»;
        «¦if (low > high) break;»
    }
    return -1;
}
void §part(void) {
    int a[«8..16»], i, n = 8, key = __VERIFIER_nondet_int();
    a[0] = __VERIFIER_nondet_uchar();
    for (i = 1; i < n; i++) { a[i] = a[i - 1] + __VERIFIER_nondet_uchar(); }
    if (§find(a, n, key) == «0..7») «reach_error();¦if (key % 5 == 2) reach_error();»
}
