//! Measures evaluations of terms per second, interpreted and compiled, and how many evaluations it takes until compiling has paid.
//!
//!     cargo run --release -p coax-execute --example jit
//!
//! Terms are sums, products and float operators of 8 variables; before each evaluation one of them, two (as between two neighbours of a point) or all change.

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
        let (a, b) = (made[made.len() - 1], made[made.len() - 2 - step % 7]);
        let op = [Binary::Add, Binary::FMul, Binary::Xor, Binary::FAdd, Binary::Mul, Binary::Sub][step % 6];
        made.push(terms.binary(op, a, b));
    }
    let last = made[made.len() - 1];
    (terms, vec![last])
}

/// What an evaluation takes.
#[expect(clippy::disallowed_methods, reason = "this measures time")]
fn time(compiled: &mut dyn Compiled, changes: usize) -> Duration {
    let mut values = [1_u64; 8];
    let mut out = [0];
    let mut runs = 0_u32;
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(200) {
        for _ in 0..50 {
            runs += 1;
            for place in 0..changes {
                let value = &mut values[(runs as usize + 3 * place) % 8];
                *value = value.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 5;
            }
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
        for changes in [1, 2, 8] {
            let before = time(&mut *interpreted, changes);
            let after = time(&mut *compiled, changes);
            let saved = before.saturating_sub(after);
            let pays =
                if saved.is_zero() { f64::INFINITY } else { to_compile.as_secs_f64() / saved.as_secs_f64() };
            println!("| {steps} | {changes} | {before:?} | {after:?} | {to_compile:?} | {pays:.0} runs |");
        }
    }
}
