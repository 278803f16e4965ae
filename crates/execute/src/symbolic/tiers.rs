//! Quick code first, better code later.
//!
//! Cranelift takes seconds for the instrumented module of a large program. So such a module starts on code that was compiled in a
//! hurry: not optimised, registers allocated in one pass. Meanwhile a thread has it compiled properly, and runs that begin later
//! use that. Numbers and reasons are in `docs/decisions/0003-quick-start.md`.
//!
//! What a run finds does not depend on whose code ran. The two differ only in the stack that a run uses: quick code has larger
//! frames. So a limit that is met in quick code decides nothing: the run is done again in optimised code. So is one that is still
//! going on when that is ready.

use super::background::Background;
use super::compiler::Code;
use crate::Error;
use wasmtime::{Store, UpdateDeadline};

/// Modules with so many bytes of code (before instrumentation) are large: Cranelift needs a quarter of a second of processor
/// time for them, and more.
pub(super) const LARGE: usize = 32 << 10;

/// How the code that runs is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Cranelift in a hurry.
    Quick,
    /// Cranelift, taking its time.
    Optimised,
}

/// The code of a module.
pub(super) enum Tiers {
    /// There is one, and there will be no other.
    One(Tier, Code),
    /// There is quick code, and optimised code is on its way.
    Two { quick: Code, optimised: Background<Code> },
}

impl Tiers {
    /// What was there at the beginning.
    pub(super) fn first(&self) -> Tier {
        match self {
            Tiers::One(tier, _) => *tier,
            Tiers::Two { .. } => Tier::Quick,
        }
    }

    /// The best code that is ready.
    pub(super) fn ready(&self) -> Result<(Tier, &Code), Error> {
        match self {
            Tiers::One(tier, code) => Ok((*tier, code)),
            Tiers::Two { quick, optimised } => match optimised.ready() {
                Some(optimised) => Ok((Tier::Optimised, optimised.map_err(broken)?)),
                None => Ok((Tier::Quick, quick)),
            },
        }
    }

    /// The code that decides, as soon as it is ready.
    pub(super) fn decisive(&self) -> Result<(Tier, &Code), Error> {
        match self {
            Tiers::One(tier, code) => Ok((*tier, code)),
            Tiers::Two { optimised, .. } => Ok((Tier::Optimised, optimised.wait().map_err(broken)?)),
        }
    }

    /// Waits until there is no more to wait for.
    pub(super) fn finish(&self) -> Result<(), Error> {
        match self {
            Tiers::One(..) => Ok(()),
            Tiers::Two { optimised, .. } => optimised.finish().map(drop).map_err(broken),
        }
    }

    /// Whether a limit that is met in this code is the program's own.
    pub(super) fn is_decisive(&self, tier: Tier) -> bool {
        matches!(self, Tiers::One(..)) || tier == Tier::Optimised
    }

    /// Has a run in quick code stopped as soon as there is better code: as if its time were over.
    pub(super) fn watch<T: 'static>(&self, tier: Tier, store: &mut Store<T>) {
        match self {
            Tiers::Two { optimised, .. } if tier == Tier::Quick => {
                let is_ready = optimised.is_ready();
                store.set_epoch_deadline(1);
                // From here on nobody can be ready unnoticed.
                if is_ready() {
                    store.set_epoch_deadline(0);
                }
                store.epoch_deadline_callback(move |_| {
                    Ok(if is_ready() { UpdateDeadline::Interrupt } else { UpdateDeadline::Continue(1) })
                });
            }
            _ => store.set_epoch_deadline(u64::MAX >> 1),
        }
    }
}

fn broken(reason: &str) -> Error {
    Error::Instrument(reason.into())
}
