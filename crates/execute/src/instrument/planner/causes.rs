//! Which locals may be symbolic if others are.
//!
//! The planner goes through a function in the order of its code, so what a loop carries back to a local comes too late. Going
//! through it again would settle one more local each time; instead the first time notes what depends on what, and
//! [`Causes::close`] follows that at once.

use super::super::stack::Entry;

/// What would have to be symbolic for a value to be: nothing that is known yet, a local, or one of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::instrument) struct Cause(u32);

impl Cause {
    /// It is symbolic in any case, or in none.
    pub(in crate::instrument) const NONE: Cause = Cause(u32::MAX);

    /// This local.
    pub(in crate::instrument) fn local(local: u32) -> Cause {
        Cause(local)
    }
}

/// The causes of one function; the first are its locals.
pub(super) struct Causes {
    count: u32,
    /// If the first is symbolic, so is the second.
    edges: Vec<(Cause, Cause)>,
}

impl Causes {
    pub(super) fn new(locals: usize) -> Self {
        Causes { count: locals as u32, edges: Vec::new() }
    }

    /// The cause of what is computed from these values.
    pub(super) fn join(&mut self, operands: &[Entry]) -> Cause {
        let mut joined = Cause::NONE;
        if operands.iter().any(|operand| operand.may) {
            return joined;
        }
        for operand in operands {
            let cause = operand.cause;
            if cause == Cause::NONE || cause == joined {
                continue;
            }
            joined = match joined {
                Cause::NONE => cause,
                joined => {
                    let either = Cause(self.count);
                    self.count += 1;
                    self.edges.extend([(joined, either), (cause, either)]);
                    either
                }
            };
        }
        joined
    }

    /// A local is assigned a value with this cause.
    pub(super) fn assign(&mut self, local: u32, cause: Cause) {
        if cause != Cause::NONE {
            self.edges.push((cause, Cause::local(local)));
        }
    }

    /// The locals that may be symbolic if these are.
    pub(super) fn close(mut self, mut may: Vec<bool>) -> Vec<bool> {
        self.edges.sort_unstable();
        self.edges.dedup();
        let locals = may.len();
        may.resize(self.count as usize, false);
        let mut reached: Vec<u32> =
            (0..).zip(&may).filter(|&(_, &may)| may).map(|(cause, _)| cause).collect();
        while let Some(cause) = reached.pop() {
            let from = self.edges.partition_point(|&(from, _)| from < Cause(cause));
            for &(_, to) in self.edges[from..].iter().take_while(|&&(from, _)| from == Cause(cause)) {
                if !std::mem::replace(&mut may[to.0 as usize], true) {
                    reached.push(to.0);
                }
            }
        }
        may.truncate(locals);
        may
    }
}
