//! Dead code planted in C sources: guards that contradict themselves, in the middle of functions that others wrote.
//!
//! A guard stands before a statement, on its line, and calls a marker: a function of its own, which nothing else calls. Where the text of a
//! source deceives, the compiler complains, or the marker is not in the module; then the plant was none.

use coax_solve::Random;

/// A kind of guard: what is contradictory.
pub struct Kind {
    /// What it is called.
    pub name: &'static str,
    /// What stands before the function, and what before the statement. `N` is the plant's number, `X` a parameter of the function as a number
    /// without sign, `M` what calls the marker.
    helper: &'static str,
    guard: &'static str,
}

/// All kinds.
pub const KINDS: [Kind; 8] = [
    Kind { name: "bits", helper: "", guard: "if ((X & 3u) == 5u) M" },
    Kind { name: "range", helper: "", guard: "if (X > 100u) { if (X < 50u) M }" },
    Kind { name: "switch", helper: "", guard: "switch (X % 4u) { case 6u: M break; default: break; }" },
    Kind { name: "product", helper: "", guard: "if (((X * X) & 3u) == 2u) M" },
    Kind {
        name: "result of a call",
        helper: "static __attribute__((noinline)) unsigned planted_clamp_N(unsigned x) { return x > 7u ? 7u : x; }",
        guard: "if (planted_clamp_N(X) == 9u) M",
    },
    Kind {
        name: "argument of a call",
        helper: "static void planted_marker_N(void); static __attribute__((noinline)) void planted_dead_N(unsigned x) { if (x > 9u) M }",
        guard: "planted_dead_N(X & 7u);",
    },
    Kind {
        name: "local variable",
        helper: "",
        guard: "{ unsigned planted = X; unsigned *at = &planted; if (planted > 20u) { *at = 20u; } if (*at == 21u) M }",
    },
    Kind {
        name: "static variable",
        helper: "static unsigned planted_flag_N;",
        guard: "if (planted_flag_N != 0u) M",
    },
];

/// A source with plants.
#[derive(Clone)]
pub struct Field {
    lines: Vec<String>,
    /// What stands before everything.
    helpers: Vec<String>,
}

/// Where a guard can stand: a line, and what is a number there.
pub struct Place {
    line: usize,
    number: String,
}

impl Field {
    /// A source as it is.
    pub fn new(text: &str) -> Field {
        Field { lines: text.lines().map(str::to_owned).collect(), helpers: Vec::new() }
    }

    /// A place at random, if there is one.
    pub fn place(&self, random: &mut Random) -> Option<Place> {
        let mut places = self.places();
        (!places.is_empty()).then(|| places.swap_remove(random.below(places.len())))
    }

    /// Statements of functions that have a parameter that can be made a number.
    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let mut number = None;
        for (line, text) in self.lines.iter().enumerate() {
            if text.ends_with('{') && !text.starts_with([' ', '\t']) {
                number = parameter(&self.lines[..=line]);
            } else if text.starts_with('}') {
                number = None;
            } else if line > 0
                && let Some(number) = &number
                && is_statement(&self.lines[line - 1], text)
            {
                places.push(Place { line, number: number.clone() });
            }
        }
        places
    }

    /// Plants a guard; the name of its marker.
    pub fn plant(&mut self, kind: &Kind, place: &Place, number: usize) -> String {
        let marker = format!("planted_marker_{number}");
        let fill = |text: &str| {
            let words = [
                ("_N", format!("_{number}")),
                ("X", format!("((unsigned)(__SIZE_TYPE__)({}))", place.number)),
                ("M", format!("{marker}();")),
            ];
            words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value))
        };
        // Nothing is known of what a volatile does, so the marker stays a function.
        self.helpers.push(format!(
            "static __attribute__((noinline)) void {marker}(void) {{ static volatile int seen; seen = 1; }} {}",
            fill(kind.helper)
        ));
        let guard = fill(kind.guard);
        self.lines[place.line].insert_str(0, &format!("{guard} "));
        marker
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.helpers.iter().chain(&self.lines).for_each(|line| text += &format!("{line}\n"));
        text
    }
}

/// Whether a line is a statement that comes after another, as far as its text shows.
fn is_statement(before: &str, line: &str) -> bool {
    let (before, line) = (before.trim(), line.trim());
    let comes_after = before.ends_with([';', '{', '}']) && !before.starts_with("for");
    let begins = line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '*');
    // A label, or what belongs to what comes before it.
    let is_part = ["else", "case", "default", "while", "struct", "union", "enum", "typedef", "planted"];
    comes_after && begins && line.ends_with(';') && !is_part.iter().any(|word| line.starts_with(word))
}

/// A parameter of the function whose header, up to its brace, these lines end with: its last one.
fn parameter(lines: &[String]) -> Option<String> {
    let begin = lines.iter().rposition(|line| line.is_empty() || line.starts_with(['}', '#', '/']))?;
    let header = lines[begin + 1..].join(" ");
    let inside = header.trim_end_matches('{').trim().strip_suffix(')')?;
    let inside = &inside[inside.find('(')? + 1..];
    let last = inside.rsplit(',').next()?.trim();
    let start = last.rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')? + 1;
    // A type without a name, or what is no plain parameter.
    let is_plain = !inside.contains(['(', '[', '.']) && start > 0 && start < last.len();
    is_plain.then(|| last[start..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Field, KINDS};
    use coax_solve::Random;

    const SOURCE: &str = "int g;\n\nint f(const char *s,\n      int count)\n{\n    int x;\n    x = count;\n    if (x)\n        g = 1;\n    else\n        g = 2;\n    return x;\n}\n";

    #[test]
    fn guards_stand_before_statements_on_their_lines() {
        let field = Field::new(SOURCE);
        let lines: Vec<usize> = field.places().iter().map(|place| place.line).collect();
        assert_eq!(lines, [5, 6, 11], "not where an `if` or `else` would take the guard instead");
        let mut planted = field.clone();
        let place = field.place(&mut Random::new(1)).expect("there are some");
        let marker = planted.plant(&KINDS[0], &place, 3);
        assert_eq!(marker, "planted_marker_3");
        let text = planted.text();
        assert!(
            text.contains("if ((((unsigned)(__SIZE_TYPE__)(count)) & 3u) == 5u) planted_marker_3();"),
            "{text}"
        );
    }
}
