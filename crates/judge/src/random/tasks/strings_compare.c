static int §compare(const char *a, const char *b) {
    while (*a && *a == *b) { a++; b++; }
    return *a - *b;
}
void §part(void) {
    char text[«6..20»];
    int i, n = «sizeof text - 1¦__VERIFIER_nondet_uchar() % (sizeof text - 1)»;
    for (i = 0; i < n; i++) text[i] = «__VERIFIER_nondet_char()¦(char)__VERIFIER_nondet_int()»;
    text[n] = 0;
    if («§compare¦strcmp»(text, "«alpha¦go¦x=1¦--help¦stop»") == 0) reach_error();
    «int sum = 0; for (i = 0; text[i] >= '0' && text[i] <= '9'; i++) sum = sum * 10 + text[i] - '0';
    if (sum == «12..4000») reach_error();
    ¦for (i = 0; i < n / 2; i++) if (text[i] != text[n - 1 - i]) return;
    if (n > 2) reach_error();
    ¦if (strstr(text, "«ab¦xyz»")) reach_error();
    ¦char *colon = strchr(text, ':'); if (colon && strlen(colon) == «2..4») reach_error();»
}
