//! The kinds that are written in C, as programs that write programs do.

use super::Source;
use std::fmt::Write;

/// How many states each machine has, and how many lines it takes.
const STATES: u32 = 16;
const LINES: u32 = 4 * STATES + 12;

/// Machines with states that read bytes, each with a table of its own, and a function that runs one of them.
pub(super) fn states(lines: u32) -> Source {
    let machines = (lines / LINES).max(1);
    let mut text = "/* Written by a program. */\nstatic unsigned counts[64];\n".to_owned();
    (0..machines).try_for_each(|number| machine(&mut text, number)).expect("text can be written");
    let names: Vec<String> = (0..machines).map(|number| format!("machine_{number},\n")).collect();
    let names = names.concat();
    writeln!(
        text,
        "static int (*const machines[{machines}])(const unsigned char *, unsigned) = {{\n{names}}};"
    )
    .expect("text can be written");
    text += &format!(
        "int run(int which) {{\n\
         unsigned char bytes[4] = {{ which >> 24, which >> 16, which >> 8, which }};\n\
         return machines[(unsigned)which % {machines}](bytes, sizeof bytes);\n\
         }}\n"
    );
    Source::C(text)
}

fn machine(text: &mut String, number: u32) -> std::fmt::Result {
    writeln!(text, "static const unsigned short table_{number}[{STATES}] = {{")?;
    let entries: Vec<String> =
        (0..STATES).map(|state| ((state * 31 + number * 7) % 997).to_string()).collect();
    writeln!(text, "{}\n}};", entries.join(", "))?;
    writeln!(text, "static int machine_{number}(const unsigned char *in, unsigned length) {{")?;
    writeln!(
        text,
        "unsigned state = 0, sum = {number};\nfor (unsigned i = 0; i < length; i++) {{\nunsigned c = in[i];\nswitch (state) {{"
    )?;
    for state in 0..STATES {
        let (next, other) = ((state * 5 + number) % STATES, (state * 11 + 3 * number + 1) % STATES);
        let byte = (state * 13 + number * 17) % 256;
        writeln!(text, "case {state}:")?;
        writeln!(text, "if (c == {byte}) {{ state = {next}; sum += table_{number}[c % {STATES}]; }}")?;
        writeln!(text, "else if (c > {}) {{ state = {other}; counts[c & 63] += sum ^ {byte}; }}", byte / 2)?;
        writeln!(text, "else {{ sum = sum * {} + c; }} break;", 2 * state + 3)?;
    }
    writeln!(text, "}}\n}}\nreturn (int)(sum + state);\n}}")
}
