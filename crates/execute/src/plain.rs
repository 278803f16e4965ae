//! The plain run: the unmodified module, once, in a sandbox.

use crate::arguments::Naming;
use crate::compiled::{Compiled, Finished, Job};
use crate::counting::Counting;
use crate::ending::{Ending, InShort};
use crate::entry::Plans;
use crate::exports::Missing;
use crate::{Asked, Bounds, Coverage, Entry, Error, Input, Limits, Outcome};
use coax_program::Program;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// A program ready to run, any number of times and from any thread.
pub struct PlainModule<'p> {
    program: &'p Program,
    /// Compiled modules by what they export for a run and by stack size, which wasmtime compiles in.
    modules: Mutex<Modules>,
    counting: OnceLock<Arc<Counting>>,
}

type Modules = BTreeMap<(Variant, Missing, usize), Arc<Compiled>>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Variant {
    Plain,
    Counting,
}

/// What a program did with an input.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Standard output, up to [`Limits::captured_bytes`].
    pub stdout: Vec<u8>,
    /// Standard error, up to [`Limits::captured_bytes`].
    pub stderr: Vec<u8>,
    /// What it said by its test harness.
    pub asked: Asked,
    /// Which directions it took; only if asked for. If a limit ended the run, those of its last moments may be missing.
    pub coverage: Option<Coverage>,
    /// How often, as in a [`Trial`]; only if asked for.
    pub counts: Vec<u8>,
    /// Which limits it met.
    pub bounds: Bounds,
    /// How much fuel it used.
    pub fuel_used: u64,
}

/// What a quick look at an input has shown.
#[derive(Clone, Debug)]
pub struct Trial {
    /// How often each direction was taken and each function entered, in an order that is the same in all runs of a program: exactly up to 127,
    /// then roughly.
    pub counts: Vec<u8>,
    /// How it ended.
    pub ending: InShort,
    /// How much fuel it took.
    pub fuel_used: u64,
}

impl<'p> PlainModule<'p> {
    /// Compiles the program for runs with these limits; runs with another stack size compile it again.
    pub fn new(program: &'p Program, limits: &Limits) -> Result<Self, Error> {
        let plain = Self { program, modules: Mutex::default(), counting: OnceLock::new() };
        plain.compiled(Variant::Plain, &Missing::default(), limits.stack_bytes, limits)?;
        Ok(plain)
    }

    /// Runs the program.
    pub fn run(&self, input: &Input, limits: &Limits) -> Result<Run, Error> {
        let (entry, plans, missing) = self.entry(input, limits)?;
        let job = Job { program: self.program, entry: &entry, plans: &plans, input, limits };
        let plain = self.compiled(Variant::Plain, &missing, limits.stack_bytes, limits)?.run(&job)?;
        Ok(self.to_run(plain, None))
    }

    /// Runs the program, then runs it again to see which directions it takes.
    pub fn run_with_coverage(&self, input: &Input, limits: &Limits) -> Result<Run, Error> {
        let (entry, plans, missing) = self.entry(input, limits)?;
        let job = Job { program: self.program, entry: &entry, plans: &plans, input, limits };
        let plain = self.compiled(Variant::Plain, &missing, limits.stack_bytes, limits)?.run(&job)?;
        let limits = &limits_for_counting(limits, &plain.ending);
        let job = Job { limits, ..job };
        let counting = self.compiled(Variant::Counting, &missing, limits.stack_bytes, limits)?.run(&job)?;
        check_agreement(&plain, &counting)?;
        Ok(self.to_run(plain, counting.counts))
    }

    /// Runs the counting module only, on this thread, whose stack must be twice as large as the limits say, and more: a quick look at what an input
    /// does. The limits are those of the counting module, which needs more of everything.
    pub fn try_out(&self, input: &Input, limits: &Limits) -> Result<Trial, Error> {
        let (entry, plans, missing) = self.entry(input, limits)?;
        let job = Job { program: self.program, entry: &entry, plans: &plans, input, limits };
        let stack_bytes = limits.stack_bytes.saturating_mul(2);
        let counting = self.compiled(Variant::Counting, &missing, stack_bytes, limits)?.run_here(&job)?;
        let Finished { ending, counts, fuel_used, .. } = counting;
        Ok(Trial { counts: counts.unwrap_or_default(), ending: ending.in_short(), fuel_used })
    }

    fn entry(&self, input: &Input, limits: &Limits) -> Result<(Entry, Plans, Missing), Error> {
        let entry = Entry::find(self.program, input.entry.as_deref())?;
        let plans = entry.plans(self.program, input, limits, Naming::NoBytes)?;
        let missing = Missing::new(self.program, &entry, &plans);
        Ok((entry, plans, missing))
    }

    fn to_run(&self, finished: Finished, counts: Option<Vec<u8>>) -> Run {
        let Finished { ending, stdout, stderr, asked, bounds, fuel_used, .. } = finished;
        let outcome = ending.into_outcome(self.program);
        let coverage = counts.as_ref().and_then(|counts| Some(self.counting.get()?.coverage(counts)));
        let counts = counts.unwrap_or_default();
        Run { outcome, stdout, stderr, asked, coverage, counts, bounds, fuel_used }
    }

    fn compiled(
        &self,
        variant: Variant,
        missing: &Missing,
        stack_bytes: usize,
        limits: &Limits,
    ) -> Result<Arc<Compiled>, Error> {
        let key = (variant, missing.clone(), stack_bytes);
        if let Some(compiled) = self.lock().get(&key) {
            return Ok(Arc::clone(compiled));
        }
        let compiled = Arc::new(match variant {
            Variant::Plain => Compiled::plain(self.program, missing, stack_bytes)?,
            Variant::Counting => {
                Compiled::counting(self.program, self.counting()?, missing, limits, stack_bytes)?
            }
        });
        self.lock().insert(key, Arc::clone(&compiled));
        Ok(compiled)
    }

    fn counting(&self) -> Result<Arc<Counting>, Error> {
        if let Some(counting) = self.counting.get() {
            return Ok(Arc::clone(counting));
        }
        let counting = Arc::new(Counting::new(self.program)?);
        Ok(Arc::clone(self.counting.get_or_init(|| counting)))
    }

    fn lock(&self) -> MutexGuard<'_, Modules> {
        self.modules.lock().expect("no thread panics while it looks up a module")
    }
}

/// The limits under which the counting module does what the plain one did.
///
/// It needs more fuel, time and stack for the same. If the plain run came to its own end, so will
/// this one: it gets what it needs. Otherwise it gets no more than the plain run had, and so stops a little
/// earlier: coverage may miss something but never shows what the plain run did not do.
fn limits_for_counting(limits: &Limits, plain: &Ending) -> Limits {
    if let Ending::Bound(..) = plain {
        return limits.clone();
    }
    let stack_bytes = limits.stack_bytes.saturating_mul(2);
    Limits { fuel: u64::MAX, time: None, stack_bytes, ..limits.clone() }
}

/// Both modules must have done the same, or the coverage is not that of the plain run.
fn check_agreement(plain: &Finished, counting: &Finished) -> Result<(), Error> {
    let ended_by_limit = matches!(plain.ending, Ending::Bound(..));
    let same_output = plain.stdout == counting.stdout && plain.stderr == counting.stderr;
    if ended_by_limit || (same_output && plain.ending.agrees(&counting.ending)) {
        return Ok(());
    }
    let describe = |finished: &Finished| {
        let Finished { ending, stdout, stderr, .. } = finished;
        format!("{ending:?}, {} bytes of output and {} of errors", stdout.len(), stderr.len())
    };
    Err(Error::Divergence { plain: describe(plain), counting: describe(counting) })
}
