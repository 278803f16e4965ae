//! Random tasks like those of Test-Comp: C programs that ask for numbers and may come to `reach_error`.
//!
//! A task has one to three parts, each from a file of `tasks`, and a `main` that calls them. The files are C with choices:
//!
//! * `«a¦b¦c»` is one of these texts, which may have choices themselves; `«1..9»` a number from the first to the last;
//! * `«name:a¦b»` is one too, and `«=name»` the same one again;
//! * `§` begins the names that are the part's own.
//!
//! Many runs meet a limit on purpose: recursion without end, loops of thousands of millions of rounds, blocks that nobody has room for.

use super::Random;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

macro_rules! parts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("tasks/", $name, ".c")))),*]
    };
}

/// The parts, with what they are called.
const PARTS: &[(&str, &str)] = parts![
    "recursion_number",
    "loop_bools",
    "array_sums",
    "machine_events",
    "limit_recursion_endless",
    "strings_compare",
    "list_build",
    "puzzle_assumes",
    "recursion_nested",
    "loop_counts",
    "array_sizes",
    "limit_room",
    "floats_newton",
    "structs_pointers",
    "recursion_mutual",
    "limit_terms",
    "loop_nondet_exit",
    "array_index",
    "strings_copy",
    "recursion_frames",
    "callbacks_sort",
    "bits",
    "limit_memory",
    "tree_insert",
    "recursion_pointers",
    "loop_endless",
    "array_floats",
    "machine_reactive",
    "limit_output",
    "recursion_ackermann",
    "array_sort",
    "list_remove",
    "loop_phases",
    "floats_filter",
    "recursion_tree",
    "limit_table",
    "unions_bitfields",
    "array_search",
    "recursion_pointer_argument",
    "ring_commands",
];

/// What comes before the parts: what tasks declare, as those of Test-Comp do.
const HEAD: &str = r#"#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

«extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
void reach_error() { __assert_fail("0", "task.c", 3, "reach_error"); }¦void reach_error() { abort(); }¦extern void __VERIFIER_error() __attribute__ ((__noreturn__));
void reach_error() { ERROR: __VERIFIER_error(); }»
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
void assume_abort_if_not(int cond) { if (!cond) abort(); }
#define assume(cond) «assume_abort_if_not(cond)¦__VERIFIER_assume(cond)¦do { if (!(cond)) abort(); } while (0)»

"#;

/// A task.
pub struct Task {
    /// What its parts are called, with its number.
    pub name: String,
    /// The program.
    pub text: String,
}

/// The task of this number. Tasks of consecutive numbers begin with different parts.
pub fn task(seed: u64) -> Task {
    let mut random = Random::new(seed);
    let first = (seed % PARTS.len() as u64) as usize;
    let mut chosen = vec![PARTS[first]];
    for _ in 0..random.pick(&[0, 0, 0, 1, 1, 2]) {
        chosen.push(random.pick(PARTS));
    }
    let mut text = expand(HEAD, "", &mut random);
    for (number, (_, part)) in chosen.iter().enumerate() {
        text += &expand(part, &own(number), &mut random);
        text.push('\n');
    }
    text += &main(chosen.len(), &mut random);
    let names: Vec<&str> = chosen.iter().map(|(name, _)| *name).collect();
    Task { name: format!("{}-{seed}", names.join("+")), text }
}

/// What the names of a part begin with.
fn own(number: usize) -> String {
    format!("p{number}_")
}

/// Calls the parts, one after the other or as the input says.
fn main(parts: usize, random: &mut Random) -> String {
    let calls: Vec<String> = (0..parts).map(|number| format!("{}part();", own(number))).collect();
    let body = match random.below(4) {
        0 if parts > 1 => {
            let cases = calls.iter().enumerate();
            let cases: String =
                cases.map(|(number, call)| format!("    case {number}: {call} break;\n")).collect();
            format!("    switch (__VERIFIER_nondet_int()) {{\n{cases}    default: break;\n    }}\n")
        }
        1 if parts > 1 => format!("    if (__VERIFIER_nondet_bool()) {}\n", calls.join("\n    ")),
        2 => {
            let rounds = 1 + random.below(3);
            let calls = calls.join("\n        ");
            format!(
                "    for (int rounds = 0; rounds < {rounds}; rounds++) {{\n        {calls}\n        if (__VERIFIER_nondet_bool()) break;\n    }}\n"
            )
        }
        _ => format!("    {}\n", calls.join("\n    ")),
    };
    format!("int main(void) {{\n{body}    return 0;\n}}\n")
}

/// A text with its choices made.
fn expand(text: &str, own: &str, random: &mut Random) -> String {
    Expansion { text: text.chars().peekable(), own, random, named: BTreeMap::new() }.until_end()
}

/// A text whose choices are being made.
struct Expansion<'a> {
    text: Peekable<Chars<'a>>,
    own: &'a str,
    random: &'a mut Random,
    /// What was chosen under a name.
    named: BTreeMap<String, String>,
}

impl Expansion<'_> {
    fn until_end(&mut self) -> String {
        let mut made = String::new();
        while let Some(next) = self.text.next() {
            match next {
                '«' => made += &self.choice(),
                '§' => made += self.own,
                other => made.push(other),
            }
        }
        made
    }

    /// What is chosen of a choice whose beginning was read.
    fn choice(&mut self) -> String {
        let (name, ways) = self.ways();
        let chosen = match &ways[..] {
            [one] if one.starts_with('=') => self.named.get(&one[1..]).cloned().unwrap_or_default(),
            [one] => self.number(one),
            several => {
                let chosen = several[self.random.below(several.len())].clone();
                let named = std::mem::take(&mut self.named);
                let text = chosen.chars().peekable();
                let mut inner = Expansion { text, own: self.own, random: &mut *self.random, named };
                let made = inner.until_end();
                self.named = inner.named;
                made
            }
        };
        self.named.extend(name.map(|name| (name, chosen.clone())));
        chosen
    }

    /// The ways of a choice, as they are written, and its name.
    fn ways(&mut self) -> (Option<String>, Vec<String>) {
        let (mut name, mut ways, mut depth) = (None, vec![String::new()], 0);
        for next in self.text.by_ref() {
            match next {
                '»' if depth == 0 => break,
                '¦' if depth == 0 => {
                    ways.push(String::new());
                    continue;
                }
                ':' if depth == 0 && ways.len() == 1 && is_name(&ways[0]) => {
                    name = ways.pop();
                    ways.push(String::new());
                    continue;
                }
                '«' => depth += 1,
                '»' => depth -= 1,
                _ => {}
            }
            ways.last_mut().expect("there is one at least").push(next);
        }
        (name, ways)
    }

    /// A number from the first to the last of a range.
    fn number(&mut self, range: &str) -> String {
        let (first, last) = range.split_once("..").unwrap_or((range, range));
        let [first, last] = [first, last].map(|it| it.parse::<i64>().expect("a range has numbers"));
        (first + self.random.below((last - first + 1) as usize) as i64).to_string()
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_made() {
        let text = "«type:int¦int» §f(«=type» x) { return «3..3»«¦»«a«1..1»¦a1»; }";
        assert_eq!(expand(text, "p_", &mut Random::new(1)), "int p_f(int x) { return 3a1; }");
    }

    #[test]
    fn tasks_are_the_same_each_time_and_have_no_choices_left() {
        for seed in 0..2 * PARTS.len() as u64 {
            let Task { name, text } = task(seed);
            assert_eq!(text, task(seed).text);
            assert!(name.starts_with(PARTS[(seed % PARTS.len() as u64) as usize].0), "{name}");
            assert!(!text.contains(['«', '»', '¦', '§']), "{name}:\n{text}");
        }
    }
}
