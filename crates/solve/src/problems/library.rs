//! The functions of the problems: Rust's own, in the role of a program's C library. Solvers know them only by their values.

use coax_term::{Function, Functions, Terms};

/// Knows every function by its name.
#[derive(Debug, Default)]
pub struct Library {
    /// By the functions' numbers; none for a name that is not known.
    known: Vec<Option<Meaning>>,
}

#[derive(Clone, Copy, Debug)]
enum Meaning {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Single(fn(f32) -> f32),
}

impl Library {
    /// For the functions that an arena has so far.
    pub fn new(terms: &Terms) -> Library {
        Library { known: terms.functions().map(|function| meaning(terms.function_name(function))).collect() }
    }
}

impl Functions for Library {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let meaning = self.known.get(function.index()).copied().flatten()?;
        match (meaning, arguments) {
            (Meaning::One(compute), &[a]) => Some(canonical(compute(f64::from_bits(a)))),
            (Meaning::Two(compute), &[a, b]) => {
                Some(canonical(compute(f64::from_bits(a), f64::from_bits(b))))
            }
            (Meaning::Single(compute), &[a]) => {
                let value = compute(f32::from_bits(a as u32));
                Some(u64::from(if value.is_nan() { f32::NAN } else { value }.to_bits()))
            }
            _ => None,
        }
    }
}

fn canonical(value: f64) -> u64 {
    if value.is_nan() { f64::NAN } else { value }.to_bits()
}

fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "sin" => Meaning::One(f64::sin),
        "cos" => Meaning::One(f64::cos),
        "tan" => Meaning::One(f64::tan),
        "asin" => Meaning::One(f64::asin),
        "acos" => Meaning::One(f64::acos),
        "atan" => Meaning::One(f64::atan),
        "exp" => Meaning::One(f64::exp),
        "log" => Meaning::One(f64::ln),
        "log10" => Meaning::One(f64::log10),
        "pow" => Meaning::Two(f64::powf),
        "atan2" => Meaning::Two(f64::atan2),
        "sinf" => Meaning::Single(f32::sin),
        _ => return None,
    })
}

/// The width of a function's results.
pub(super) fn width(name: &str) -> u8 {
    if name == "sinf" { 32 } else { 64 }
}
