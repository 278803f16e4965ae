//! The plain run: the unmodified module, once, in a sandbox; and again, modified, for coverage and memory errors.

use crate::arguments::Naming;
use crate::bulk;
use crate::compiled::{Compiled, Finished, Job, WantedChecks};
use crate::counting::Counting;
use crate::ending::Ending;
use crate::entry::Plans;
use crate::exports::Missing;
use crate::memory_safety::{self, Checking};
use crate::module_cache::ModuleCache;
use crate::outcome::{Trap, TrapKind};
use crate::trials::Trials;
use crate::{
    AllocatorNames, Asked, Bound, Bounds, Coverage, Entry, Error, Input, Limits, Outcome, Value, Verdict,
    imports,
};
use coax_program::{Func, Program};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// A program ready to run, any number of times and from any thread.
pub struct PlainModule<'p> {
    pub(crate) program: &'p Program,
    /// Compiled modules by what they export for a run and by stack size, which wasmtime compiles in.
    modules: Mutex<Modules>,
    cache: Option<ModuleCache>,
    counting: OnceLock<Arc<Counting>>,
    /// Whether runs are checked for memory errors.
    checks: Option<MemoryChecks>,
    /// Nothing if there is nothing to check.
    checking: OnceLock<Option<Arc<Checking>>>,
}

/// What to look for beside traps: memory errors that a plain run does not notice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryChecks {
    /// The functions of the allocator, where they do not have the usual names.
    pub allocator: AllocatorNames,
    /// Whether a block that nothing points to when the entry function returns is an error.
    pub leaks: bool,
}

type Modules = BTreeMap<(Variant, Missing, usize), Arc<Compiled>>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variant {
    Plain,
    Counting,
    Checking,
}

/// What a program did with an input.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended; if it was checked, and there was a memory error, that is its end.
    pub outcome: Outcome,
    /// How the unmodified module ended.
    pub plain: Verdict,
    /// The blocks of the heap, if the run was checked: where they were, at any time, and how large.
    pub blocks: Option<Vec<(u32, u32)>>,
    /// How large the block is that a memory error is about, if it is about one.
    pub erred_on: Option<u32>,
    /// Standard output, up to [`Limits::captured_bytes`].
    pub stdout: Vec<u8>,
    /// Standard error, up to [`Limits::captured_bytes`].
    pub stderr: Vec<u8>,
    /// What it said by its test harness.
    pub asked: Asked,
    /// Which directions it took, until the memory error if there was one; only if asked for. If a limit ended the run, those of its
    /// last moments may be missing.
    pub coverage: Option<Coverage>,
    /// Which directions the unmodified module took, which goes on after a memory error; only if there was one.
    pub regardless: Option<Coverage>,
    /// How often, as in a [`Trial`]; only if asked for.
    pub counts: Vec<u8>,
    /// Which limits it met.
    pub bounds: Bounds,
    /// How much fuel it used.
    pub fuel_used: u64,
    /// What the entry function has written to where its first parameter leads, if it returned and nothing was there before: its result, if
    /// that is no number. At most 64 bytes.
    pub written: Vec<u8>,
}

impl<'p> PlainModule<'p> {
    /// Compiles the program for runs with these limits; runs with another stack size compile it again.
    pub fn new(program: &'p Program, limits: &Limits) -> Result<Self, Error> {
        Self::cached(program, limits, None)
    }

    /// The same, with compiled modules kept in this directory, if there is one.
    pub fn cached(program: &'p Program, limits: &Limits, directory: Option<&Path>) -> Result<Self, Error> {
        let plain = Self {
            program,
            modules: Mutex::default(),
            cache: directory.map(ModuleCache::new),
            counting: OnceLock::new(),
            checks: None,
            checking: OnceLock::new(),
        };
        plain.compiled(Variant::Plain, &Missing::default(), limits.stack_bytes, limits)?;
        Ok(plain)
    }

    /// The same, with checks for memory errors in each run.
    pub fn with_checks(self, checks: MemoryChecks) -> Self {
        Self { checks: Some(checks), checking: OnceLock::new(), ..self }
    }

    /// Whether an operator of the plain module is in a function of the program's allocator; nobody knows before the first run that is
    /// checked.
    pub fn is_allocators(&self, offset: u32) -> bool {
        let checking = self.checking.get().into_iter().flatten().next();
        checking.is_some_and(|checking| checking.is_allocators(self.program, offset))
    }

    /// The global that is the stack pointer, and the address below which the stack has overflowed; nobody knows before the first run
    /// that is checked.
    pub fn stack(&self) -> Option<(u32, u32)> {
        self.checking.get().into_iter().flatten().next()?.stack()
    }

    /// Compiles what a run of this input needs with coverage, so that the first does not wait for it. What goes wrong is told by that run.
    pub fn prepare(&self, input: &Input, limits: &Limits) {
        let prepare = || -> Result<(), Error> {
            let (_, _, missing) = self.entry(input, limits)?;
            self.compiled(Variant::Plain, &missing, limits.stack_bytes, limits)?;
            let stack_bytes = limits.stack_bytes.saturating_mul(MORE_STACK);
            let (variant, missing) = match self.checking()? {
                Some(_) => (Variant::Checking, missing.with_memory(self.program)),
                None => (Variant::Counting, missing),
            };
            self.compiled(variant, &missing, stack_bytes, limits).map(drop)
        };
        drop(prepare());
    }

    /// Runs the program.
    pub fn run(&self, input: &Input, limits: &Limits) -> Result<Run, Error> {
        self.run_as(input, limits, false)
    }

    /// Runs the program, then runs it again to see which directions it takes.
    pub fn run_with_coverage(&self, input: &Input, limits: &Limits) -> Result<Run, Error> {
        self.run_as(input, limits, true)
    }

    fn run_as(&self, input: &Input, limits: &Limits, with_coverage: bool) -> Result<Run, Error> {
        let (entry, plans, missing) = self.entry(input, limits)?;
        let checks = WantedChecks::default();
        let job = Job { program: self.program, entry: &entry, plans: &plans, input, limits, checks };
        let plain = self.plain(&job, &missing)?;
        let limits = &limits_for_more(limits, &plain.ending);
        let job = Job { limits, ..job };
        let checked = self.check(&job, &missing, &plain)?;
        let counted = match with_coverage {
            true => self.counted(&job, &missing, &plain, checked.as_ref())?,
            false => Counted::default(),
        };
        Ok(self.to_run(plain, counted, checked))
    }

    /// How often a run did what is counted: as the checking module says, if it came as far as the plain one or to an error; else, and for
    /// what the plain one did after the error, as the counting module says.
    fn counted(
        &self,
        job: &Job<'_>,
        missing: &Missing,
        plain: &Finished,
        checked: Option<&Judged>,
    ) -> Result<Counted, Error> {
        let mut cut = None;
        let mut count = || -> Result<Option<Vec<u8>>, Error> {
            let limits = job.limits;
            let counting = self.compiled(Variant::Counting, missing, limits.stack_bytes, limits)?.run(job)?;
            check_agreement(job.program, plain, &counting)?;
            cut = cut_short(plain, &counting);
            Ok(counting.counts)
        };
        let (counts, regardless) = match checked {
            Some(Judged { error: Some(_), counts, .. }) => (counts.clone(), count()?),
            Some(Judged { counts, cut: None, .. }) if plain.ending.bound().is_none() => {
                // What the counts mean is known by the counting module.
                self.counting()?;
                (counts.clone(), None)
            }
            _ => (count()?, None),
        };
        Ok(Counted { counts, regardless, cut })
    }

    /// Runs the program only, without looking for memory errors.
    pub fn run_unchecked(&self, input: &Input, limits: &Limits) -> Result<Run, Error> {
        let (entry, plans, missing) = self.entry(input, limits)?;
        let checks = WantedChecks::default();
        let job = Job { program: self.program, entry: &entry, plans: &plans, input, limits, checks };
        let plain = self.plain(&job, &missing)?;
        Ok(self.to_run(plain, Counted::default(), None))
    }

    /// Runs the plain module.
    fn plain(&self, job: &Job<'_>, missing: &Missing) -> Result<Finished, Error> {
        let limits = job.limits;
        let mut plain = self.compiled(Variant::Plain, missing, limits.stack_bytes, limits)?.run(job)?;
        let Ending::Bound(Bound::Fuel, frames) = &plain.ending else { return Ok(plain) };
        if !bulk::is_at_range(self.program, frames) {
            return Ok(plain);
        }
        let stack_bytes = limits.stack_bytes.saturating_mul(MORE_STACK);
        let fuel = limits.fuel.saturating_mul(COUNTING_FUEL);
        let limits = &Limits { fuel, stack_bytes, ..limits.clone() };
        let Ok(counting) = self.compiled(Variant::Counting, missing, stack_bytes, limits) else {
            return Ok(plain);
        };
        if let Some(ending) = bulk::trap_behind(frames, &counting.run(&Job { limits, ..*job })?.ending) {
            plain.ending = ending;
            plain.bounds.forget(Bound::Fuel);
        }
        Ok(plain)
    }

    /// Quick looks at what inputs like this one do: the same entry, world and kinds of parameters, other contents.
    pub fn trials(&self, like: &Input) -> Result<Trials<'_, 'p>, Error> {
        Trials::new(self, like)
    }

    /// Runs the checking module, if runs are to be checked.
    fn check(&self, job: &Job<'_>, missing: &Missing, plain: &Finished) -> Result<Option<Judged>, Error> {
        let (Some(checks), Some(_)) = (&self.checks, self.checking()?) else { return Ok(None) };
        let missing = missing.clone().with_memory(self.program);
        let compiled = self.compiled(Variant::Checking, &missing, job.limits.stack_bytes, job.limits)?;
        let wanted = WantedChecks { leaks: checks.leaks, ..WantedChecks::default() };
        let finished = compiled.run(&Job { checks: wanted, ..*job })?;
        let Some(checked) = finished.checked.as_ref() else { return Ok(None) };
        let Some(error) = &checked.error else {
            check_agreement(job.program, plain, &finished)?;
            let (blocks, cut) = (checked.blocks.clone(), cut_short(plain, &finished));
            return Ok(Some(Judged { error: None, erred_on: None, blocks, counts: finished.counts, cut }));
        };
        let block = error.block.iter();
        let calls: Vec<u64> =
            block.flat_map(|block| [Some(block.allocated), block.freed]).flatten().collect();
        // What happened to the block is seen when the same happens again.
        let again = match calls.is_empty() {
            true => None,
            false => compiled.run(&Job { checks: WantedChecks { calls: &calls, ..wanted }, ..*job })?.checked,
        };
        let mut trap = memory_safety::trap(self.program, error, finished.ending, again.as_ref());
        if trap.kind == TrapKind::NullDereference && !self.is_through_null(job, missing, &trap)? {
            trap.kind = TrapKind::MemoryOutOfBounds;
        }
        let blocks = checked.blocks.clone();
        let erred_on = error.block.map(|block| block.size);
        Ok(Some(Judged { error: Some(trap), erred_on, blocks, counts: finished.counts, cut: None }))
    }

    /// Whether an access next to address 0 is one through a null pointer: nothing it was made from is a variable, and it is the same wherever objects lie.
    fn is_through_null(&self, job: &Job<'_>, missing: Missing, trap: &Trap) -> Result<bool, Error> {
        let innermost = trap.backtrace.first().and_then(|frame| Some((frame.func, frame.offset?)));
        if innermost.is_some_and(|(func, at)| memory_safety::is_made_from_variable(self.program, func, at)) {
            return Ok(false);
        }
        let checking = self.checking()?;
        let calls: Vec<(Func, Vec<Value>)> =
            checking.and_then(|checking| checking.allocation(self.program)).into_iter().collect();
        let missing = calls.iter().fold(missing, |all, (func, _)| all.with_function(self.program, *func));
        let compiled = self.compiled(Variant::Checking, &missing, job.limits.stack_bytes, job.limits)?;
        let wanted = WantedChecks { moved_by: Some(&calls), ..WantedChecks::default() };
        let moved = match compiled.run(&Job { checks: wanted, ..*job }) {
            Ok(moved) => moved,
            // There is no room to move them to, or they cannot be moved.
            Err(_) => return Ok(true),
        };
        let error = moved.checked.as_ref().and_then(|checked| checked.error.as_ref());
        let is_same = error.is_some_and(|error| {
            error.kind == TrapKind::NullDereference && Some(&error.what) == trap.reason.as_ref()
        });
        Ok(is_same || moved.ending.bound().is_some())
    }

    fn entry(&self, input: &Input, limits: &Limits) -> Result<(Entry, Plans, Missing), Error> {
        imports::check(self.program, input)?;
        let entry = Entry::find(self.program, input.entry.as_deref())?;
        let plans = entry.plans(self.program, input, limits, Naming::NoBytes)?;
        let missing = Missing::new(self.program, &entry, &plans);
        Ok((entry, plans, missing))
    }

    fn to_run(&self, finished: Finished, counted: Counted, judged: Option<Judged>) -> Run {
        let Finished { ending, stdout, stderr, asked, mut bounds, fuel_used, written, .. } = finished;
        let cut = counted.cut.or(judged.as_ref().and_then(|judged| judged.cut));
        cut.into_iter().for_each(|bound| bounds.hit(bound));
        let outcome = ending.into_outcome(self.program);
        let plain = outcome.verdict();
        let erred_on = judged.as_ref().and_then(|judged| judged.erred_on);
        let (error, blocks) = judged.map(|judged| (judged.error, judged.blocks)).unzip();
        let does_count = !matches!(outcome, Outcome::Discarded { .. });
        let outcome = error.flatten().filter(|_| does_count).map_or(outcome, Outcome::Trapped);
        let coverage = counted.counts.as_ref().and_then(|counts| self.coverage(counts));
        let regardless = counted.regardless.as_ref().and_then(|counts| self.coverage(counts));
        let mut counts = counted.counts.unwrap_or_default();
        counts.truncate(self.only_counts(&counts).len());
        Run {
            outcome,
            plain,
            blocks,
            erred_on,
            stdout,
            stderr,
            asked,
            coverage,
            regardless,
            counts,
            bounds,
            fuel_used,
            written,
        }
    }

    /// What counts say, if something was counted.
    pub(crate) fn coverage(&self, counts: &[u8]) -> Option<Coverage> {
        Some(self.counting.get()?.coverage(counts))
    }

    /// Of all notes only those that say how often something was done.
    pub(crate) fn only_counts<'n>(&self, notes: &'n [u8]) -> &'n [u8] {
        let counts = self.counting.get().map_or(0, |counting| counting.counts());
        &notes[..counts.min(notes.len())]
    }

    pub(crate) fn compiled(
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
        let cache = self.cache.as_ref();
        let compiled = Arc::new(match variant {
            Variant::Plain => Compiled::plain(self.program, missing, stack_bytes, cache)?,
            Variant::Counting => {
                Compiled::counting(self.program, self.counting()?, missing, limits, stack_bytes, cache)?
            }
            Variant::Checking => {
                let checking = self.checking()?.ok_or_else(|| Error::Checking("there is none".into()))?;
                Compiled::checking(self.program, checking, missing, stack_bytes, cache)?
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

    fn checking(&self) -> Result<Option<Arc<Checking>>, Error> {
        if let (Some(checks), None) = (&self.checks, self.checking.get()) {
            let checking = Checking::new(self.program, &checks.allocator)?.map(Arc::new);
            // Another thread may have been faster, with the same.
            let _ = self.checking.set(checking);
        }
        Ok(self.checking.get().cloned().flatten())
    }

    fn lock(&self) -> MutexGuard<'_, Modules> {
        self.modules.lock().expect("no thread panics while it looks up a module")
    }
}

/// What came of a checking run.
struct Judged {
    error: Option<Trap>,
    erred_on: Option<u32>,
    blocks: Vec<(u32, u32)>,
    /// What was done until the end, or the error.
    counts: Option<Vec<u8>>,
    /// The limit that it met where the plain module did not: what comes behind was not looked at.
    cut: Option<Bound>,
}

/// How often a run did what is counted, if that was asked for.
#[derive(Default)]
struct Counted {
    counts: Option<Vec<u8>>,
    /// The same of the unmodified module, if it went on after an error.
    regardless: Option<Vec<u8>>,
    /// The limit that counting met where the plain module did not: what comes behind is missing.
    cut: Option<Bound>,
}

/// How much more stack the counting and the checking module may use than the plain one: their frames have more values, and calls of the
/// allocator have two of them.
pub(crate) const MORE_STACK: usize = 6;
/// How much more fuel the counting module is given for the same, where it is to come as far.
const COUNTING_FUEL: u64 = 4;

/// The limits under which the counting or checking module does what the plain one did.
///
/// It needs more fuel, time and stack for the same. If the plain run came to its own end, so will
/// this one: it gets what it needs. Otherwise it gets no more than the plain run had, and so stops a little
/// earlier: coverage may miss something but never shows what the plain run did not do.
fn limits_for_more(limits: &Limits, plain: &Ending) -> Limits {
    if let Ending::Bound(..) = plain {
        return limits.clone();
    }
    let stack_bytes = limits.stack_bytes.saturating_mul(MORE_STACK);
    Limits { fuel: u64::MAX, time: None, stack_bytes, ..limits.clone() }
}

/// The limit that another module met where the plain one came to its own end: its frames are larger.
fn cut_short(plain: &Finished, other: &Finished) -> Option<Bound> {
    other.ending.bound().filter(|_| plain.ending.bound().is_none())
}

/// Both modules must have done the same as far as they came, or the coverage is not that of the plain run, and what was not found proves
/// nothing.
fn check_agreement(program: &Program, plain: &Finished, other: &Finished) -> Result<(), Error> {
    if plain.ending.bound().is_some() {
        return Ok(());
    }
    let is_same = |plain: &[u8], counted: &[u8]| match other.ending.bound() {
        Some(_) => plain.starts_with(counted),
        None => plain == counted,
    };
    let same_output = is_same(&plain.stdout, &other.stdout) && is_same(&plain.stderr, &other.stderr);
    if same_output && plain.ending.agrees(&other.ending) {
        return Ok(());
    }
    let describe = |finished: &Finished| {
        let Finished { ending, stdout, stderr, .. } = finished;
        let ending = ending.in_words(program);
        format!("{ending}, {} bytes of output and {} of errors", stdout.len(), stderr.len())
    };
    Err(Error::Divergence { plain: describe(plain), counting: describe(other) })
}
