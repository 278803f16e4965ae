//! How a module is compiled: for speed, or, if it is so large in some way that this would take too long, quickly.
//!
//! Cranelift's optimiser and its usual register allocation take more than linear time and memory for functions that no person writes: an
//! instrumented function of 8,000 multiplications without a branch took 5 s and 2.4 GB, one with 1,000 values on the operand stack 3 s, 2,000
//! loops within each other more than 44 s. Without optimisation and with one-pass registers all of them take less than 0.1 s; the code
//! is one to three times as slow. What is compiled how is decided by sizes, never by a clock: a program behaves the same on any machine.

use coax_program::{Program, Size};

/// How a module is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// Optimised.
    Speed,
    /// In time that is about linear.
    Quick,
}

/// Operators of a function. One with 12,000 in 2,000 `if`s takes half a second; half of this would compile large interpreters without
/// optimisation, twice as much takes seconds and gigabytes where much is alive at once.
const MOST_OPERATORS: u32 = 40_000;
/// Operators without control between them: the optimiser computes what is wanted in unlikely code again there, from the beginning of the run, so
/// that its work is the square of this. At 2,000 it takes 0.1 s.
const LONGEST_RUN: u32 = 2_000;
/// Constructs within each other: the optimiser looks at all loops around a value.
const MOST_NESTING: u32 = 250;
/// Values on the operand stack: each is kept apart, and register allocation takes the square of their number.
const MOST_HEIGHT: u32 = 200;
/// Local variables, which are kept for each block that they live in.
const MOST_LOCALS: u32 = 2_000;
/// Operators of all functions, where each function counts as so many more: three to four times SQLite, which takes 4 s on two cores.
const MOST_OF_ALL: u64 = 1_500_000;
const PER_FUNCTION: u64 = 20;

impl Tier {
    /// The tier for a program's modules.
    pub(crate) fn of(program: &Program) -> Tier {
        let sizes = || program.functions.values().filter_map(|function| function.defined()).map(|it| it.size);
        let all: u64 = sizes().map(|size| u64::from(size.operators) + PER_FUNCTION).sum();
        match all > MOST_OF_ALL || sizes().any(|size| is_large(&size)) {
            true => Tier::Quick,
            false => Tier::Speed,
        }
    }
}

fn is_large(size: &Size) -> bool {
    size.operators > MOST_OPERATORS
        || size.longest_run > LONGEST_RUN
        || size.nesting > MOST_NESTING
        || size.height > MOST_HEIGHT
        || size.locals > MOST_LOCALS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tier(body: &str) -> Tier {
        let text = format!("(module (func (param i32) (result i32) (local i64) {body}))");
        let wasm = wat::parse_str(text).expect("it is well-formed");
        Tier::of(&Program::parse(wasm).expect("it is valid"))
    }

    #[test]
    fn what_is_large_in_some_way_is_compiled_quickly() {
        let add = "local.get 0 i32.const 1 i32.add local.set 0 ";
        let within =
            |count: usize| format!("{}{add}{}local.get 0", "loop ".repeat(count), "end ".repeat(count));
        let deep = |count: usize| format!("{}{}", "local.get 0 ".repeat(count), "i32.add ".repeat(count - 1));
        let blocks = |count: usize| format!("{}local.get 0", format!("block {add}end ").repeat(count));
        let straight = |count: usize| format!("{}local.get 0", add.repeat(count));
        let pairs = [
            (straight(400), straight(600)),
            (within(200), within(300)),
            (deep(150), deep(250)),
            (blocks(5_000), blocks(8_000)),
        ];
        for (small, large) in pairs {
            assert_eq!(tier(&small), Tier::Speed, "{} …", &small[..60]);
            assert_eq!(tier(&large), Tier::Quick, "{} …", &large[..60]);
        }
    }

    #[test]
    fn many_functions_are_compiled_quickly() {
        let size = Size { operators: 1_000, ..Size::default() };
        assert!(!is_large(&size));
        let locals = Size { locals: MOST_LOCALS + 1, ..size };
        assert!(is_large(&locals));
        let text = format!("(module {})", "(func)".repeat(80_000));
        let program = Program::parse(wat::parse_str(text).expect("it is well-formed")).expect("it is valid");
        assert_eq!(Tier::of(&program), Tier::Quick);
    }
}
