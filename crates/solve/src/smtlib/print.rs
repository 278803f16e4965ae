//! Values and models, as SMT-LIB writes them.

use super::elaborate::{Elaborator, Meaning};
use super::sort::{Sort, Value};
use super::state::Declared;
use coax_term::{Function, Model};
use std::fmt::Write;

/// The bits as a constant.
fn bits_text(width: u8, bits: u64) -> String {
    match width % 4 {
        0 => format!("#x{bits:0digits$x}", digits = usize::from(width) / 4),
        _ => format!("#b{bits:0digits$b}", digits = usize::from(width)),
    }
}

/// The value of a sort whose values are bits.
fn value_text(sort: Sort, bits: u64) -> String {
    match sort {
        Sort::Bool => (bits == 1).to_string(),
        Sort::Float(width) => {
            let (fraction, is_nan) = match width {
                32 => (23, f32::from_bits(bits as u32).is_nan()),
                _ => (52, f64::from_bits(bits).is_nan()),
            };
            if is_nan {
                return format!("(_ NaN {})", if width == 32 { "8 24" } else { "11 53" });
            }
            let exponent_bits = width - 1 - fraction;
            format!(
                "(fp #b{} #b{:0e$b} #b{:0f$b})",
                bits >> (width - 1),
                bits >> fraction & coax_term::mask(exponent_bits),
                bits & coax_term::mask(fraction),
                e = usize::from(exponent_bits),
                f = usize::from(fraction)
            )
        }
        Sort::Bits(width) => bits_text(width, bits),
        Sort::Array { .. } | Sort::Rounding => String::new(),
    }
}

impl Elaborator {
    /// A value under a model; none for rounding modes.
    pub(super) fn evaluated(&self, value: Value, model: &Model) -> Option<String> {
        match value {
            Value::Bool(term) | Value::Bits(term) | Value::Float(term) => {
                Some(value_text(self.sort_of(value), self.terms.eval(term, model)))
            }
            Value::Array(array) => {
                let (index, element) = self.arrays.widths(array);
                let (in_general, others) = self.arrays.elements(&self.terms, model, array);
                let start =
                    format!("((as const {}) {})", self.arrays.sort(array), bits_text(element, in_general));
                Some(others.into_iter().fold(start, |inner, (at, value)| {
                    format!("(store {inner} {} {})", bits_text(index, at), bits_text(element, value))
                }))
            }
            Value::Rounding(_) => None,
        }
    }

    /// A model, as `get-model` answers it.
    pub(super) fn model_text(&self, declared: &[Declared], model: &Model) -> String {
        let mut out = "(\n".to_owned();
        for Declared { text, name, parameters, result } in declared {
            let body = match self.meaning(name) {
                Some(&Meaning::Value(value)) => self.evaluated(value, model).unwrap_or_default(),
                Some(&Meaning::Unknown { function, .. }) => {
                    cases(parameters, *result, &entries(model, function).collect::<Vec<_>>())
                }
                _ => continue,
            };
            let parameters: Vec<String> =
                parameters.iter().enumerate().map(|(at, sort)| format!("(x!{at} {sort})")).collect();
            let _ = writeln!(out, "  (define-fun {text} ({}) {result} {body})", parameters.join(" "));
        }
        out + ")\n"
    }
}

fn entries(model: &Model, function: Function) -> impl Iterator<Item = (&[u64], u64)> {
    model.applications().filter(move |&(of, ..)| of == function).map(|(_, at, value)| (at, value))
}

fn cases(parameters: &[Sort], result: Sort, entries: &[(&[u64], u64)]) -> String {
    let mut text = String::new();
    for (at, value) in entries {
        let equal = parameters.iter().zip(*at).enumerate();
        let equal: Vec<String> = equal
            .map(|(position, (&sort, &bits))| format!("(= x!{position} {})", value_text(sort, bits)))
            .collect();
        let condition =
            if equal.len() == 1 { equal[0].clone() } else { format!("(and {})", equal.join(" ")) };
        let _ = write!(text, "(ite {condition} {} ", value_text(result, *value));
    }
    text + &value_text(result, 0) + &")".repeat(entries.len())
}
