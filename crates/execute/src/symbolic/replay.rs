//! Replays segments: numbers and terms at once, as the program computes or is about to compute them.

use super::accesses::{LookedUp, SymbolicAccess, Transition};
use super::calling::Refusal;
use super::calls::Datum;
use super::cells::{Cells, Linear};
use super::joining::SomePlace;
use super::mixed::{Mixed, Mixing};
use super::shadow::{Shadow, TransferKind};
use crate::TrapKind;
use crate::instrument::segment::{Boundary, CELLS, Replay, SKIP, Segment, Shadow as Place, Slot, Step};
use crate::instrument::{Joined, Plan};
use crate::path::Concretisation;
use crate::semantics::events::Recorder;
use crate::semantics::memory::{self, Access};
use crate::semantics::{self, window};
use coax_program::Func;
use coax_term::{Algebra, Term};
use wasmtime::AsContextMut;

/// Whether a replay goes on.
enum Flow {
    On,
    /// Control leaves the segment, or the program is about to trap.
    Stop,
}

/// The replay of what a boundary asks for.
pub(super) struct Player<'a, S> {
    pub(super) shadow: &'a mut Shadow,
    pub(super) plan: &'a Plan,
    pub(super) linear: Option<FirstMemory<S>>,
    /// The frame, if it has or had terms.
    pub(super) frame: usize,
    /// The function, if calls are noted.
    pub(super) call: Option<u32>,
    /// Whether every access is looked at.
    pub(super) sees_cells: bool,
    /// The function, if its ways are joined, with the code of all such functions.
    pub(super) joined: Option<(Func, &'a Joined)>,
}

/// The store and handles of the first memory and its flags.
pub(super) struct FirstMemory<S> {
    pub(super) store: S,
    pub(super) memory: wasmtime::Memory,
    pub(super) flags: wasmtime::Memory,
}

impl<S: AsContextMut> FirstMemory<S> {
    pub(super) fn linear<'a>(&'a mut self, cells: &'a mut Cells) -> Linear<'a, impl AsContextMut> {
        let store = self.store.as_context_mut();
        Linear { store, memory: self.memory, flags: self.flags, cells }
    }
}

impl<S: AsContextMut> Player<'_, S> {
    /// Does what a boundary is there for; returns the frame's new `sym`.
    pub(super) fn boundary(&mut self, number: usize, values: &[u64]) -> Result<u64, Refusal> {
        let plan = self.plan;
        let boundary: &Boundary = &plan.boundaries[number];
        if number > 0 && self.shadow.cells.cut.used {
            let vocabulary = self.frame_mut().map_or(0, |frame| frame.vocabulary);
            self.shadow.cells.cut.current = vocabulary;
        }
        if let Some(slots) = &boundary.receive {
            // A function starts with its first boundary; the others are after calls.
            if number > 0 {
                self.receive(slots, false);
            } else if !self.enter(slots, boundary, values)? {
                return Ok(SKIP);
            }
        }
        if let Some(after) = &boundary.after {
            let done = self.frame_mut().and_then(|frame| frame.done.take());
            if done != Some(after.segment) {
                self.replay(after, values);
            }
        }
        if let Some(frame) = self.frame_mut() {
            frame.done = None;
        }
        if boundary.needs_frame && self.frame == 0 {
            self.frame = self.shadow.frames.push(self.plan.slots);
        }
        let mut forced = 0;
        if let Some(ahead) = &boundary.ahead {
            let plan = self.plan;
            let segment = &plan.segments[ahead.segment as usize];
            if self.concerns(segment) {
                self.replay(ahead, values);
                if segment.touches_memory && self.frame == 0 {
                    self.frame = self.shadow.frames.push(self.plan.slots);
                }
                if let Some(frame) = self.frame_mut().filter(|_| segment.touches_memory) {
                    frame.done = Some(ahead.segment);
                    // The segment must come here again before it runs again, or `done` would be wrong.
                    forced = segment.mask;
                }
            }
        }
        let mask = self.shadow.frames.mask(self.frame) | forced;
        Ok(((self.frame as u64) << 32) | u64::from(mask))
    }

    pub(super) fn frame_mut(&mut self) -> Option<&mut super::shadow::Frame> {
        self.frame.checked_sub(1).and_then(|index| self.shadow.frames.stack.get_mut(index))
    }

    /// Whether anything that the segment reads or sets has a term, or the frame ends in it.
    fn concerns(&self, segment: &Segment) -> bool {
        let slot = |slot: Slot| self.shadow.frames.term(self.frame, slot).is_some();
        let input = |shadow: Place| match shadow {
            Place::Never => false,
            Place::Slot(number) => slot(number),
            Place::Global(global) => self.shadow.is_symbolic(global),
        };
        let is_seen = self.sees_cells && (segment.touches_memory || segment.uses_globals);
        is_seen
            || segment.inputs.iter().any(|i| input(i.shadow))
            || segment.steps.iter().any(|step| match step {
                Step::Set { slot: number, .. } => slot(*number),
                Step::SetGlobal { global, .. } => self.shadow.is_symbolic(*global),
                Step::Return { .. } | Step::TailCall { .. } => true,
                _ => false,
            })
    }

    fn replay(&mut self, replay: &Replay, values: &[u64]) {
        let plan = self.plan;
        let segment = &plan.segments[replay.segment as usize];
        self.shadow.registers.clear();
        self.shadow.registers.resize(usize::from(segment.registers), Mixed::number(1, 0));
        for (input, &value) in segment.inputs.iter().zip(&replay.values) {
            let bits = values[usize::from(value)];
            let term = match input.shadow {
                Place::Never => None,
                Place::Slot(slot) => self.shadow.frames.term(self.frame, slot),
                Place::Global(global) => self.read_global(global, bits),
            };
            self.shadow.registers[usize::from(input.to)] = Mixed::new(input.width, bits, term);
        }
        for step in &segment.steps {
            if self.shadow.is_waiting() && self.uses_term(step) {
                self.shadow.go_blind();
            }
            if let Flow::Stop = self.step(step) {
                break;
            }
        }
    }

    fn read_global(&mut self, global: u32, bits: u64) -> Option<Term> {
        if let Some(footprints) = &mut self.shadow.cells.footprints {
            // As it came in: not in the words of a call that is cut.
            let term = self.shadow.globals.get(global as usize).copied().flatten().map(|(term, _)| term);
            footprints.read_global(global, bits, term);
        }
        self.shadow.own_global(global).filter(|_| !self.shadow.is_blind())
    }

    /// Whether a step makes something of a term. To hand it on is no use.
    fn uses_term(&self, step: &Step) -> bool {
        let registers: &[u16] = match step {
            Step::Scalar { args, .. } => args,
            Step::Select { condition, then, otherwise, .. } => &[*condition, *then, *otherwise],
            Step::Choose { condition, .. } | Step::Branch { condition, .. } => &[*condition],
            Step::Load { address, .. } | Step::Store { address, .. } | Step::VectorStore { address, .. } => {
                &[*address]
            }
            Step::Switch { index, .. } => &[*index],
            Step::Concretise { value, .. } | Step::Fill { value } => &[*value],
            Step::Range { start, length, .. } => &[*start, *length],
            Step::Index { index, .. } => &[*index],
            Step::VectorLoad { .. } | Step::OtherMemory { .. } | Step::FillOther { .. } => return true,
            Step::Constant { .. }
            | Step::Set { .. }
            | Step::SetGlobal { .. }
            | Step::Beyond(_)
            | Step::Call { .. }
            | Step::TailCall { .. }
            | Step::Return { .. } => &[],
        };
        registers.iter().any(|&register| self.reg(register).term().is_some())
    }

    fn reg(&self, register: u16) -> Mixed {
        self.shadow.registers[usize::from(register)]
    }

    fn recorder(&mut self, at: u32) -> Recorder<'_> {
        Recorder { terms: &mut self.shadow.terms, path: &mut self.shadow.path, at }
    }

    pub(super) fn set(&mut self, slot: Slot, term: Option<Term>) {
        self.frame = self.shadow.frames.set(self.frame, slot, self.plan.slots, term);
    }

    fn step(&mut self, step: &Step) -> Flow {
        match *step {
            Step::Constant { to, width, bits } => {
                self.shadow.registers[usize::from(to)] = Mixed::number(width, bits);
            }
            Step::Scalar { scalar, args, to, at } => {
                let operands = [self.reg(args[0]), self.reg(args[1])];
                if scalar.can_trap() {
                    let traps = scalar.traps(&mut Mixing(&mut self.shadow.terms), &operands);
                    for (condition, kind) in traps.iter() {
                        if self.trap_if(condition, kind, at) {
                            return Flow::Stop;
                        }
                    }
                }
                let result = scalar.result(&mut Mixing(&mut self.shadow.terms), &operands);
                self.shadow.registers[usize::from(to)] = result;
            }
            Step::Select { condition, then, otherwise, to, at } => {
                let [condition, then, otherwise] =
                    [condition, then, otherwise].map(|register| self.reg(register));
                let mut mixing = Mixing(&mut self.shadow.terms);
                let truth = semantics::truth(&mut mixing, condition);
                if let Some(term) = truth.term() {
                    self.recorder(at).select(term, truth.bits as u32);
                }
                let result = Mixing(&mut self.shadow.terms).ite(truth, then, otherwise);
                self.shadow.registers[usize::from(to)] = result;
            }
            Step::Choose { condition, reason, at } => {
                let truth = semantics::truth(
                    &mut Mixing(&mut self.shadow.terms),
                    self.shadow.registers[usize::from(condition)],
                );
                self.concretise(truth, reason, at);
            }
            Step::Load { access, address, to, at } => return self.load(access, address, to, at),
            Step::Store { access, address, value, at } => return self.store(access, address, value, at),
            Step::VectorLoad { access, address, at } => return self.vector_load(access, address, at),
            Step::VectorStore { access, address, at } => {
                let Some(address) = self.vector_address(access, address, at) else { return Flow::Stop };
                self.linear().clear(address, u64::from(access.bytes));
            }
            Step::OtherMemory { access, address, value, size, at } => {
                let (address, size) = (self.reg(address), self.reg(size).bits);
                let Some(effective) = self.effective(access, address, size, at) else { return Flow::Stop };
                self.concretise(effective, Concretisation::Address, at);
                if let Some(value) = value {
                    let value = self.reg(value);
                    let bits = access.stored(&mut Mixing(&mut self.shadow.terms), value);
                    self.concretise(bits, Concretisation::OtherMemory, at);
                }
            }
            Step::Set { slot, from } => {
                let term = from.and_then(|register| self.reg(register).term());
                self.set(slot, term);
            }
            Step::SetGlobal { global, from } => {
                let value = self.reg(from);
                self.shadow.set_global(global, value.term());
                if value.term().is_some() && value.width() == 32 {
                    let nothing = Mixed::new(64, 0, None);
                    self.note(value, nothing, u32::MAX, Some(global));
                }
                if let Some(footprints) = &mut self.shadow.cells.footprints {
                    footprints.write_global(global, value.bits);
                }
            }
            Step::Branch { condition, leaves_if, at } => {
                let condition = self.reg(condition);
                let direction = u32::from(condition.bits != 0);
                if condition.term().is_some() {
                    let holds =
                        semantics::choice::branch(&mut Mixing(&mut self.shadow.terms), condition, direction);
                    if let Some(term) = holds.term() {
                        self.recorder(at).branch(term, direction);
                    }
                }
                if (condition.bits != 0) == leaves_if {
                    return Flow::Stop;
                }
            }
            Step::Switch { index, ref directions, at } => {
                let index = self.reg(index);
                if index.term().is_some() {
                    let (default, cases) = directions.split_last().expect("there is a default");
                    let direction = cases.get(index.bits as usize).unwrap_or(default);
                    let mut mixing = Mixing(&mut self.shadow.terms);
                    let holds = semantics::switch(&mut mixing, index, cases, *default, *direction);
                    if let Some(term) = holds.term() {
                        self.recorder(at).branch(term, *direction);
                    }
                }
            }
            Step::Concretise { value, reason, at } => self.concretise(self.reg(value), reason, at),
            Step::Range { start, length, size, kind, at } => {
                let [start, length, size] = [start, length, size].map(|register| self.reg(register));
                let mut mixing = Mixing(&mut self.shadow.terms);
                let fits = memory::range_in_bounds(&mut mixing, start, length, size.bits);
                let outside = mixing.not(fits);
                if self.trap_if(outside, kind, at) {
                    return Flow::Stop;
                }
                if kind == TrapKind::MemoryOutOfBounds {
                    self.note_access(start, length, at);
                }
            }
            Step::Index { index, size, at } => {
                let (index, size) = (self.reg(index), self.reg(size).bits);
                let mut mixing = Mixing(&mut self.shadow.terms);
                let fits = memory::in_bounds(&mut mixing, index, 0, 1, size);
                let outside = mixing.not(fits);
                if self.trap_if(outside, TrapKind::TableOutOfBounds, at) {
                    return Flow::Stop;
                }
                self.concretise(index, Concretisation::Table, at);
            }
            Step::Fill { value } => {
                let byte =
                    Mixing(&mut self.shadow.terms).extract(self.shadow.registers[usize::from(value)], 0, 8);
                self.shadow.fill = byte.term();
                if byte.term().is_some() {
                    self.shadow.taint |= CELLS;
                }
            }
            Step::FillOther { value, length, at } => {
                if self.reg(length).bits != 0 {
                    let value = self.reg(value);
                    let byte = Mixing(&mut self.shadow.terms).extract(value, 0, 8);
                    self.concretise(byte, Concretisation::OtherMemory, at);
                }
            }
            Step::Beyond(beyond) => self.shadow.cells.beyond(beyond),
            Step::Call { ref args } => self.send(TransferKind::Arguments, args),
            Step::TailCall { ref args } => {
                self.send(TransferKind::Arguments, args);
                self.replace();
            }
            Step::Return { ref results } => {
                let results = self.data(results);
                self.return_results(results);
            }
        }
        Flow::On
    }

    fn send(&mut self, kind: TransferKind, registers: &[Option<u16>]) {
        let values = self.data(registers);
        self.shadow.send(kind, &values);
    }

    fn data(&self, registers: &[Option<u16>]) -> Vec<Option<Datum>> {
        registers.iter().map(|register| register.map(|register| self.reg(register).into())).collect()
    }

    /// Records a condition to trap; whether it holds.
    fn trap_if(&mut self, condition: Mixed, kind: TrapKind, at: u32) -> bool {
        let trapped = condition.bits != 0;
        if let Some(term) = condition.term() {
            self.recorder(at).trap(term, kind, trapped);
        }
        trapped
    }

    fn concretise(&mut self, value: Mixed, reason: Concretisation, at: u32) {
        if let Some(term) = value.term() {
            self.recorder(at).concretise(term, value.bits, reason);
        }
    }

    // Memory.

    fn linear(&mut self) -> Linear<'_, impl AsContextMut> {
        let first = self.linear.as_mut().expect("code with loads has a memory");
        first.linear(&mut self.shadow.cells)
    }

    /// The effective address of an access to a memory of so many bytes; none if it traps.
    fn effective(&mut self, access: Access, address: Mixed, size: u64, at: u32) -> Option<Mixed> {
        let mut mixing = Mixing(&mut self.shadow.terms);
        let fits = access.in_bounds(&mut mixing, address, size);
        let outside = mixing.not(fits);
        if self.trap_if(outside, TrapKind::MemoryOutOfBounds, at) {
            return None;
        }
        let effective = access.effective(&mut Mixing(&mut self.shadow.terms), address);
        self.note_access(effective, Mixed::new(64, access.bytes.into(), None), at);
        Some(effective)
    }

    /// Notes an access of so many bytes, if it depends on the input.
    fn note_access(&mut self, address: Mixed, bytes: Mixed, at: u32) {
        if address.term().is_some() || bytes.term().is_some() {
            self.note(address, bytes, at, None);
        }
    }

    fn note(&mut self, address: Mixed, bytes: Mixed, at: u32, global: Option<u32>) {
        if !self.shadow.accesses.wants(at) {
            return;
        }
        let mut mixing = Mixing(&mut self.shadow.terms);
        let wide = [address, bytes].map(|number| memory::to_64(&mut mixing, number));
        let [first, bytes] = wide.map(|number| mixing.term(number));
        let (first, bytes) = (self.uncut(first), self.uncut(bytes));
        let events = self.shadow.path.events.len();
        let access = SymbolicAccess { at, events, address: (first, address.bits), bytes, global };
        self.shadow.accesses.push(access);
    }

    /// A call that was carried out has read at a place that depends on the input, and took it as it is.
    pub(super) fn read_there(&mut self, SomePlace { access, address, at }: SomePlace) {
        let size = self.linear().size();
        if let Some(effective) = self.effective(access, address, size, at) {
            self.concretise(effective, Concretisation::Address, at);
        }
    }

    fn load(&mut self, access: Access, address: u16, to: u16, at: u32) -> Flow {
        let address = self.reg(address);
        let size = self.linear().size();
        let Some(effective) = self.effective(access, address, size, at) else { return Flow::Stop };
        let bytes = access.bytes;
        let mut found = None;
        if let Some(term) = effective.term() {
            let whole = self.uncut(term);
            found = self.with_linear(|linear, terms| {
                let places = window::places(terms, linear, whole, bytes, window::READS)?;
                let read = window::read(terms, linear, term, &places, bytes);
                Some((read, window::outermost_symbols(terms, linear, &places, bytes)))
            });
            if let Some((_, symbols)) = &found {
                let Shadow { accesses, terms, path, .. } = &mut *self.shadow;
                let events = path.events.len();
                for (symbol, beyond) in symbols.iter().copied() {
                    accesses.may_have_read(LookedUp { at, events, symbol, beyond });
                }
                accesses.note_transition(terms, whole, Transition { at, events, address: effective.bits });
            } else {
                self.concretise(effective, Concretisation::Address, at);
            }
        }
        let mut linear = self.linear();
        linear.note_read(effective.bits, bytes.into());
        let bits = linear.number(effective.bits, bytes);
        drop(linear);
        let term = match found {
            Some((term, _)) => Some(term).filter(|&term| self.shadow.terms.as_constant(term).is_none()),
            None => self.loaded_term(effective.bits, bytes),
        };
        let loaded = Mixed::new(8 * bytes, bits, term);
        let value = access.loaded(&mut Mixing(&mut self.shadow.terms), loaded);
        self.shadow.registers[usize::from(to)] = value;
        Flow::On
    }

    /// The term of bytes that are loaded.
    fn loaded_term(&mut self, address: u64, count: u8) -> Option<Term> {
        match self.shadow.is_blind() {
            true => None,
            false => self.with_linear(|linear, terms| linear.term(terms, address, count)),
        }
    }

    /// The term without the symbols of calls that are cut.
    fn uncut(&mut self, term: Term) -> Term {
        self.shadow.cells.cut.uncut(&mut self.shadow.terms, term)
    }

    fn store(&mut self, access: Access, address: u16, value: u16, at: u32) -> Flow {
        let (address, value) = (self.reg(address), self.reg(value));
        let size = self.linear().size();
        let Some(effective) = self.effective(access, address, size, at) else { return Flow::Stop };
        let bytes = access.bytes;
        let bits = access.stored(&mut Mixing(&mut self.shadow.terms), value);
        let mut written = None;
        if let Some(address) = effective.term() {
            let new = Mixing(&mut self.shadow.terms).term(bits);
            let whole = self.uncut(address);
            written = self.with_linear(|linear, terms| {
                let places = window::places(terms, linear, whole, bytes, window::WRITES)?;
                Some(window::write(terms, linear, address, &places, new, bytes))
            });
            if written.is_none() {
                self.concretise(effective, Concretisation::Address, at);
            }
        }
        match (written, bits.term()) {
            (Some(changes), _) => {
                self.shadow.taint |= CELLS;
                self.with_linear(|linear, terms| {
                    changes.into_iter().for_each(|(address, byte)| linear.set_byte(terms, address, byte));
                });
            }
            (None, Some(term)) => {
                self.shadow.taint |= CELLS;
                self.linear().set_term(effective.bits, term, bytes);
            }
            (None, None) => self.linear().clear(effective.bits, u64::from(bytes)),
        }
        // What follows in the segment may load it; the program stores the same.
        self.linear().write(effective.bits, bits.bits, bytes);
        Flow::On
    }

    fn vector_address(&mut self, access: Access, address: u16, at: u32) -> Option<u64> {
        let address = self.reg(address);
        let size = self.linear().size();
        let effective = self.effective(access, address, size, at)?;
        self.concretise(effective, Concretisation::Address, at);
        Some(effective.bits)
    }

    fn vector_load(&mut self, access: Access, address: u16, at: u32) -> Flow {
        let Some(address) = self.vector_address(access, address, at) else { return Flow::Stop };
        for start in (0..access.bytes).step_by(8) {
            let (start, count) = (address + u64::from(start), (access.bytes - start).min(8));
            self.linear().note_read(start, count.into());
            let bits = self.linear().number(start, count);
            let term = self.loaded_term(start, count);
            self.concretise(Mixed::new(8 * count, bits, term), Concretisation::Simd, at);
        }
        Flow::On
    }

    /// Memory and terms at once.
    fn with_linear<T>(
        &mut self,
        work: impl FnOnce(&mut Linear<'_, wasmtime::StoreContextMut<'_, S::Data>>, &mut coax_term::Terms) -> T,
    ) -> T {
        let FirstMemory { store, memory, flags } =
            self.linear.as_mut().expect("code with loads has a memory");
        let (store, cells) = (store.as_context_mut(), &mut self.shadow.cells);
        let mut linear = Linear { store, memory: *memory, flags: *flags, cells };
        work(&mut linear, &mut self.shadow.terms)
    }
}
