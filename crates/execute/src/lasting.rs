//! An instance of a counting module that runs many inputs: after each it is made new again, by ourselves and not by the system, which would
//! take most of the time of a short run.
//!
//! ```text
//! Compiled::lasting ──▶ Lasting ── run, renew, run, renew, … ──▶ Compiled::rest
//! ```
//!
//! What a program can see is the same as in a new instance, so that it does not matter what ran before: the parts of memory that were written
//! get back what was in them (`counting/marks.rs` and the host say which), and so do globals. Memory cannot be made smaller: it has some
//! pages from the beginning that are hidden until it grows, and where that was not enough the instance is given up. Only who accesses what
//! is behind the end of memory may see hidden pages where a new instance would trap; a trial is no proof.

use crate::compiled::{Compiled, Job, begin, host, no_room};
use crate::counting::marks::{MOST_STORED, PART_BITS};
use crate::counting::{COUNTS, Counting, HIDDEN, RENEWED};
use crate::deadline::Deadline;
use crate::ending::Ending;
use crate::sandbox::State;
use crate::{Error, Symbols};
use coax_program::Program;
use std::sync::Arc;
use wasmtime::{Global, Instance, Memory, Store, Val};

const PAGE: u64 = 1 << 16;
/// What a program may take in a run without making its instance useless for the next, in pages.
const HIDDEN_PAGES: u64 = 128;

/// An instance that runs many inputs.
pub(crate) struct Lasting {
    store: Store<State>,
    instance: Instance,
    memory: Memory,
    counts: Memory,
    counting: Arc<Counting>,
    /// The globals that change, with their first values.
    globals: Vec<(Global, Val)>,
    /// What was in memory at first; zeros behind that.
    first: Arc<[u8]>,
    /// The size of the memory, hidden pages included, and what it counts for.
    bytes: usize,
    used: u64,
    /// The parts of memory that are restored, for the next time.
    parts: Vec<usize>,
}

impl Lasting {
    /// A new instance; nothing if its instances cannot be made new again.
    pub(crate) fn new(compiled: &Compiled, job: &Job<'_>) -> Result<Option<Lasting>, Error> {
        let Some((linked, counting)) = compiled.counted() else { return Ok(None) };
        let Some(renewal) = &counting.renewal else { return Ok(None) };
        let counting = Arc::clone(counting);
        let own_memory = counting.memory_pages * PAGE;
        let state = State::new(job.program, job.input, Symbols::NONE, job.limits, own_memory)?;
        let mut store = compiled.store(state, job.limits.fuel)?;
        // There is no end of its time while nothing runs.
        drop(Deadline::set(&mut store, None)?);
        let Ok(instance) = linked.instantiate(&mut store) else { return Ok(None) };
        let memory = instance.get_memory(&mut store, RENEWED);
        let counts = instance.get_memory(&mut store, COUNTS);
        let (Some(memory), Some(counts)) = (memory, counts) else { return Ok(None) };
        let first = Arc::clone(compiled.first.get_or_init(|| first_bytes(job.program, memory.data(&store))));
        let most = job.limits.memory_bytes.saturating_sub(memory.data_size(&store) as u64) / PAGE;
        let hidden = HIDDEN_PAGES.min(most);
        if memory.grow(&mut store, hidden).is_err() {
            return Ok(None);
        }
        let global = instance.get_global(&mut store, HIDDEN).ok_or_else(|| host("a global is missing"))?;
        global.set(&mut store, Val::I32(hidden as i32)).map_err(host)?;
        let mut globals = Vec::new();
        for name in &renewal.globals {
            let global = instance.get_global(&mut store, name).ok_or_else(|| host("a global is missing"))?;
            let value = global.get(&mut store);
            globals.push((global, value));
        }
        let bytes = memory.data_size(&store);
        let used = store.data().usage.memory_used();
        let parts = Vec::new();
        Ok(Some(Lasting { store, instance, memory, counts, counting, globals, first, bytes, used, parts }))
    }

    /// Runs an input; returns how it ended, and the fuel that it took.
    pub(crate) fn run(&mut self, job: &Job<'_>) -> Result<(Ending, u64), Error> {
        let own_memory = self.counting.memory_pages * PAGE;
        let mut state = State::new(job.program, job.input, Symbols::NONE, job.limits, own_memory)?;
        state.usage.has_used(self.used);
        state.world.written = Some(Vec::new());
        *self.store.data_mut() = state;
        self.store.set_fuel(job.limits.fuel).map_err(host)?;
        let deadline = Deadline::set(&mut self.store, job.limits.time)?;
        let result = begin(job, self.instance, &mut self.store);
        drop(deadline);
        let ending = match result {
            Ok(values) => Ending::Returned(values),
            Err(error) => Ending::from_error(&no_room(error)?, &mut self.store),
        };
        let fuel_used = job.limits.fuel - self.store.get_fuel().map_err(host)?;
        Ok((ending, fuel_used))
    }

    /// How often each thing was done that is counted.
    pub(crate) fn counts(&self) -> &[u8] {
        &self.counts.data(&self.store)[..self.counting.len()]
    }

    /// Makes it new again; nothing if that is not possible.
    pub(crate) fn renewed(mut self) -> Option<Lasting> {
        if self.memory.data_size(&self.store) != self.bytes {
            return None;
        }
        let marks = self.counting.renewal.as_ref()?.marks;
        let marks = marks..marks + (self.bytes >> PART_BITS);
        self.parts.clear();
        // Few parts are marked: most are passed over eight at a time.
        let words = self.counts.data(&self.store)[marks.clone()].chunks(8).enumerate();
        for (word, marks) in words.filter(|(_, marks)| **marks != [0; 8]) {
            let marked = marks.iter().enumerate().filter(|(_, mark)| **mark != 0);
            self.parts.extend(marked.map(|(part, _)| word * 8 + part));
        }
        for (address, count) in self.store.data_mut().world.written.take().unwrap_or_default() {
            let (first, end) = (address as usize >> PART_BITS, address as usize + count);
            self.parts.extend(first..end.div_ceil(1 << PART_BITS));
        }
        let memory = self.memory.data_mut(&mut self.store);
        for &part in &self.parts {
            let begin = part << PART_BITS;
            let end = (begin + (1 << PART_BITS) + MOST_STORED).min(memory.len());
            let known = end.min(self.first.len()).max(begin.min(end));
            if begin < known {
                memory[begin..known].copy_from_slice(&self.first[begin..known]);
            }
            memory[known..end].fill(0);
        }
        let counts = self.counts.data_mut(&mut self.store);
        counts[..self.counting.len()].fill(0);
        counts[marks].fill(0);
        for (global, value) in &self.globals {
            global.set(&mut self.store, *value).ok()?;
        }
        Some(self)
    }
}

/// What is in memory at first, up to where nothing but zeros is: a memory may begin with a gigabyte.
fn first_bytes(program: &Program, memory: &[u8]) -> Arc<[u8]> {
    let end = |(at, bytes): &(u64, &[u8])| at.saturating_add(bytes.len() as u64);
    let data = program.first_data().map(|data| data.iter().map(end).max().unwrap_or(0));
    let end = data.and_then(|end| usize::try_from(end).ok()).unwrap_or(memory.len());
    memory[..end.min(memory.len())].into()
}
