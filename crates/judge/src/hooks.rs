//! Hooks: what a director can do to calls must leave the rest of a run as it is.
//!
//! A program is run once and watched; then, with the records of that run:
//!
//! * calls are run again alone, on a memory of garbage in which only the recorded cells are right: they do the same;
//! * calls are skipped with their recorded effects, or suspended and given the terms that they would have had: the
//!   rest of the run is the same, event by event;
//! * all calls are cut: substituting gives back the same conditions.

mod directors;
mod meaning;
mod records;

use crate::random::{Random, compare_events};
use coax_execute::hooks::{Call, Director, FrameRecord};
use coax_execute::{
    CallEvent, CallKind, Error, Event, EventKind, Image, Input, Limits, Outcome, Pages, Setup,
    SymbolicEngine, SymbolicModule, SymbolicRun, Symbols, Variant,
};
use coax_program::Program;
use coax_term::Terms;
use directors::{CutAll, One, Outermost, Records};
use meaning::align;
use records::compare_records;
use std::sync::Arc;

/// Calls of one run that each test is made with, at most.
const CALLS: usize = 6;

/// How often each hook was tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hooks {
    /// Calls that were run again alone.
    pub alone: u64,
    /// Calls that were skipped.
    pub skipped: u64,
    /// Calls that were suspended.
    pub suspended: u64,
    /// Runs with all calls cut …
    pub cut: u64,
    /// … the symbols that stood for terms of other calls in them …
    pub bindings: u64,
    /// … how many of them came back as other terms that mean the same …
    pub cut_by_value: u64,
    /// … conditions, of these, that are always true and were seen to be on one side only …
    pub always_true: u64,
    /// … and those that could be compared only until one side concretised what the other did not.
    pub cut_short: u64,
}

impl Hooks {
    /// Adds those of others.
    pub fn add(&mut self, other: Hooks) {
        self.alone += other.alone;
        self.skipped += other.skipped;
        self.suspended += other.suspended;
        self.cut += other.cut;
        self.bindings += other.bindings;
        self.cut_by_value += other.cut_by_value;
        self.always_true += other.always_true;
        self.cut_short += other.cut_short;
    }
}

/// For a run like one that was within the limits: the variants do not spend the same.
fn generous(limits: &Limits) -> Limits {
    Limits { fuel: 4 * limits.fuel, ..*limits }
}

/// A run, taken apart.
struct Watched {
    events: Vec<Event>,
    calls: Vec<CallEvent>,
    terms: Arc<Terms>,
    outcome: Outcome,
}

impl Watched {
    fn new(module: &SymbolicModule<'_>, run: SymbolicRun) -> Self {
        let (events, calls) = (run.path().events.clone(), run.calls().to_vec());
        let terms = Arc::new(run.terms().clone());
        Watched { events, calls, terms, outcome: module.outcome(run) }
    }

    /// The events of a call and all that it called.
    fn events_of(&self, number: u32) -> Option<std::ops::Range<usize>> {
        let entered = |index: &usize| matches!(self.calls[*index].kind, CallKind::Entered(_));
        let start = (0..self.calls.len()).filter(entered).nth(number as usize)?;
        let mut depth = 0;
        for call in &self.calls[start..] {
            match call.kind {
                CallKind::Entered(_) => depth += 1,
                _ => depth -= 1,
            }
            if depth == 0 {
                return Some(self.calls[start].events_before..call.events_before);
            }
        }
        None
    }
}

/// A program whose calls can be tampered with.
pub(crate) struct Judge<'p> {
    program: &'p Program,
    cells: SymbolicModule<'p>,
    calls: SymbolicModule<'p>,
    limits: Limits,
}

impl<'p> Judge<'p> {
    /// A judge of this program within these limits.
    pub(crate) fn new(engine: &SymbolicEngine, program: &'p Program, limits: Limits) -> Result<Self, Error> {
        let cells = engine.module(program, Variant::Cells)?;
        let calls = engine.module(program, Variant::Calls)?;
        Ok(Judge { program, cells, calls, limits })
    }

    /// Tries all hooks on one run; false if there was none within the limits. The error says what differs.
    pub(crate) fn run(
        &self,
        input: &Input,
        symbols: Symbols,
        random: &mut Random,
        tally: &mut Hooks,
    ) -> Result<bool, String> {
        let records = Records::new(random.next());
        let run = match self.directed(&self.cells, (input, symbols), &self.limits, records.clone()) {
            Ok(run) => run,
            Err(Error::TooSmall { .. }) => return Ok(false),
            Err(error) => return Err(error.to_string()),
        };
        if !run.bounds.is_empty() {
            return Ok(false);
        }
        let records = records.take();
        let run = Watched::new(&self.cells, run);
        self.alone(&records, random, tally)?;
        self.instead((input, symbols), &run, &records, random, tally)?;
        self.cut((input, symbols), &run, tally)?;
        Ok(true)
    }

    fn directed(
        &self,
        module: &SymbolicModule<'_>,
        (input, symbols): (&Input, Symbols),
        limits: &Limits,
        director: impl Director + 'static,
    ) -> Result<SymbolicRun, Error> {
        let setup = Setup { director: Some(Box::new(director)), ..Setup::default() };
        module.run_with(input, symbols, limits, setup)
    }

    /// Calls do the same when they are run again alone.
    fn alone(&self, records: &[FrameRecord], random: &mut Random, tally: &mut Hooks) -> Result<(), String> {
        let alone =
            records.iter().filter(|record| record.beyond.is_empty() && record.ending != CallKind::Replaced);
        for record in alone.take(CALLS) {
            let Some(params) = self.params(&record.call) else { continue };
            let noise: Vec<u8> = (0..record.memory_bytes).map(|_| random.next() as u8).collect();
            let mut image = Image { memory: Pages::of(&noise), ..Image::default() };
            for cell in &record.cells_read {
                image.memory.set(cell.address, cell.value.bits as u8);
            }
            for (index, global) in self.program.globals.iter().enumerate() {
                let known = record.globals_read.iter().find(|&&(global, _)| global as usize == index);
                let bits = known.map_or_else(|| random.next(), |(_, value)| value.bits);
                if let Some(value) = number(global.ty.content_type, bits).filter(|_| global.ty.mutable) {
                    image.globals.insert(index as u32, value);
                }
            }
            let again = Outermost::default();
            let setup =
                Setup { image: Some(&image), director: Some(Box::new(again.clone())), ..Setup::default() };
            let run =
                self.cells.call(record.call.func, &params, Symbols::NONE, &generous(&self.limits), setup);
            run.map_err(|error| error.to_string())?;
            let again = match again.take() {
                Some(again) => again,
                // An instance must come to be before anything in it can be called.
                None if self.program.start.is_some() => continue,
                None => return Err("a call that is run alone is not recorded".into()),
            };
            compare_records(record, &again).map_err(|what| format!("call {}: {what}", record.call.number))?;
            tally.alone += 1;
        }
        Ok(())
    }

    /// The arguments of a call, if all are numbers.
    fn params(&self, call: &Call) -> Option<Vec<coax_execute::Value>> {
        let types = &self.program.signature(call.func).params;
        types.iter().zip(&call.args).map(|(&ty, arg)| number(ty, (*arg)?.bits)).collect()
    }

    /// Calls are skipped, or suspended, and the rest of the run is the same.
    fn instead(
        &self,
        input: (&Input, Symbols),
        run: &Watched,
        records: &[FrameRecord],
        random: &mut Random,
        tally: &mut Hooks,
    ) -> Result<(), String> {
        let replaceable = |record: &&FrameRecord| {
            matches!(&record.ending, CallKind::Returned(results) if results.iter().all(Option::is_some))
                && record.beyond.is_empty()
        };
        let replaceable: Vec<&FrameRecord> = records.iter().filter(replaceable).collect();
        for _ in 0..CALLS.min(replaceable.len()) {
            let record = random.pick(&replaceable);
            let number = record.call.number;
            let Some(inner) = run.events_of(number) else { continue };
            let mut rest = run.events.clone();
            rest.drain(inner);
            let (effects, terms) = (&record.effects, &run.terms);
            let one = |suspend| One { number, effects: effects.clone(), terms: Arc::clone(terms), suspend };
            for (how, module, suspend) in [
                ("skipped", &self.calls, false),
                ("skipped", &self.cells, false),
                ("suspended", &self.cells, true),
            ] {
                let other = self
                    .directed(module, input, &generous(&self.limits), one(suspend))
                    .map_err(|error| error.to_string())?;
                let other = Watched::new(module, other);
                let differs =
                    |what| format!("call {number} of function {} {how}: {what}", record.call.func.0);
                compare_events(&rest, terms, &other.events, &other.terms).map_err(differs)?;
                if other.outcome != run.outcome {
                    return Err(differs(format!("{:?}, expected {:?}", other.outcome, run.outcome)));
                }
                match suspend {
                    true => tally.suspended += 1,
                    false => tally.skipped += 1,
                }
            }
        }
        Ok(())
    }

    /// All calls are cut; the conditions come back by substitution.
    fn cut(&self, input: (&Input, Symbols), run: &Watched, tally: &mut Hooks) -> Result<(), String> {
        let mut cut = self
            .directed(&self.calls, input, &generous(&self.limits), CutAll)
            .map_err(|error| error.to_string())?;
        let events = cut.path().events.clone();
        let mut whole = Vec::with_capacity(events.len());
        for event in events {
            let condition = cut.uncut(event.condition);
            let kind = match event.kind {
                EventKind::Concretised { term, value, reason } => {
                    EventKind::Concretised { term: cut.uncut(term), value, reason }
                }
                kind => kind,
            };
            // What is decided by constants is no event.
            match cut.terms().as_constant(condition) {
                None => whole.push(Event { condition, kind, ..event }),
                Some(1) => {}
                Some(_) => return Err("a condition of a cut run is false".into()),
            }
        }
        let expected = &run.events;
        tally.cut += 1;
        tally.bindings += cut.bindings().len() as u64;
        if compare_events(expected, &run.terms, &whole, cut.terms()).is_ok() {
            return Ok(());
        }
        // Not the same terms, but they may mean the same.
        tally.cut_by_value += 1;
        let sides = [(&expected[..], &*run.terms), (&whole[..], cut.terms())];
        let aligned = align(sides).map_err(|place| {
            let what = compare_events(&expected[place..], &run.terms, &whole, cut.terms());
            format!("cut, event {place}: {what:?}")
        })?;
        tally.always_true += aligned.always_true;
        tally.cut_short += u64::from(aligned.cut_short);
        Ok(())
    }
}

fn number(ty: wasmparser::ValType, bits: u64) -> Option<coax_execute::Value> {
    use coax_execute::Value as V;
    use wasmparser::ValType;
    Some(match ty {
        ValType::I32 => V::I32(bits as i32),
        ValType::I64 => V::I64(bits as i64),
        ValType::F32 => V::F32(bits as u32),
        ValType::F64 => V::F64(bits),
        _ => return None,
    })
}
