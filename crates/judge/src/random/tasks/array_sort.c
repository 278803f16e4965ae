#define §SIZE «3..6»
static void §sort(«type:int¦unsigned char¦short» *a, int n) {
    int i, j;
    «for (i = 0; i < n; i++) for (j = i + 1; j < n; j++) if (a[i] > a[j]) { int t = a[i]; a[i] = a[j]; a[j] = t; }¦for (i = 1; i < n; i++) { int v = a[i]; for (j = i - 1; j >= 0 && a[j] > v; j--) a[j + 1] = a[j]; a[j + 1] = v; }¦for (i = 0; i < n - 1; i++) { int least = i; for (j = i + 1; j < n; j++) if (a[j] < a[least]) least = j; int t = a[i]; a[i] = a[least]; a[least] = t; }»
}
void §part(void) {
    int i, n = «§SIZE¦__VERIFIER_nondet_int()»;
    if (n < 0 || n > §SIZE) return;
    «=type» a[§SIZE];
    for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_«int¦uchar¦short»();
    §sort(a, n «¦- 1»);
    for (i = 1; i < n; i++) if (a[i - 1] > a[i]) reach_error();
}
