//! Quick looks at what inputs do, as many as there is time for: the counting module only, on this thread.

use crate::arguments::Naming;
use crate::compiled::{Compiled, Finished, Job, WantedChecks};
use crate::ending::InShort;
use crate::exports::Missing;
use crate::lasting::Lasting;
use crate::plain::{MORE_STACK, PlainModule, Variant};
use crate::{Coverage, Entry, Error, Input, Limits, imports};
use std::sync::Arc;

/// Looks at inputs that have the same entry and the same answers to imports; all that does not depend on their contents was done before.
pub struct Trials<'m, 'p> {
    plain: &'m PlainModule<'p>,
    entry: Entry,
    /// The module that was used last: most inputs need the same.
    module: Option<Module>,
    /// The instance that ran last, if it is one that lasts.
    lasting: Option<Lasting>,
    /// What was counted last, if it is not.
    counts: Vec<u8>,
}

/// A counting module, and what it was compiled for.
struct Module {
    missing: Missing,
    stack_bytes: usize,
    compiled: Arc<Compiled>,
}

/// What a quick look at an input has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// How it ended.
    pub ending: InShort,
    /// How much fuel it took.
    pub fuel_used: u64,
}

impl<'m, 'p> Trials<'m, 'p> {
    pub(crate) fn new(plain: &'m PlainModule<'p>, like: &Input) -> Result<Self, Error> {
        imports::check(plain.program, like)?;
        let entry = Entry::find(plain.program, like.entry.as_deref())?;
        Ok(Trials { plain, entry, module: None, lasting: None, counts: Vec::new() })
    }

    /// Tries an input. The limits are those of the counting module, which needs more of everything, and the stack of this thread must be
    /// [`MORE_STACK`] times as large as they say, and more.
    pub fn run(&mut self, input: &Input, limits: &Limits) -> Result<Trial, Error> {
        let program = self.plain.program;
        let plans = self.entry.plans(program, input, limits, Naming::NoBytes)?;
        let missing = Missing::new(program, &self.entry, &plans);
        let compiled = self.compiled(missing, limits)?;
        let checks = WantedChecks::default();
        let job = Job { program, entry: &self.entry, plans: &plans, input, limits, checks };
        let renewed = self.lasting.take().and_then(Lasting::renewed);
        let lasting = renewed.map_or_else(|| compiled.lasting(&job), |lasting| Ok(Some(lasting)))?;
        let (ending, fuel_used) = match lasting {
            Some(lasting) => self.lasting.insert(lasting).run(&job)?,
            None => {
                let Finished { ending, counts, fuel_used, .. } = compiled.run_here(&job)?;
                self.counts = counts.unwrap_or_default();
                (ending, fuel_used)
            }
        };
        Ok(Trial { ending: ending.in_short(), fuel_used })
    }

    /// How often each direction was taken and each function entered by the last input, in an order that is the same in all runs of a program:
    /// exactly up to 127, then roughly.
    pub fn counts(&self) -> &[u8] {
        self.plain.only_counts(self.notes())
    }

    fn notes(&self) -> &[u8] {
        self.lasting.as_ref().map_or(&self.counts, Lasting::counts)
    }

    /// The directions that were taken and the functions that were entered by the last input.
    pub fn coverage(&self) -> Option<Coverage> {
        self.plain.coverage(self.notes())
    }

    fn compiled(&mut self, missing: Missing, limits: &Limits) -> Result<Arc<Compiled>, Error> {
        let stack_bytes = limits.stack_bytes.saturating_mul(MORE_STACK);
        if let Some(module) = &self.module
            && (&module.missing, module.stack_bytes) == (&missing, stack_bytes)
        {
            return Ok(Arc::clone(&module.compiled));
        }
        self.rest();
        let compiled = self.plain.compiled(Variant::Counting, &missing, stack_bytes, limits)?;
        self.module = Some(Module { missing, stack_bytes, compiled: Arc::clone(&compiled) });
        Ok(compiled)
    }

    /// Leaves the instance to others.
    fn rest(&mut self) {
        let lasting = self.lasting.take().and_then(Lasting::renewed);
        if let (Some(module), Some(lasting)) = (&self.module, lasting) {
            module.compiled.rest(lasting);
        }
    }
}

impl Drop for Trials<'_, '_> {
    fn drop(&mut self) {
        self.rest();
    }
}
