//! What is tested: a program with an entry, ready to be run in both ways.

use coax_execute::{Error, Input, Limits, PlainModule, Run, SymbolicModule, SymbolicRun, Symbols};
use coax_program::{Func, Program};

/// What is tested.
pub struct Subject<'p> {
    /// The program.
    pub program: &'p Program,
    /// Instrumented.
    pub symbolic: SymbolicModule<'p>,
    /// As it is.
    pub plain: PlainModule<'p>,
    /// What of an input is symbols.
    pub symbols: Symbols,
    /// What each run may use.
    pub limits: Limits,
    /// Whether a function is one that is to be covered, by its number.
    pub in_scope: Vec<bool>,
}

impl Subject<'_> {
    /// Whether a function is to be covered.
    pub fn is_in_scope(&self, func: Func) -> bool {
        self.in_scope.get(func.0 as usize).copied().unwrap_or(false)
    }

    /// Whether an operator is in a function that is to be covered.
    pub(crate) fn is_own(&self, offset: u32) -> bool {
        let site = self.program.site_at(offset);
        site.is_some_and(|site| self.is_in_scope(self.program.sites[site].func))
    }

    /// Runs an input with terms. Values that the program asks for in another way than before, so that they do not fit, are left out;
    /// the input that ran comes back.
    pub(crate) fn run(&self, mut input: Input) -> Result<(SymbolicRun, Input), Error> {
        loop {
            match self.symbolic.run(&input, self.symbols, &self.limits) {
                Err(Error::BadValue { place, .. }) if place < input.values.len() => {
                    input.values.truncate(place)
                }
                run => return Ok((run?, input)),
            }
        }
    }

    /// Runs an input on the plain module: what counts. If that goes well, it is run once more with nothing behind its objects that could
    /// be read, which is how a stored test is run.
    pub(crate) fn confirm(&self, input: &Input) -> Result<Run, Error> {
        let run = self.plain.run_with_coverage(input, &self.limits)?;
        if run.outcome.verdict().is_failure() || input.params.is_empty() {
            return Ok(run);
        }
        let tight = Limits { is_tight: true, ..self.limits.clone() };
        let again = self.plain.run_unchecked(input, &tight)?;
        Ok(Run { outcome: again.outcome, stdout: again.stdout, stderr: again.stderr, ..run })
    }
}
