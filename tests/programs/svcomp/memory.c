// A buffer that is filled at once, as in the newer tasks.
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error() { __assert_fail("0", "memory.c", 4, "reach_error"); }
extern void __VERIFIER_nondet_memory(void *, unsigned long);
extern unsigned int __VERIFIER_nondet_uint(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }

struct message {
    unsigned char length;
    char text[7];
};

int main() {
    struct message message;
    __VERIFIER_nondet_memory(&message, sizeof(message));
    unsigned int at = __VERIFIER_nondet_uint();
    assume_abort_if_not(message.length <= 7);
    assume_abort_if_not(at < message.length);
    if (message.text[at] == '!') { reach_error(); }
    return 0;
}
