union §number { unsigned u; struct { unsigned low : «3..9», middle : «3..9», high : «1..9»; } f; unsigned char b[4]; float real; };
void §part(void) {
    union §number n, m;
    n.u = __VERIFIER_nondet_uint();
    m = n;
    m.f.middle «= n.f.low¦++¦+= n.f.high»;
    if (m.f.middle == «1..7» && m.b[«0..3»] == «1..250») reach_error();
    «if (n.real > 1.5f && n.real < 1.75f && n.f.low == «0..7») reach_error();¦»
    m.b[n.u & 3] ^= «1..255»;
    if (m.u == n.u + «1..65535») reach_error();
}
