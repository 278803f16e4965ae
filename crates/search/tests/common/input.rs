//! Inputs of `f(a, b)`.

use coax_execute::{Argument, Input, Value};

/// The input with these numbers.
pub fn input(a: i32, b: i32) -> Input {
    Input {
        entry: Some("f".into()),
        params: Argument::list(&[Value::I32(a), Value::I32(b)]),
        ..Input::default()
    }
}
