//! Tasks with recursion, chains of assumptions, bits, machines, strings and pointers.

use super::loops::between;
use crate::random::Random;

pub(super) fn mccarthy(random: &mut Random) -> String {
    let (limit, wanted) = (between(random, 90, 300), between(random, 80, 320));
    format!(
        "int f(int x) {{ return x > {limit} ? x - 10 : f(f(x + 11)); }}
int main(void) {{
    int x = __VERIFIER_nondet_int();
    if (x < -100) return 0;
    int result = f(x);
    CHECK(result == {limit} - 9 || (x > {limit} && result == x - 10));
    CHECK(result != {wanted} || x != {wanted} + 10);
    return 0;
}}
"
    )
}

pub(super) fn ackermann(random: &mut Random) -> String {
    let (most, wanted) = (between(random, 2, 3), between(random, 5, 40));
    format!(
        "int ackermann(int m, int n) {{
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}}
int main(void) {{
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (m < 0 || m > {most} || n < 0 || n > 23) return 0;
    CHECK(ackermann(m, n) != {wanted});
    return 0;
}}
"
    )
}

pub(super) fn even_odd(random: &mut Random) -> String {
    let most = between(random, 100, 3_000);
    format!(
        "int is_odd(int n);
int is_even(int n) {{ return n == 0 ? 1 : is_odd(n - 1); }}
int is_odd(int n) {{ return n == 0 ? 0 : is_even(n - 1); }}
int main(void) {{
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    int result = is_odd(n);
    CHECK(result == n % 2);
    CHECK(n != {most});
    return 0;
}}
"
    )
}

pub(super) fn fibonacci(random: &mut Random) -> String {
    let (most, wanted) = (between(random, 10, 30), between(random, 5, 20));
    format!(
        "int fibonacci(int n) {{ return n < 1 ? 0 : n == 1 ? 1 : fibonacci(n - 1) + fibonacci(n - 2); }}
int main(void) {{
    int n = __VERIFIER_nondet_int();
    if (n > {most}) return 0;
    int result = fibonacci(n);
    CHECK(n != {wanted} || result < n);
    return 0;
}}
"
    )
}

pub(super) fn endless_recursion(random: &mut Random) -> String {
    let (odd, step) = (between(random, 2, 7), between(random, 1, 5));
    format!(
        "int down(unsigned n, int depth) {{
    if (n % {odd} == 1 && depth > 3) return depth;
    return down(n + {step} * {odd}, depth + 1) + 1;
}}
int main(void) {{
    unsigned n = __VERIFIER_nondet_uint();
    CHECK(down(n, 0) != 9);
    return 0;
}}
"
    )
}

pub(super) fn hanoi(random: &mut Random) -> String {
    let most = between(random, 8, 18);
    format!(
        "int counter;
void move(int n, int from, int to, int by) {{
    if (n == 1) {{ counter++; return; }}
    move(n - 1, from, by, to);
    counter++;
    move(n - 1, by, to, from);
}}
int main(void) {{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > {most}) return 0;
    move(n, 1, 3, 2);
    CHECK(counter + 1 != 1 << {most});
    return 0;
}}
"
    )
}

/// As xcsp: variables of a small range, and conditions that are assumed one after the other.
pub(super) fn assumes(random: &mut Random) -> String {
    let (count, range) = (between(random, 6, 24), between(random, 3, 12));
    let mut text = "int main(void) {\n".to_owned();
    for number in 0..count {
        text += &format!(
            "    int v{number} = __VERIFIER_nondet_int();\n    if (v{number} < 0 || v{number} > {range}) return 0;\n"
        );
    }
    for _ in 0..2 * count {
        let [one, other] = [0, 1].map(|_| between(random, 0, count - 1));
        let apart = between(random, 0, 2);
        let condition = match between(random, 0, 2) {
            0 => format!("v{one} + {apart} != v{other} || {one} == {other}"),
            1 => format!("v{one} <= v{other} + {range} - {apart}"),
            _ => format!("v{one} != {apart} || v{other} != {}", apart + 1),
        };
        text += &format!("    if (!({condition})) return 0;\n");
    }
    text + "    reach_error();\n    return 0;\n}\n"
}

pub(super) fn magic_square(random: &mut Random) -> String {
    let sum = 3 * between(random, 5, 9);
    format!(
        "int main(void) {{
    int x[9];
    for (int i = 0; i < 9; i++) {{
        x[i] = __VERIFIER_nondet_uchar();
        if (x[i] < 1 || x[i] > 20) return 0;
        for (int j = 0; j < i; j++) if (x[i] == x[j]) return 0;
    }}
    for (int i = 0; i < 3; i++) {{
        if (x[3 * i] + x[3 * i + 1] + x[3 * i + 2] != {sum}) return 0;
        if (x[i] + x[i + 3] + x[i + 6] != {sum}) return 0;
    }}
    if (x[0] + x[4] + x[8] == {sum} && x[2] + x[4] + x[6] == {sum}) reach_error();
    return 0;
}}
"
    )
}

pub(super) fn bits(random: &mut Random) -> String {
    let (shift, mask, wanted) =
        (between(random, 1, 15), between(random, 1, 0xffff), between(random, 1, 0xffff));
    format!(
        "int main(void) {{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    unsigned z = (x ^ (y << {shift})) & (y | {mask});
    unsigned ones = 0;
    for (unsigned rest = z; rest; rest &= rest - 1) ones++;
    CHECK(ones != 13 || (z >> 3) % 1021 != {wanted} % 1021);
    CHECK((x * {mask}u + y) != {wanted}u || x < y);
    return 0;
}}
"
    )
}

pub(super) fn hash(random: &mut Random) -> String {
    let (factor, count, wanted) =
        (2 * between(random, 10, 4000) + 1, between(random, 2, 12), between(random, 1, 0xffff));
    format!(
        "int main(void) {{
    unsigned hash = 5381;
    for (int i = 0; i < {count}; i++) {{
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c < 'a' || c > 'z') return 0;
        hash = hash * {factor} + c;
    }}
    CHECK(hash % 65521 != {wanted});
    return 0;
}}
"
    )
}

pub(super) fn machine(random: &mut Random) -> String {
    let (states, inputs) = (between(random, 4, 30), between(random, 2, 6));
    let mut text = "int state = 0;\nvoid step(int in) {\n    switch (state) {\n".to_owned();
    for state in 0..states {
        let [to, other] = [0, 1].map(|_| between(random, 0, states - 1));
        let (input, next) = (between(random, 1, inputs), (state + 1) % states);
        text += &format!(
            "    case {state}: if (in == {input}) state = {next}; else if (in == {}) state = {to}; else state = {other}; break;\n",
            input % inputs + 1
        );
    }
    text + &format!(
        "    }}
}}
int main(void) {{
    for (;;) {{
        int in = __VERIFIER_nondet_int();
        if (in < 1 || in > {inputs}) return 0;
        step(in);
        CHECK(state != {});
    }}
}}
",
        states - 1
    )
}

pub(super) fn words(random: &mut Random) -> String {
    let words = ["reset", "select", "commit", "rollback", "abort", "begin", "x", "verbose"];
    let [one, other] = [0, 1].map(|_| words[random.below(words.len())]);
    let count = between(random, 4, 32);
    format!(
        "static int same(const char *a, const char *b) {{ while (*a && *a == *b) {{ a++; b++; }} return *a == *b; }}
int main(void) {{
    char text[{count} + 16];
    int length = 0;
    while (length < {count} + 15) {{
        char c = __VERIFIER_nondet_char();
        if (!c) break;
        text[length++] = c;
    }}
    text[length] = 0;
    char *rest = text;
    while (*rest && *rest != ' ') rest++;
    if (!*rest) return 0;
    *rest++ = 0;
    if (same(text, \"{one}\") && same(rest, \"{other}\")) reach_error();
    return 0;
}}
"
    )
}

pub(super) fn list(random: &mut Random) -> String {
    let (most, wanted) = (between(random, 3, 200), between(random, 2, 100));
    format!(
        "extern void *malloc(unsigned long);
struct node {{ int value; struct node *next; }};
int main(void) {{
    struct node *head = 0;
    int length = 0;
    while (__VERIFIER_nondet_bool() && length < {most}) {{
        struct node *node = malloc(sizeof *node);
        if (!node) return 0;
        node->value = __VERIFIER_nondet_int();
        node->next = head;
        head = node;
        length++;
    }}
    struct node *before = 0;
    while (head) {{ struct node *next = head->next; head->next = before; before = head; head = next; }}
    int sum = 0;
    for (struct node *it = before; it; it = it->next) sum += it->value;
    CHECK(length < 3 || sum != {wanted});
    return 0;
}}
"
    )
}

pub(super) fn matching(random: &mut Random) -> String {
    let depth = between(random, 2, 12);
    format!(
        "int main(void) {{
    char stack[64];
    int top = 0, most = 0;
    for (int i = 0; i < 64; i++) {{
        char c = __VERIFIER_nondet_char();
        if (c == '(' || c == '[') {{ stack[top++] = c; if (top > most) most = top; }}
        else if (c == ')' || c == ']') {{
            if (top == 0 || stack[--top] != (c == ')' ? '(' : '[')) return 0;
        }} else break;
    }}
    CHECK(top != 0 || most < {depth});
    return 0;
}}
"
    )
}
