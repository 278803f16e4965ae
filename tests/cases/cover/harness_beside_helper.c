// Serves harness_beside.c: functions that could be entries, too.
int twice(int x) { return x * 2; }
int thrice(int x) { return x * 3; }
