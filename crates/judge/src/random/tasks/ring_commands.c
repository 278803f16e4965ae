static struct { unsigned char data[«4¦8¦16»]; unsigned head, tail; } §ring;
static int §put(unsigned char c) {
    unsigned next = (§ring.head + 1) % sizeof §ring.data;
    if (next == §ring.tail) return 0;
    §ring.data[§ring.head] = c;
    §ring.head = next;
    return 1;
}
static int §get(void) {
    int c;
    if (§ring.head == §ring.tail) return -1;
    c = §ring.data[§ring.tail];
    §ring.tail = (§ring.tail + 1) % sizeof §ring.data;
    return c;
}
void §part(void) {
    int i, sum = 0;
    for (i = 0; i < «6..20»; i++) {
        switch (__VERIFIER_nondet_uchar() «% 4¦» ) {
        case 0: if (!§put(__VERIFIER_nondet_uchar())) «reach_error();¦return;» break;
        case 1: sum += §get(); break;
        case 2: if (sum == «5..200») reach_error(); break;
        default: if (§ring.head == «2..4» && §ring.tail == 1) return;
        }
    }
}
