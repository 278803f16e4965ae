//! Small programs whose inputs can all be tried.

/// Programs `f(a, b)` that look at the lowest four bits of their parameters only.
pub const PROGRAMS: &[(&str, &str)] = &[
    ("nested conditions", include_str!("../programs/nested.wat")),
    ("a switch", include_str!("../programs/switch.wat")),
    ("a loop", include_str!("../programs/loop.wat")),
    ("a table in memory", include_str!("../programs/table.wat")),
    ("an indirect call", include_str!("../programs/indirect.wat")),
    ("traps", include_str!("../programs/traps.wat")),
    ("recursion", include_str!("../programs/recursion.wat")),
    ("floats", include_str!("../programs/floats.wat")),
    ("memory and globals", include_str!("../programs/memory.wat")),
    ("stack that a loop takes", include_str!("../programs/stack.wat")),
    ("nothing that depends on the input", include_str!("../programs/constant.wat")),
];
