//! Measures evaluations of terms per second, interpreted and compiled, and how many evaluations it takes until compiling has paid.
//!
//!     cargo run --release -p coax-execute --example jit
//!
//! Terms are sums, products and float operators of 8 variables; before each evaluation one of them, or all, change.

use coax_execute::Jit;
use coax_term::{Algebra, Binary, Compiled, Compiler, Function, Functions, Interpreter, Symbol, Term, Terms};
use std::time::{Duration, Instant};

struct NoFunctions;

impl Functions for NoFunctions {
    fn apply(&mut self, _: Function, _: &[u64]) -> Option<u64> {
        None
    }
}

/// Terms of about so many steps.
fn terms(steps: usize) -> (Terms, Vec<Term>) {
    let mut terms = Terms::new();
    let mut made: Vec<Term> = (0..8).map(|number| terms.symbol(&format!("x{number}"), 64)).collect();
    for step in 0..steps {
        let (a, b) = (made[made.len() - 1 - step % 5], made[made.len() - 1 - step % 7]);
        let op = [Binary::Add, Binary::FMul, Binary::Xor, Binary::FAdd, Binary::Mul, Binary::Sub][step % 6];
        made.push(terms.binary(op, a, b));
    }
    let last = made[made.len() - 1];
    (terms, vec![last])
}

/// What an evaluation takes.
#[expect(clippy::disallowed_methods, reason = "this measures time")]
fn time(compiled: &mut dyn Compiled, all_change: bool) -> Duration {
    let mut values = [1_u64; 8];
    let mut out = [0];
    let mut runs = 0_u32;
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(200) {
        for _ in 0..50 {
            runs += 1;
            let changed = if all_change { 0..8 } else { runs as usize % 8..runs as usize % 8 + 1 };
            values[changed]
                .iter_mut()
                .for_each(|value| *value = value.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 5);
            compiled.run(&mut NoFunctions, &values, &mut out);
        }
    }
    start.elapsed() / runs
}

#[expect(clippy::disallowed_methods, reason = "this measures time")]
fn main() {
    println!("| steps | changed | interpreted | compiled | to compile | pays after |\n|-:|-|-:|-:|-:|-:|");
    for steps in [8, 16, 32, 64, 128, 256, 1024, 4096] {
        let (terms, roots) = terms(steps);
        let variables: Vec<Symbol> = terms.symbols().collect();
        let mut interpreted = Interpreter.compile(&terms, &roots, &variables).expect("all are variables");
        let start = Instant::now();
        let mut compiled = Jit::eager().compile(&terms, &roots, &variables).expect("all are variables");
        let to_compile = start.elapsed();
        for all_change in [false, true] {
            let before = time(&mut *interpreted, all_change);
            let after = time(&mut *compiled, all_change);
            let saved = before.saturating_sub(after);
            let pays =
                if saved.is_zero() { f64::INFINITY } else { to_compile.as_secs_f64() / saved.as_secs_f64() };
            let changed = if all_change { "all" } else { "one" };
            println!("| {steps} | {changed} | {before:?} | {after:?} | {to_compile:?} | {pays:.0} runs |");
        }
    }
}
