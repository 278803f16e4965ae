//! Numbers as the source has them.

mod number;

pub use number::{Number, NumberKind};
