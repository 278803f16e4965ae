//! Hooks: what a director can do to calls must leave the rest of a run as it is.
//!
//! A program is run once and watched; then, with the records of that run:
//!
//! * calls are run again alone, on a memory of garbage in which only the recorded cells are right: they do the same;
//! * calls are skipped with their recorded effects, or suspended and given the terms that they would have had: the
//!   rest of the run is the same, event by event;
//! * all calls are cut: substituting gives back the same conditions.

use crate::random::{Random, compare_events};
use coax_execute::hooks::{Byte, Call, Director, Effects, FrameRecord, Treatment};
use coax_execute::{
    CallEvent, CallKind, Datum, Error, Event, EventKind, Image, Input, Limits, Outcome, Setup,
    SymbolicEngine, SymbolicModule, SymbolicRun, Symbols, Variant,
};
use coax_program::Program;
use coax_term::{Evaluator, Model, Terms};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Calls of one run that each test is made with, at most.
const CALLS: usize = 6;
/// Records that are kept of one run, at most.
const RECORDS: usize = 200;

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

/// The records of calls of a run, in the order in which they ended: all, or as many out of all as are kept.
#[derive(Clone)]
struct Records(Arc<Mutex<Sample>>);

#[derive(Default)]
struct Sample {
    kept: Vec<FrameRecord>,
    ended: usize,
    random: Random,
}

impl Director for Records {
    fn ended(&mut self, frame: &mut FrameRecord, _: &mut Terms) {
        let mut sample = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sample.ended += 1;
        let ended = sample.ended;
        let place = if ended <= RECORDS { ended - 1 } else { sample.random.below(ended) };
        match sample.kept.get_mut(place) {
            Some(record) => *record = frame.clone(),
            None if place < RECORDS => sample.kept.push(frame.clone()),
            None => {}
        }
    }
}

impl Records {
    fn new(seed: u64) -> Self {
        Records(Arc::new(Mutex::new(Sample { random: Random::new(seed), ..Sample::default() })))
    }

    fn take(&self) -> Vec<FrameRecord> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).kept)
    }
}

/// The record of the call that ended last: that of the entry function.
#[derive(Clone, Default)]
struct Outermost(Arc<Mutex<Option<FrameRecord>>>);

impl Director for Outermost {
    fn ended(&mut self, frame: &mut FrameRecord, _: &mut Terms) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(frame.clone());
    }
}

impl Outermost {
    fn take(&self) -> Option<FrameRecord> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Treats one call in a special way, with the effects that it had in another run.
struct One {
    number: u32,
    effects: Effects,
    terms: Arc<Terms>,
    suspend: bool,
}

impl One {
    /// The recorded effects, with terms of this run.
    fn imported(&self, terms: &mut Terms) -> Effects {
        let mut import = |datum: Datum| {
            let term = datum.term.map(|term| terms.import(&self.terms, term));
            Datum { term, ..datum }
        };
        Effects {
            results: self.effects.results.iter().map(|result| result.map(&mut import)).collect(),
            cells: self
                .effects
                .cells
                .iter()
                .map(|cell| Byte { value: import(cell.value), ..*cell })
                .collect(),
            globals: self.effects.globals.iter().map(|&(global, value)| (global, import(value))).collect(),
        }
    }
}

impl Director for One {
    fn entering(&mut self, call: &Call, terms: &mut Terms) -> Treatment {
        match (call.number == self.number, self.suspend) {
            (false, _) => Treatment::Run,
            (true, true) => Treatment::Suspend,
            (true, false) => Treatment::Skip(self.imported(terms)),
        }
    }

    fn wants_record(&self, _: &Call) -> bool {
        false
    }

    fn ended(&mut self, frame: &mut FrameRecord, terms: &mut Terms) {
        if self.suspend && frame.call.number == self.number {
            let expected = self.imported(terms);
            // With symbols it may have written more: all cells that an address could mean.
            let known = cells(&expected.cells);
            let all_known = frame.effects.cells.iter().all(|cell| known.contains_key(&cell.address));
            assert!(all_known, "a suspended call writes other cells than it did");
            frame.effects = expected;
        }
    }
}

/// Cuts all calls but the first, which is that of the entry.
struct CutAll;

impl Director for CutAll {
    fn entering(&mut self, call: &Call, _: &mut Terms) -> Treatment {
        if call.number > 0 { Treatment::Cut } else { Treatment::Run }
    }

    fn wants_record(&self, _: &Call) -> bool {
        false
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
            let mut image = Image { memory: vec![0; record.memory_bytes as usize], ..Image::default() };
            image.memory.iter_mut().for_each(|byte| *byte = random.next() as u8);
            for cell in &record.cells_read {
                image.memory[cell.address as usize] = cell.value.bits as u8;
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
            let again = again.take().ok_or("a call that is run alone is not recorded")?;
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

/// What came of comparing events by what they mean.
#[derive(Default)]
struct Aligned {
    /// Conditions of one side that are always true, as the other had seen.
    always_true: u64,
    /// Whether one side has concretised what the other has not: from there on they cannot be compared.
    cut_short: bool,
}

/// Compares events by what they mean on random models; the error is the place on the first side where they differ.
fn align([(left, terms), (right, others)]: [(&[Event], &Terms); 2]) -> Result<Aligned, usize> {
    let models = models(terms, others);
    let ours = truths(left, terms, models.iter().map(|(ours, _)| ours));
    let theirs = truths(right, others, models.iter().map(|(_, theirs)| theirs));
    let concretised = |event: Option<&Event>| {
        event.is_some_and(|event| matches!(event.kind, EventKind::Concretised { .. }))
    };
    let (mut i, mut j, mut aligned) = (0, 0, Aligned::default());
    while i < left.len() || j < right.len() {
        let pair = left.get(i).zip(right.get(j)).filter(|(one, other)| {
            let same_kind = std::mem::discriminant(&one.kind) == std::mem::discriminant(&other.kind);
            one.at == other.at && same_kind && ours[i] == theirs[j]
        });
        if pair.is_some() {
            (i, j) = (i + 1, j + 1);
        } else if concretised(left.get(i)) || concretised(right.get(j)) {
            aligned.cut_short = true;
            break;
        } else if theirs.get(j) == Some(&u64::MAX) {
            j += 1;
            aligned.always_true += 1;
        } else if ours.get(i) == Some(&u64::MAX) {
            i += 1;
            aligned.always_true += 1;
        } else {
            return Err(i);
        }
    }
    Ok(aligned)
}

/// Random values for the symbols of two arenas, the same for symbols of the same name: as many models as a word has bits.
fn models(terms: &Terms, others: &Terms) -> Vec<(Model, Model)> {
    let mut random = Random::new(1);
    let mut pair = || {
        let (mut ours, mut theirs) = (Model::new(), Model::new());
        for symbol in terms.symbols() {
            let few = [0, 1, 0xff, random.next(), random.next()];
            let bits = random.pick(&few) & coax_term::mask(terms.symbol_width(symbol));
            ours.set(symbol, bits);
            if let Some(symbol) = others.find_symbol(terms.symbol_name(symbol)) {
                theirs.set(symbol, bits);
            }
        }
        (ours, theirs)
    };
    (0..u64::BITS).map(|_| pair()).collect()
}

/// For each condition, a bit for each model: whether it is true there.
fn truths<'m>(events: &[Event], terms: &Terms, models: impl Iterator<Item = &'m Model>) -> Vec<u64> {
    let mut truths = vec![0; events.len()];
    for (bit, model) in models.enumerate() {
        let mut evaluator = Evaluator::new();
        for (truth, event) in truths.iter_mut().zip(events) {
            *truth |= evaluator.eval(terms, model, event.condition) << bit;
        }
    }
    truths
}

/// Whether a call that was run alone, without symbols, did what its record says.
///
/// With symbols it may have read more: all cells that an address could mean. And it may have written more: what was there before.
fn compare_records(record: &FrameRecord, alone: &FrameRecord) -> Result<(), String> {
    let (expected, actual) = (ending(record), ending(alone));
    if expected != actual {
        return Err(format!("alone {actual:?}, in the run {expected:?}"));
    }
    let (read, read_alone) = (cells(&record.cells_read), cells(&alone.cells_read));
    let (written, written_alone) = (cells(&record.effects.cells), cells(&alone.effects.cells));
    let subset =
        |some: &Numbers, all: &Numbers| some.iter().all(|(place, value)| all.get(place) == Some(value));
    if !subset(&read_alone, &read) {
        return Err(format!("alone it reads {read_alone:?}, in the run {read:?}"));
    }
    let is_new = |(address, value): &(&u64, &u64)| {
        !written_alone.contains_key(address) && read.get(address) != Some(value)
    };
    if !subset(&written_alone, &written) || written.iter().any(|cell| is_new(&cell)) {
        return Err(format!("alone it writes {written_alone:?}, in the run {written:?}"));
    }
    let [read, read_alone] = [record, alone].map(|record| globals(&record.globals_read));
    let [set, set_alone] = [record, alone].map(|record| globals(&record.effects.globals));
    match read == read_alone && set == set_alone {
        true => Ok(()),
        false => Err(format!("globals: alone {read_alone:?} {set_alone:?}, in the run {read:?} {set:?}")),
    }
}

/// Places and their numbers.
type Numbers = BTreeMap<u64, u64>;

fn ending(record: &FrameRecord) -> Result<Vec<Option<u64>>, CallKind> {
    match &record.ending {
        CallKind::Returned(results) => {
            Ok(results.iter().map(|result| result.map(|result| result.bits)).collect())
        }
        other => Err(other.clone()),
    }
}

fn cells(cells: &[Byte]) -> Numbers {
    cells.iter().map(|cell| (cell.address, cell.value.bits)).collect()
}

fn globals(globals: &[(u32, Datum)]) -> Numbers {
    globals.iter().map(|&(global, value)| (global.into(), value.bits)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use coax_program::Func;

    /// A call that reads 1 at 10, writes 2 at 20 and returns 3.
    fn record() -> FrameRecord {
        let byte = |address, bits| Byte { address, value: Datum { bits, term: None } };
        let result = vec![Some(Datum { bits: 3, term: None })];
        FrameRecord {
            call: Call { number: 0, func: Func(0), args: vec![] },
            ending: CallKind::Returned(result.clone()),
            memory_bytes: 100,
            cells_read: vec![byte(10, 1)],
            globals_read: vec![],
            effects: Effects { results: result, cells: vec![byte(20, 2)], globals: vec![] },
            beyond: Default::default(),
        }
    }

    #[test]
    fn every_difference_of_records_is_noticed() {
        let alone = |change: fn(&mut FrameRecord)| {
            let mut alone = record();
            change(&mut alone);
            compare_records(&record(), &alone)
        };
        assert_eq!(alone(|_| {}), Ok(()));
        assert!(alone(|record| record.ending = CallKind::Left).is_err());
        assert!(alone(|record| record.ending = CallKind::Returned(vec![None])).is_err());
        assert!(alone(|record| record.cells_read[0].address = 11).is_err(), "a cell that was not read");
        assert!(alone(|record| record.effects.cells[0].value.bits = 7).is_err(), "another value");
        assert!(alone(|record| record.effects.cells.clear()).is_err(), "a cell that is not written");
        assert!(alone(|record| record.globals_read.push((0, Datum { bits: 0, term: None }))).is_err());
        // Symbols may make a call read more, and write what was there.
        let mut more = record();
        more.effects.cells.push(more.cells_read[0]);
        assert_eq!(compare_records(&more, &record()), Ok(()));
    }
}
