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

/// The text of the same program, which now begins with `begin`: it calls `f` with two numbers that are always the same, and then, a few calls deep, with two that it asks for. What came of the
/// first call says which is the first of them. One in four asks for a number before it begins, too.
pub(super) fn text_with_past(seed: u64) -> String {
    let mut random = Random::new(seed ^ PAST);
    let [one, other, result] = [0; 3].map(|_: u32| random.below(16));
    let deep = random.below(3);
    let start = match random.below(4) {
        0 => "  (func $start (global.set $g (i32.and (call $ask) (i32.const 15))))\n  (start $start)\n",
        _ => "",
    };
    let text = text(seed);
    let (first, rest) = text.split_once('\n').expect("it has lines");
    let rest = rest.trim_end().strip_suffix(')').expect("the module ends");
    format!(
        "{first}\n\
         \x20 (import \"env\" \"nondet_int\" (func $ask (result i32)))\n\
         {rest}{start}\
         \x20 (func $asks (param $deep i32) (result i32) (local $a i32) (local $b i32) (local $past i32)\n\
         \x20   (if (local.get $deep)\n\
         \x20     (then (return (call $asks (i32.sub (local.get $deep) (i32.const 1))))))\n\
         \x20   (local.set $past (call $f (i32.const {one}) (i32.const {other})))\n\
         \x20   (local.set $a (call $ask))\n\
         \x20   (local.set $b (call $ask))\n\
         \x20   (if (i32.eq (i32.and (local.get $past) (i32.const 15)) (i32.const {result}))\n\
         \x20     (then (return (call $f (local.get $b) (local.get $a)))))\n\
         \x20   (call $f (local.get $a) (local.get $b)))\n\
         \x20 (func $begin (export \"begin\") (result i32)\n\
         \x20   (if (i32.eq (call $asks (i32.const {deep})) (i32.const {one})) (then (return (i32.const 1))))\n\
         \x20   (i32.const 0)))\n"
    )
}

/// Makes other choices than those of the program itself.
const PAST: u64 = 0x5eed;
