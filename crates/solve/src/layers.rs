//! The layers that make questions smaller, or answer them without a solver.

pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod domain;
pub(crate) mod guess;
mod invert;
pub(crate) mod known;
pub(crate) mod patience;
pub(crate) mod restrict;
pub(crate) mod shared;
pub(crate) mod slice;
