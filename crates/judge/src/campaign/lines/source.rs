//! Random C programs, one statement a line: `f(a, b)` looks at the lowest four bits of its parameters only, so that all its inputs can be tried.
//!
//! Their conditions often contradict each other, and their statements are those behind which compilers leave code that belongs to no line, or to
//! another: what follows an `if`, `switch`, loop, jump or a call that does not come back.

use coax_solve::Random;
use std::fmt::Write;

/// A program that is being written.
pub struct Source {
    random: Random,
    text: String,
    depth: usize,
    loops: usize,
    labels: usize,
    /// Statements that may still be made.
    budget: usize,
    may_exit: bool,
}

/// The text of the program with this number, and whether it may exit.
pub fn text(seed: u64) -> (String, bool) {
    let mut random = Random::new(seed ^ 0xc0de);
    let may_exit = random.below(3) == 0;
    let mut source =
        Source { random, text: String::new(), depth: 0, loops: 0, labels: 0, budget: 0, may_exit };
    source.text.push_str(
        "#include <stdlib.h>\nint h[4];\n\
         #define ADD(x) \\\n    do { \\\n        h[0] += (x); \\\n        h[1]++; \\\n    } while (0)\n\
         static inline __attribute__((always_inline)) int within(int x) {\n    if (x > 7)\n        return h[2];\n    return x;\n}\n",
    );
    if may_exit {
        source
            .text
            .push_str("static void leave(int x) {\n    if (x & 1)\n        exit(x);\n    h[3]++;\n}\n");
    }
    source.function("static int g", 4);
    source.function("int f", 9);
    (source.text, source.may_exit)
}

impl Source {
    fn function(&mut self, head: &str, budget: usize) {
        self.line(&format!("{head}(int a, int b) {{"));
        self.depth += 1;
        self.line("int c = 3;");
        self.line("int d = 0;");
        self.line("a &= 15;");
        self.line("b &= 15;");
        self.budget = budget;
        while self.budget > 0 {
            self.statement(head.ends_with('f'));
        }
        let value = self.value();
        self.line(&format!("return {value};"));
        self.depth -= 1;
        self.line("}");
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth));
    }

    fn statements(&mut self, may_call: bool) {
        self.depth += 1;
        for _ in 0..=self.random.below(2) {
            self.statement(may_call);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, may_call: bool) {
        self.budget = self.budget.saturating_sub(1);
        let is_deep = self.depth > 4;
        match self.random.below(if is_deep { 6 } else { 17 }) {
            0 | 1 => self.assignment(),
            2 => {
                let value = self.value();
                self.line(&format!("ADD({value});"));
            }
            3 => self.ternary(),
            4 if self.may_exit => {
                let value = self.value();
                self.line(&format!("leave({value});"));
            }
            5 if may_call => {
                let (one, other) = (self.value(), self.value());
                self.line(&format!("d = g({one}, {other});"));
            }
            4 | 5 => self.line("d = within(a) + within(b);"),
            6..=8 => self.condition(may_call, false),
            9 | 10 => self.condition(may_call, true),
            11 | 12 => self.switch(may_call),
            13 | 14 if self.loops < 2 => self.repeated(may_call),
            15 => self.bare(),
            16 => self.jump(),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) {
        let place = self.pick(&["c", "d", "h[1]", "h[a & 3]"]);
        let value = self.value();
        self.line(&format!("{place} = {value};"));
    }

    /// Each part on a line of its own.
    fn ternary(&mut self) {
        let (one, other) = (self.test(), self.test());
        let values = [self.value(), self.value(), self.value()];
        self.line(&format!("c = {one}"));
        self.line(&format!("    ? {}", values[0]));
        self.line(&format!("    : {other}"));
        self.line(&format!("        ? {}", values[1]));
        self.line(&format!("        : {};", values[2]));
    }

    fn condition(&mut self, may_call: bool, has_else: bool) {
        match self.random.below(4) {
            0 => {
                let (one, other) = (self.test(), self.test());
                self.line(&format!("if ({one} &&"));
                self.line(&format!("    {other}) {{"));
            }
            1 => {
                let (one, other, operator) = (self.test(), self.test(), self.pick(&["&&", "||"]));
                self.line(&format!("if ({one}"));
                self.line(&format!("    {operator} {other}) {{"));
            }
            _ => {
                let tests: Vec<String> = (0..=self.random.below(3)).map(|_| self.test()).collect();
                let between = self.pick(&[" && ", " || "]);
                let joined = tests.join(between);
                self.line(&format!("if ({joined}) {{"));
            }
        }
        self.statements(may_call);
        if has_else {
            if self.random.below(2) == 0 {
                let test = self.test();
                self.line(&format!("}} else if ({test}) {{"));
                self.statements(may_call);
            }
            self.line("} else {");
            self.statements(may_call);
        }
        self.line("}");
    }

    fn switch(&mut self, may_call: bool) {
        let value = self.value();
        self.line(&format!("switch ({value}) {{"));
        let mut number = self.random.below(3);
        for _ in 0..2 + self.random.below(3) {
            self.line(&format!("case {number}:"));
            self.statements(may_call);
            if self.random.below(3) > 0 {
                self.line("    break;");
            }
            number += 1 + self.random.below(2);
        }
        if self.random.below(2) == 0 {
            self.line("default:");
            self.statements(may_call);
        }
        self.line("}");
    }

    fn repeated(&mut self, may_call: bool) {
        self.loops += 1;
        let name = format!("i{}", self.loops);
        match self.random.below(3) {
            0 => {
                self.line(&format!("for (int {name} = 0; {name} < (a & 3); {name}++)"));
                self.line("    ;");
            }
            1 => {
                self.line(&format!("for (int {name} = 0; {name} < (b & 3); {name}++) {{"));
                self.statements(may_call);
                let (test, end) = (self.test(), self.pick(&["break", "continue"]));
                self.line(&format!("    if ({test})"));
                self.line(&format!("        {end};"));
                self.line("}");
            }
            _ => {
                // In braces, for there may be another of this name.
                self.line("{");
                self.depth += 1;
                self.line(&format!("int {name} = 0;"));
                self.line("do {");
                self.statements(may_call);
                self.line(&format!("}} while (++{name} < (b & 3));"));
                self.depth -= 1;
                self.line("}");
            }
        }
        self.loops -= 1;
    }

    /// A statement without braces, and what may follow it.
    fn bare(&mut self) {
        let test = self.test();
        self.line(&format!("if ({test})"));
        self.depth += 1;
        self.assignment();
        self.depth -= 1;
        if self.random.below(2) == 0 {
            self.line("else");
            self.depth += 1;
            self.assignment();
            self.depth -= 1;
        }
    }

    fn jump(&mut self) {
        let test = self.test();
        self.line(&format!("if ({test})"));
        if self.random.below(2) == 0 {
            let value = self.value();
            return self.line(&format!("    return {value};"));
        }
        self.labels += 1;
        let label = format!("l{}", self.labels);
        self.line(&format!("    goto {label};"));
        self.assignment();
        self.line(&format!("{label}:;"));
    }

    fn value(&mut self) -> String {
        let number = self.random.below(16);
        match self.random.below(6) {
            0 => number.to_string(),
            1 => "a + b".to_owned(),
            2 => format!("(a ^ {number})"),
            3 => format!("(b + {number})"),
            4 => "c + h[1]".to_owned(),
            _ => self.pick(&["a", "b", "c", "d"]).to_owned(),
        }
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.random.below(of.len())]
    }

    fn test(&mut self) -> String {
        let name = self.pick(&["a", "a", "b", "b", "c", "d"]);
        let operator = self.pick(&["==", "!=", "<", ">", "<=", ">="]);
        format!("{name} {operator} {}", self.random.below(16))
    }
}
