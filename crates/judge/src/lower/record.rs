//! Notes which way the SSA goes, to judge how coverage counts directions in the wasm itself.

use coax_execute::lower::Notes;
use coax_program::entity::Id as _;
use coax_program::{Func, Program, Site};
use wasm_encoder::{Instruction, MemArg, MemoryType};

/// What the bytes of the notes mean: the directions of all sites in order, then the functions.
pub struct Layout {
    /// Where the directions of each site begin.
    starts: Vec<u64>,
    functions: u64,
    size: u64,
}

impl Layout {
    /// The name under which the notes are exported.
    pub const MEMORY: &'static str = "coax:directions";

    /// The layout for a program.
    pub fn new(program: &Program) -> Self {
        let mut next = 0;
        let starts = program.sites.values().map(|site| {
            let start = next;
            next += u64::from(site.kind.directions());
            start
        });
        let starts = starts.collect();
        Layout { starts, functions: next, size: next + program.functions.len() as u64 }
    }

    /// The place of the first direction of a site.
    pub fn site(&self, site: Site) -> u64 {
        self.starts[site.index()]
    }

    /// The place of a function: whether it was entered.
    pub fn function(&self, func: Func) -> u64 {
        self.functions + func.index() as u64
    }
}

/// Makes the instructions that take notes.
#[derive(Clone, Copy)]
pub(super) struct Recorder<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: &'a Layout,
}

impl Recorder<'_> {
    /// The memory comes last, so that no other index changes.
    pub(super) fn memory_index(&self) -> u32 {
        self.program.memories.len() as u32
    }

    pub(super) fn memory_type(&self) -> MemoryType {
        let minimum = self.layout.size.div_ceil(1 << 16).max(1);
        MemoryType { minimum, maximum: Some(minimum), memory64: false, shared: false, page_size_log2: None }
    }

    /// The note itself; what to add to the place is on the stack.
    fn note(&self, place: u64) -> [Instruction<'static>; 2] {
        let place = MemArg { offset: place, align: 0, memory_index: self.memory_index() };
        [Instruction::I32Const(1), Instruction::I32Store8(place)]
    }
}

impl Notes for Recorder<'_> {
    fn entered(&self, func: Func) -> Vec<Instruction<'static>> {
        let note = self.note(self.layout.function(func));
        [Instruction::I32Const(0)].into_iter().chain(note).collect()
    }

    fn directed(&self, offset: u32) -> Option<Vec<Instruction<'static>>> {
        let place = self.program.site_at(offset).map(|site| self.layout.site(site))?;
        Some(self.note(place).into())
    }
}
