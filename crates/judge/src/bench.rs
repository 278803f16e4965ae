//! The benchmarks: ratios measured in one run, minima of several repetitions.
//!
//! Each prints Markdown tables and, as its last line, one line of JSON; `bench/results` keeps what was measured.

pub mod chains;
mod clock;
pub mod contest;
pub mod cover;
pub mod engine;
pub mod higher_order;
pub mod lines;
pub mod load;
mod memory;
pub mod prepare;
pub mod reach;
pub(crate) mod searched;
pub mod solver;
pub mod start;
pub mod threads;
pub mod trials;

/// The geometric mean of ratios; 1 if there are none.
fn geomean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
}
