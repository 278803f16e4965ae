//! Where calls begin and end, and what the director of a run makes of them.

use super::calls::{CallKind, Datum};
use super::cut::Origin;
use super::hooks::{Byte, Call, Effects, Fixed, FrameRecord, Treatment};
use super::joining::Joining;
use super::replay::{FirstMemory, Player};
use super::run::FUEL_FACTOR;
use super::shadow::{Shadow, TransferKind};
use crate::instrument::segment::{Boundary, CELLS, Slot, TRANSFER};
use crate::path::Concretisation;
use crate::semantics::events::Recorder;
use crate::semantics::window;
use coax_program::Func;
use wasmtime::AsContextMut;

/// What a step of a call that is joined takes: half of what the plain module's may take here, as one of its own may be none there.
const STEP_FUEL: u64 = FUEL_FACTOR / 2;

/// Why the director's wish cannot be granted.
pub(super) type Refusal = String;

impl<S: AsContextMut> Player<'_, S> {
    /// A function begins. Whether it is to run.
    pub(super) fn enter(
        &mut self,
        slots: &[Option<Slot>],
        boundary: &Boundary,
        values: &[u64],
    ) -> Result<bool, Refusal> {
        let Some(func) = self.call else {
            self.receive(slots, true);
            let args = self.arguments(slots, boundary, values);
            return Ok(!self.join(&args));
        };
        // Every call has a frame, so that its end is noticed.
        self.frame = self.shadow.frames.push(self.plan.slots);
        self.receive(slots, true);
        let args = self.arguments(slots, boundary, values);
        let vocabulary = self.shadow.cells.cut.current;
        if let Some(frame) = self.frame_mut() {
            frame.call = Some(func);
            frame.vocabulary = vocabulary;
        }
        if self.shadow.suspended.is_some() {
            return Ok(true);
        }
        self.shadow.note_call(func, CallKind::Entered(args.clone()));
        let Some(director) = &mut self.shadow.director else { return Ok(!self.join(&args)) };
        let call = Call { number: self.shadow.begun, func: Func(func), args };
        self.shadow.begun += 1;
        let treatment = director.entering(&call, &mut self.shadow.terms);
        if let Treatment::Skip(effects) = treatment {
            self.skip(effects)?;
            return Ok(false);
        }
        let number = call.number;
        let wanted = matches!(treatment, Treatment::Suspend) || director.wants_record(&call);
        if !wanted && matches!(treatment, Treatment::Run) && self.join(&call.args) {
            return Ok(false);
        }
        let memory_bytes =
            self.linear.as_mut().map_or(0, |first| first.linear(&mut self.shadow.cells).size());
        if let Some(footprints) = &mut self.shadow.cells.footprints {
            footprints.begin(call, wanted, memory_bytes, self.shadow.path.events.len());
        }
        match treatment {
            Treatment::Cut => self.cut(slots, number),
            Treatment::Suspend if !self.sees_cells => {
                return Err("a call can only be suspended if the variant sees cells".into());
            }
            Treatment::Suspend => {
                self.shadow.suspend(self.frame);
            }
            Treatment::Run | Treatment::Skip(_) => {}
        }
        Ok(true)
    }

    /// The arguments of a call, as far as they are told.
    fn arguments(&self, slots: &[Option<Slot>], boundary: &Boundary, values: &[u64]) -> Vec<Option<Datum>> {
        let args = slots.iter().zip(&boundary.arguments).map(|(slot, value)| {
            let bits = values[usize::from((*value)?)];
            Some(Datum { bits, term: self.shadow.frames.term(self.frame, (*slot)?) })
        });
        args.collect()
    }

    /// Carries out a call by all its ways at once; whether that went well.
    fn join(&mut self, args: &[Option<Datum>]) -> bool {
        let Some((func, functions)) = self.joined else { return false };
        if self.shadow.suspended.is_some() {
            return false;
        }
        let Shadow { cells, terms, spent, .. } = &mut *self.shadow;
        let linear = self.linear.as_mut().map(|first| first.linear(cells));
        let mut joining = Joining::new(functions, linear, terms);
        let results = joining.results(func, args);
        // The program spends fuel on what it does as long as nothing depends on the input, and so does who does it for it.
        *spent += u64::from(joining.idle()) * STEP_FUEL;
        drop(joining);
        let Some((results, places)) = results else { return false };
        places.into_iter().for_each(|place| self.read_there(place));
        let results: Vec<Option<Datum>> = results.into_iter().map(|result| Some(result.into())).collect();
        self.supply(&results);
        true
    }

    /// The arguments become symbols of the call's own.
    fn cut(&mut self, slots: &[Option<Slot>], number: u32) {
        let cut = &mut self.shadow.cells.cut;
        let outer = std::mem::replace(&mut cut.current, number + 1);
        cut.used = true;
        for (index, slot) in slots.iter().enumerate() {
            let Some(slot) = *slot else { continue };
            if let Some(term) = self.shadow.frames.term(self.frame, slot) {
                let Shadow { cells, terms, .. } = &mut *self.shadow;
                let own = cells.cut.own(terms, term, outer, Origin::Param(index));
                self.set(slot, Some(own));
            }
        }
        if let Some(frame) = self.frame_mut() {
            frame.vocabulary = number + 1;
        }
    }

    /// The call has these effects instead of its own.
    fn skip(&mut self, effects: Effects) -> Result<(), Refusal> {
        let fits = self.plan.supplied().is_some_and(|results| results.len() == effects.results.len())
            && effects.results.iter().all(Option::is_some);
        if !fits {
            return Err("a call can only be skipped if all its results are numbers and supplied".into());
        }
        self.check_results(&effects.results)?;
        check(self.shadow, &mut self.linear, &effects)?;
        apply(self.shadow, &mut self.linear, &effects, true);
        self.supply(&effects.results);
        Ok(())
    }

    /// The call, which has a frame if it has terms or is told of, gives this and does not run.
    fn supply(&mut self, results: &[Option<Datum>]) {
        if self.frame > 0 {
            self.shadow.frames.stack.pop();
            self.frame = 0;
        }
        if let Some(func) = self.call {
            self.shadow.note_call(func, CallKind::Returned(results.to_vec()));
        }
        self.shadow.supplied.clear();
        self.shadow.supplied.extend(results.iter().flatten().map(|result| result.bits));
        self.shadow.send(TransferKind::Results, results);
    }

    /// The terms of results are as wide as the results.
    fn check_results(&self, results: &[Option<Datum>]) -> Result<(), Refusal> {
        let types = self.plan.supplied().unwrap_or_default();
        let fits = |(ty, result): (&wasmparser::ValType, &Option<Datum>)| {
            let term = result.and_then(|result| result.term);
            term.is_none_or(|term| Some(self.shadow.terms.width_of(term)) == super::run::width(*ty))
        };
        match types.iter().zip(results).all(fits) {
            true => Ok(()),
            false => Err("a term that is supplied for a result has another width than the result".into()),
        }
    }

    /// Takes over arguments or results.
    pub(super) fn receive(&mut self, slots: &[Option<Slot>], is_entry: bool) {
        let transfer = std::mem::take(&mut self.shadow.transfer);
        self.shadow.taint &= !TRANSFER;
        let expected = if is_entry { TransferKind::Arguments } else { TransferKind::Results };
        for (index, slot) in slots.iter().enumerate() {
            let Some(slot) = *slot else { continue };
            let mut term = match transfer.kind == expected {
                true => transfer.values.get(index).copied().flatten().and_then(|value| value.term),
                false => None,
            };
            if !is_entry && let Some(theirs) = term {
                let Shadow { cells, terms, .. } = &mut *self.shadow;
                term = Some(cells.cut.own(terms, theirs, transfer.of, Origin::Result(index)));
            }
            self.set(slot, term);
        }
    }

    /// The frame ends by returning.
    pub(super) fn return_results(&mut self, results: Vec<Option<Datum>>) {
        let mut results = results;
        if self.frame > 0 {
            let ending = end_frame(self.shadow, &mut self.linear, CallKind::Returned(results.clone()));
            if let CallKind::Returned(amended) = ending {
                match self.check_results(&amended) {
                    Ok(()) => results = amended,
                    Err(refusal) => self.shadow.refusal = Some(refusal),
                }
            }
            self.frame = 0;
        }
        self.shadow.send(TransferKind::Results, &results);
    }

    /// The frame ends because another takes its place.
    pub(super) fn replace(&mut self) {
        if self.frame > 0 {
            end_frame(self.shadow, &mut self.linear, CallKind::Replaced);
            self.frame = 0;
        }
    }
}

/// The code of that frame is running (0: none is): those above it are over, the innermost first.
pub(super) fn unwind_to<S: AsContextMut>(
    shadow: &mut Shadow,
    memory: &mut Option<FirstMemory<S>>,
    frame: usize,
) {
    while shadow.frames.stack.len() > frame {
        end_frame(shadow, memory, CallKind::Left);
    }
    if shadow.suspended.is_some_and(|suspended| suspended > frame) {
        // A tail call of a function of the host's has ended it.
        report(shadow, memory, CallKind::Left);
        shadow.resume();
    }
}

/// The innermost frame is over. How it ended, with the terms that its results have for others.
fn end_frame<S: AsContextMut>(
    shadow: &mut Shadow,
    memory: &mut Option<FirstMemory<S>>,
    ending: CallKind,
) -> CallKind {
    let depth = shadow.frames.stack.len();
    let Some(frame) = shadow.frames.stack.pop() else { return ending };
    let Some(func) = frame.call else { return ending };
    if let Some(suspended) = shadow.suspended {
        let goes_on = depth > suspended || ending == CallKind::Replaced;
        if goes_on {
            return ending;
        }
    }
    shadow.cells.cut.current = frame.vocabulary;
    let ending = report(shadow, memory, ending);
    shadow.resume();
    shadow.note_call(func, ending.clone());
    ending
}

/// Tells the director that the innermost call that it knows of is over, and takes over what it says.
fn report<S: AsContextMut>(
    shadow: &mut Shadow,
    memory: &mut Option<FirstMemory<S>>,
    ending: CallKind,
) -> CallKind {
    if shadow.director.is_none() {
        return ending;
    }
    let Some(mut record) = record(shadow, memory, ending.clone()) else { return ending };
    if let Some(director) = &mut shadow.director {
        director.ended(&mut record, &mut shadow.terms);
    }
    if shadow.suspended.is_none() {
        return ending;
    }
    if let Err(refusal) = check(shadow, memory, &record.effects) {
        shadow.refusal = Some(refusal);
        return ending;
    }
    apply(shadow, memory, &record.effects, false);
    for &Fixed { term, value, at } in &record.fixed {
        let Shadow { terms, path, .. } = shadow;
        Recorder { terms, path, at }.concretise(term, value, Concretisation::Unknown);
    }
    match ending {
        CallKind::Returned(results) if results.len() == record.effects.results.len() => {
            CallKind::Returned(record.effects.results)
        }
        ending => ending,
    }
}

/// What the innermost call did.
fn record<S: AsContextMut>(
    shadow: &mut Shadow,
    memory: &mut Option<FirstMemory<S>>,
    ending: CallKind,
) -> Option<FrameRecord> {
    let footprint = shadow.cells.footprints.as_mut()?.end().filter(|footprint| footprint.wanted)?;
    let results = if let CallKind::Returned(results) = &ending { results.clone() } else { Vec::new() };
    let cells_read = footprint.cells_read.iter().map(|read| {
        let term = read.term.map(|(term, place)| window::byte_of(&mut shadow.terms, term, place));
        Byte { address: read.address, value: Datum { bits: read.bits.into(), term } }
    });
    let cells_read = cells_read.collect();
    let has_used = !shadow.is_waiting();
    let (cells_written, cells_before) = footprint.cells_written.all();
    let mut cells = Vec::with_capacity(cells_written.len());
    if let Some(first) = memory {
        let mut linear = first.linear(&mut shadow.cells);
        for &address in &cells_written {
            let (bits, term) = linear.peek(&mut shadow.terms, address);
            cells.push(Byte { address, value: Datum { bits, term } });
        }
    }
    let mut globals = Vec::with_capacity(footprint.globals_written.len());
    for &global in &footprint.globals_written {
        let bits = shadow.cells.footprints.as_ref().map_or(0, |footprints| footprints.global_value(global));
        globals.push((global, Datum { bits, term: shadow.own_global(global) }));
    }
    let globals_read = footprint.globals_read.iter();
    let globals_read = globals_read.map(|&(global, bits, term)| (global, Datum { bits, term })).collect();
    Some(FrameRecord {
        call: footprint.call,
        ending,
        memory_bytes: footprint.memory_bytes,
        began: footprint.events,
        events: shadow.path.events.len(),
        cells_read,
        globals_read,
        effects: Effects { results, cells, globals },
        has_used,
        cells_before,
        beyond: footprint.beyond,
        fixed: Vec::new(),
    })
}

/// Whether cells and globals that a director supplies are the program's, and their terms as wide as they.
fn check<S: AsContextMut>(
    shadow: &mut Shadow,
    memory: &mut Option<FirstMemory<S>>,
    effects: &Effects,
) -> Result<(), Refusal> {
    let size = memory.as_mut().map_or(0, |first| first.linear(&mut shadow.cells).size());
    if effects.cells.iter().any(|cell| cell.address >= size) {
        return Err("a call cannot be made to write outside memory".into());
    }
    let has_width = |value: &Datum, width| value.term.is_none_or(|term| shadow.terms.width_of(term) == width);
    if !effects.cells.iter().all(|cell| has_width(&cell.value, 8)) {
        return Err("a term that is supplied for a byte is not 8 bits wide".into());
    }
    for (global, value) in &effects.globals {
        let width = shadow.global_widths.get(*global as usize).copied().flatten();
        let width =
            width.ok_or_else(|| format!("the program has no mutable number that is global {global}"))?;
        if !has_width(value, width) {
            return Err(format!("a term that is supplied for global {global} has another width"));
        }
    }
    Ok(())
}

/// Gives memory and globals these terms, and these numbers too if they do not have them yet.
fn apply<S: AsContextMut>(
    shadow: &mut Shadow,
    memory: &mut Option<FirstMemory<S>>,
    effects: &Effects,
    numbers: bool,
) {
    if let Some(first) = memory {
        let mut linear = first.linear(&mut shadow.cells);
        for &Byte { address, value } in &effects.cells {
            if numbers {
                linear.write(address, value.bits, 1);
            }
            match value.term {
                Some(term) => {
                    shadow.taint |= CELLS;
                    linear.set_byte(&shadow.terms, address, term);
                }
                None => linear.clear(address, 1),
            }
        }
    }
    for &(global, value) in &effects.globals {
        shadow.set_global(global, value.term);
        if let Some(footprints) = &mut shadow.cells.footprints {
            footprints.write_global(global, value.bits);
        }
        if numbers {
            shadow.new_globals.push((global, value.bits));
        }
    }
}
