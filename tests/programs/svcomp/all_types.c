// Every type that Test-Comp's programs ask for.
typedef unsigned int size_type;
extern void abort(void);
void reach_error() { __builtin_trap(); }
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned int __VERIFIER_nondet_unsigned(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern size_type __VERIFIER_nondet_size_t(void);
extern unsigned int __VERIFIER_nondet_u32(void);

int main() {
    int found = 0;
    if (__VERIFIER_nondet_bool()) found++;
    if (__VERIFIER_nondet_char() == 'c') found++;
    if (__VERIFIER_nondet_uchar() == 200) found++;
    if (__VERIFIER_nondet_short() == -1000) found++;
    if (__VERIFIER_nondet_ushort() == 60000) found++;
    if (__VERIFIER_nondet_int() == -100000) found++;
    if (__VERIFIER_nondet_uint() == 4000000000u) found++;
    if (__VERIFIER_nondet_unsigned() == 3000000000u) found++;
    if (__VERIFIER_nondet_long() == -7) found++;
    if (__VERIFIER_nondet_ulong() == 2000000000ul) found++;
    if (__VERIFIER_nondet_longlong() == -5000000000ll) found++;
    if (__VERIFIER_nondet_ulonglong() == 10000000000000000000ull) found++;
    if (__VERIFIER_nondet_float() == 0.5f) found++;
    if (__VERIFIER_nondet_double() == -0.25) found++;
    if (__VERIFIER_nondet_size_t() == 17) found++;
    if (__VERIFIER_nondet_u32() == 18) found++;
    if (found == 16) reach_error();
    return 0;
}
