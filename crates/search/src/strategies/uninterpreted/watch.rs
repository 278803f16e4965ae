//! A run with every call watched: what functions are given, and what they give. A worker makes it.

use super::around::around;
use super::causes::{causes, decided};
use crate::task::{Cause, Look, Watched};
use crate::{Stop, Subject};
use coax_execute::{Computed, Error, Input, Setup, SymbolicModule, SymbolicRun, Unknown, Variant};
use coax_program::{Func, Program};
use coax_term::{Term, Terms};
use std::sync::{Mutex, OnceLock, PoisonError};

/// No more parts are counted of what a function gives: what is heavy in a run that is looked at because nothing else is found.
pub(super) const HEAVY_IF_STUCK: usize = 256;

/// The program, instrumented so that all is seen, once somebody wants to see it.
#[derive(Default)]
pub(crate) struct Watcher<'p> {
    made: OnceLock<Module<'p>>,
    /// Held by who makes it: it is made once.
    making: Mutex<()>,
}

struct Module<'p> {
    symbolic: SymbolicModule<'p>,
    /// All functions.
    all: Unknown,
}

impl<'p> Watcher<'p> {
    fn module(&self, subject: &Subject<'p>) -> Result<&Module<'p>, Error> {
        let _guard = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = self.made.get() {
            return Ok(module);
        }
        let program = subject.program;
        let symbolic = subject.engine.module(program, Variant::Cells)?;
        let all = Unknown::new(program, program.functions.ids().filter(|&func| is_usable(program, func)));
        Ok(self.made.get_or_init(|| Module { symbolic, all }))
    }

    /// Runs an input with every call watched, and looks at what is wanted. Nothing if time is over.
    pub(crate) fn watch(
        &self,
        subject: &Subject<'p>,
        input: &Input,
        look: &Look,
        stop: &Stop,
    ) -> Result<Option<Watched>, Error> {
        let Module { symbolic, all } = self.module(subject)?;
        let mut computed = None;
        let (run, _) = subject.run_as(symbolic, input.clone(), || {
            let (director, calls) = all.watcher();
            computed = Some(calls);
            Setup { director: Some(director), until: Some(stop.flag()), ..Setup::default() }
        })?;
        let calls = computed.unwrap_or_default();
        let calls = std::mem::take(&mut *calls.lock().unwrap_or_else(PoisonError::into_inner));
        // To look at a hundred thousand of them takes time that is over.
        let seen = stop.reason().is_none().then(|| look_at(subject, &run, &calls, look, stop));
        symbolic.recycle(run);
        Ok(seen)
    }
}

/// Whether calls of a function can be learned from.
pub(super) fn is_usable(program: &Program, func: Func) -> bool {
    program.functions[func].defined().is_some() && Unknown::refuses(program, func).is_none()
}

/// What is to be known of a run, and of its calls in the order in which they ended.
fn look_at(
    subject: &Subject<'_>,
    run: &SymbolicRun,
    calls: &[Computed],
    look: &Look,
    stop: &Stop,
) -> Watched {
    let size = |func| size_of_results(run.terms(), calls, func, stop);
    let &Look::Causes { at, heavy } = look else {
        let Look::Sizes(functions) = look else { return Watched::Sizes(Vec::new()) };
        return Watched::Sizes(functions.iter().map(|&func| (func, size(func))).collect());
    };
    let is_own = |func: Func| subject.is_in_scope(func);
    let events = run.path().events.iter().filter(|event| at.is_none_or(|at| event.at == at));
    let decided: Vec<(u32, Term)> = events.map(|event| (event.at, decided(event))).collect();
    let causes = causes(run.terms(), &decided, calls, heavy, (&is_own, stop));
    let causes = match at {
        Some(at) if causes.is_empty() => around(run.terms(), &run.path().events, at, calls, (&is_own, stop)),
        _ => causes,
    };
    Watched::Causes(causes.into_iter().map(|(func, why)| Cause { func, why, size: size(func) }).collect())
}

/// How many parts has what a function gave in one of these calls, as far as that matters here.
fn size_of_results(terms: &Terms, calls: &[Computed], func: Func, stop: &Stop) -> usize {
    let of_it = calls.iter().filter(|call| call.func == func);
    let mut largest = 0;
    for call in of_it {
        largest = largest.max(terms.count_parts(&call.gave, HEAVY_IF_STUCK));
        if largest == HEAVY_IF_STUCK || stop.reason().is_some() {
            break;
        }
    }
    largest
}
