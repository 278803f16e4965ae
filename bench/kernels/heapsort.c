// Heapsort of 64-bit keys: long jumps through an array, comparisons of pairs.

typedef unsigned long long u64;

static u64 heap[20000];

static void sink(int root, int count) {
    u64 value = heap[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= value) break;
        heap[root] = heap[child];
    }
    heap[root] = value;
}

int run(int n) {
    int count = sizeof heap / sizeof *heap;
    u64 state = 42, sum = 0;
    for (int round = 0; round < n; round++) {
        for (int i = 0; i < count; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            heap[i] = state >> 20;
        }
        for (int root = count / 2; root-- > 0;) sink(root, count);
        for (int end = count; --end > 0;) {
            u64 largest = heap[0];
            heap[0] = heap[end];
            heap[end] = largest;
            sink(0, end);
        }
        for (int i = 1; i < count; i++) {
            if (heap[i - 1] > heap[i]) return -1;
            sum = (sum ^ heap[i]) * 0x100000001b3u;
        }
    }
    return (int)(sum ^ sum >> 32);
}
