//! Tasks with loops and arrays.

use crate::random::Random;

/// A number between these, the last one included.
pub(super) fn between(random: &mut Random, low: u32, high: u32) -> u32 {
    low + random.below((high - low + 1) as usize) as u32
}

/// Asks in each of thousands of rounds, and fails after the last.
pub(super) fn late_bools(random: &mut Random) -> String {
    let (rounds, most) = (between(random, 500, 5_000), between(random, 2, 5));
    format!(
        "int main(void) {{
    unsigned sum = 0, rounds = 0;
    while (__VERIFIER_nondet_bool()) {{
        if (__VERIFIER_nondet_bool()) sum += {most}; else sum++;
        if (++rounds > {rounds}) break;
    }}
    CHECK(sum < {rounds});
    return 0;
}}
"
    )
}

/// As trex02: a number that the input is counted down to, a choice in each round.
pub(super) fn count_down(random: &mut Random) -> String {
    let step = between(random, 1, 3);
    format!(
        "int x;
void step(void) {{ x -= {step}; }}
int main(void) {{
    x = __VERIFIER_nondet_int();
    while (x > 0) {{
        _Bool choice = __VERIFIER_nondet_bool();
        if (choice) step(); else step();
    }}
    CHECK(x == 0);
    return 0;
}}
"
    )
}

/// As trex03: three numbers, one of which becomes less in each round.
pub(super) fn count_three(random: &mut Random) -> String {
    let (a, b, c) = (between(random, 1, 2), between(random, 1, 3), between(random, 1, 2));
    format!(
        "int main(void) {{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), z = __VERIFIER_nondet_uint();
    while (x > 0 && y > 0 && z > 0) {{
        _Bool first = __VERIFIER_nondet_bool(), second = __VERIFIER_nondet_bool();
        if (first) x -= {a}; else if (second) y -= {b}; else z -= {c};
    }}
    CHECK(x == 0 && y == 0 && z == 0);
    return 0;
}}
"
    )
}

pub(super) fn up_to(random: &mut Random) -> String {
    let (most, step) = (between(random, 100, 100_000), between(random, 1, 7));
    format!(
        "int main(void) {{
    unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;
    if (n > {most}) return 0;
    while (x < n) {{ x++; y += {step}; }}
    CHECK(y != {step} * {most}u);
    return 0;
}}
"
    )
}

pub(super) fn nested(random: &mut Random) -> String {
    let (outer, inner, odd) = (between(random, 5, 40), between(random, 5, 40), between(random, 3, 11));
    format!(
        "int main(void) {{
    int i, j, k = 0;
    for (i = 0; i < {outer}; i++)
        for (j = 0; j < {inner}; j++) {{
            int x = __VERIFIER_nondet_int();
            if (x % {odd} == i % {odd}) k++;
        }}
    CHECK(k != {outer} + {inner});
    return 0;
}}
"
    )
}

pub(super) fn nested_late(random: &mut Random) -> String {
    let (outer, inner) = (between(random, 50, 500), between(random, 50, 500));
    format!(
        "int main(void) {{
    int last = __VERIFIER_nondet_int(), k = 0;
    for (int i = 0; i < {outer}; i++)
        for (int j = 0; j < {inner}; j++) k += i ^ j;
    CHECK(last != k);
    return 0;
}}
"
    )
}

/// Never ends, for some inputs or for all.
pub(super) fn endless(random: &mut Random) -> String {
    let (odd, add) = (between(random, 2, 9), between(random, 1, 9));
    format!(
        "int main(void) {{
    unsigned x = __VERIFIER_nondet_uint();
    while (x % {odd} != 1) {{
        x += {add} * {odd};
        if (__VERIFIER_nondet_uchar() == 77) CHECK(x != 12345);
    }}
    return 0;
}}
"
    )
}

pub(super) fn two_phases(random: &mut Random) -> String {
    let (half, all) = (between(random, 50, 5_000), between(random, 5_000, 20_000));
    format!(
        "int main(void) {{
    unsigned x = 0, y = {half}, n = __VERIFIER_nondet_uint();
    while (x < n && x < {all}) {{ if (x >= {half}) y++; x++; }}
    CHECK(y != {all} || n == 0);
    return 0;
}}
"
    )
}

pub(super) fn sum(random: &mut Random) -> String {
    let (count, wanted) = (between(random, 3, 30), between(random, 100, 60_000));
    format!(
        "int main(void) {{
    long long sum = 0;
    for (int i = 0; i < {count}; i++) {{
        short x = __VERIFIER_nondet_short();
        if (x < 0) x = 0;
        sum += x;
    }}
    CHECK(sum != {wanted});
    return 0;
}}
"
    )
}

pub(super) fn array_fill(random: &mut Random) -> String {
    let (count, at) = (between(random, 10, 2_000), between(random, 0, 9));
    format!(
        "int a[{count}];
int main(void) {{
    for (int i = 0; i < {count}; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < {count}; i++) if (a[i] < 0) a[i] = -(a[i] + 1);
    for (int i = 0; i < {count}; i++) CHECK(a[i] >= 0);
    CHECK(a[{at}] != {count});
    return 0;
}}
"
    )
}

pub(super) fn array_find(random: &mut Random) -> String {
    let (count, wanted) = (between(random, 10, 500), between(random, 1, 100_000));
    format!(
        "int a[{count}];
int main(void) {{
    int i, n = __VERIFIER_nondet_int();
    for (i = 0; i < {count}; i++) a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < {count} && a[i] != {wanted}; i++);
    if (i < {count} && i == n && n > {count} / 2) reach_error();
    return 0;
}}
"
    )
}

pub(super) fn array_sort(random: &mut Random) -> String {
    let (count, wrong) = (between(random, 4, 16), between(random, 0, 1));
    format!(
        "int a[{count}];
int main(void) {{
    for (int i = 0; i < {count}; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < {count} - {wrong}; i++)
        for (int j = i + 1; j < {count}; j++)
            if (a[j] < a[i]) {{ int t = a[i]; a[i] = a[j]; a[j] = t; }}
    for (int i = 1; i < {count}; i++) CHECK(a[i - 1] <= a[i]);
    CHECK(a[0] != a[1] || a[0] != 4711);
    return 0;
}}
"
    )
}

pub(super) fn array_max(random: &mut Random) -> String {
    let count = between(random, 10, 3_000);
    format!(
        "int a[{count}];
int main(void) {{
    int max = 0;
    for (int i = 0; i < {count}; i++) {{
        a[i] = __VERIFIER_nondet_int();
        if (a[i] > max) max = a[i];
    }}
    CHECK(max < 1000000 || max % 97 != 5);
    return 0;
}}
"
    )
}

pub(super) fn matrix(random: &mut Random) -> String {
    let (size, trace) = (between(random, 2, 6), between(random, 10, 500));
    format!(
        "int a[{size}][{size}], b[{size}][{size}];
int main(void) {{
    int trace = 0;
    for (int i = 0; i < {size}; i++)
        for (int j = 0; j < {size}; j++) {{
            a[i][j] = __VERIFIER_nondet_char();
            b[j][i] = __VERIFIER_nondet_bool() ? a[i][j] : i;
        }}
    for (int i = 0; i < {size}; i++)
        for (int j = 0; j < {size}; j++) trace += a[i][j] * b[j][i];
    CHECK(trace != {trace});
    return 0;
}}
"
    )
}
