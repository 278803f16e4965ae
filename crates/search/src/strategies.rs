//! All strategies, in the order in which they propose.

mod generational;
mod mutation;
mod proofs;
#[cfg(test)]
pub(crate) mod random_walk;
mod repair;
mod uninterpreted;

use crate::Options;
use crate::strategy::Strategy;
use coax_program::{Func, Program};

pub(crate) use uninterpreted::watch;

/// One more strategy is one more file, and a line here.
pub(crate) fn strategies<'p>(
    program: &'p Program,
    in_scope: &dyn Fn(Func) -> bool,
    options: &Options,
) -> Vec<Box<dyn Strategy<'p>>> {
    vec![
        Box::new(repair::Repair::default()),
        Box::new(generational::Generational),
        Box::new(proofs::Proofs::default()),
        Box::new(mutation::Mutation::new(program, in_scope, options)),
        Box::new(uninterpreted::Uninterpreted::new()),
    ]
}
