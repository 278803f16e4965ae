//! Random programs `f(a, b)` that look at the lowest four bits of their parameters only, so that all their inputs can be tried.
//!
//! What they do is what backward search must get right: values that come round loops, through memory, globals, calls and tables, and
//! conditions that often contradict each other, because few variables are compared with few numbers.

use super::statement::Code;
use crate::random::Random;

/// Bytes of stack that a function with a frame takes.
pub(super) const FRAME: usize = 32;
/// The deepest nest of loops.
pub(super) const COUNTERS: usize = 3;

/// What a function of a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// `f`.
    Entry,
    /// A function of two numbers; it calls those with higher numbers.
    Helper(usize),
    /// It calls itself until its first parameter is used up.
    Recursive,
    /// It gives nothing: it writes memory and globals.
    Writer,
    /// It gives two numbers.
    Pair,
    /// It may throw.
    Thrower,
}

/// What all functions of a program share.
pub(super) struct Shape {
    /// How many helpers there are; the last calls nobody.
    pub(super) helpers: usize,
    /// The helpers that are in the table, one for each of its elements.
    pub(super) table: Vec<usize>,
    /// Whether functions are put into the table at run time.
    pub(super) sets_table: bool,
    /// Whether functions have frames on a stack in memory.
    pub(super) has_stack: bool,
}

/// The text of a program.
pub(super) fn text(seed: u64) -> String {
    let mut random = Random::new(seed);
    let helpers = 2 + random.below(3);
    let leaves = [helpers - 1, helpers - 2];
    let table = (0..1 + random.below(3)).map(|_| random.pick(&leaves)).collect();
    let shape = Shape { helpers, table, sets_table: random.below(4) == 0, has_stack: random.below(2) == 0 };
    let statements = random.pick(&[2, 4, 7]);
    let mut roles = vec![Role::Entry, Role::Recursive, Role::Writer, Role::Pair, Role::Thrower];
    roles.extend((0..helpers).map(Role::Helper));
    let functions: Vec<String> = roles
        .into_iter()
        .map(|role| {
            // The entry is the largest.
            let budget = match role {
                Role::Entry => 2 * statements,
                Role::Writer => statements,
                _ => random.below(statements + 1),
            };
            Code::function(&mut random, &shape, role, budget)
        })
        .collect();
    let elements: Vec<String> = shape.table.iter().map(|helper| format!("$h{helper}")).collect();
    format!(
        "(module\n\
         \x20 (type $binary (func (param i32 i32) (result i32)))\n\
         \x20 (tag $tag (param i32))\n\
         \x20 (memory 1)\n\
         \x20 (table 4 funcref)\n\
         \x20 (elem (i32.const 0) {})\n\
         \x20 (elem declare func $h{})\n\
         \x20 (global $__stack_pointer (mut i32) (i32.const 4096))\n\
         \x20 (global $g (mut i32) (i32.const {}))\n\
         \x20 (global $h (mut i32) (i32.const {}))\n\
         \x20 (global $w (mut i64) (i64.const {}))\n\
         {})\n",
        elements.join(" "),
        helpers - 1,
        random.below(16),
        random.below(16),
        random.below(16),
        functions.concat(),
    )
}
