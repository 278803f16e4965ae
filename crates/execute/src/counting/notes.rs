//! What is noted while a program runs: that a function is entered, which way each choice goes, and that calls returned that may not return. The
//! counting and the checking module share it.

use coax_program::entity::Id;
use coax_program::ir::Terminator;
use coax_program::{Defined, Func, Program, Site, SiteKind};
use wasm_encoder::{Function, Instruction, MemArg};
use wasmparser::Operator;

/// What a byte of the counts means.
#[derive(Clone, Copy)]
pub(crate) enum Slot {
    Entered(Func),
    Taken(Site, u32),
}

/// Where the counts are, and the locals that are ours.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The memory.
    pub(crate) memory: u32,
    /// The address of the first count.
    pub(crate) begin: u64,
    /// A local for a condition; the next is for what is counted.
    pub(crate) locals: u32,
}

/// Writes notes into function bodies, which come in the order of the module: then every module has the same counts in the same places.
pub(crate) struct Notes<'p> {
    program: &'p Program,
    /// What the counts mean so far.
    pub(crate) slots: Vec<Slot>,
    /// The calls of which is noted that they returned: behind all counts, a byte for each.
    returns: Vec<Site>,
    first_return: usize,
    /// The function that is being written, and its next site.
    func: Func,
    next: usize,
    /// What is noted behind the operator that is being written.
    pending: Option<usize>,
}

/// How many counts a program needs; what declares them comes before the code that uses them.
pub(crate) fn count(program: &Program) -> usize {
    let of_function = |defined: &Defined| {
        let sites = (defined.sites.start.index()..defined.sites.end.index()).map(Site::new);
        let choices = sites.map(|site| match program.sites[site].kind {
            SiteKind::Branch | SiteKind::Select => 2,
            SiteKind::Switch(_) | SiteKind::Call | SiteKind::Trap => 0,
        });
        let cases = defined.body.blocks.values().map(|block| match &block.end {
            Terminator::Switch { cases, .. } => cases.len() + 1,
            _ => 0,
        });
        1 + choices.sum::<usize>() + cases.sum::<usize>()
    };
    program.functions.values().filter_map(|function| function.defined()).map(of_function).sum()
}

impl<'p> Notes<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let returns = program.ends().sites().collect();
        let first_return = count(program);
        Notes { program, slots: Vec::new(), returns, first_return, func: Func(0), next: 0, pending: None }
    }

    /// How many bytes all notes take: the counts, then those for calls that returned.
    pub(crate) fn len(&self) -> usize {
        self.first_return + self.returns.len()
    }

    /// The calls that the bytes behind the counts are for.
    pub(crate) fn returns(self) -> (Vec<Slot>, Vec<Site>) {
        (self.slots, self.returns)
    }

    /// Notes that this function is entered: the next body is its.
    pub(crate) fn enter(&mut self, func: Func, place: Place, code: &mut Function) {
        self.func = func;
        self.next = self.program.functions[func].defined().map_or(0, |defined| defined.sites.start.index());
        place.note(code, &[Instruction::I32Const(0)], self.slots.len());
        self.slots.push(Slot::Entered(func));
    }

    /// Notes the direction that an operator is about to take, if it has a choice; its condition is on the stack.
    pub(crate) fn before(
        &mut self,
        operator: &Operator<'_>,
        offset: usize,
        place: Place,
        code: &mut Function,
    ) {
        let program = self.program;
        let Some(defined) = program.functions[self.func].defined() else { return };
        let site = Site::new(self.next);
        if self.next >= defined.sites.end.index() || program.sites[site].offset as usize != offset {
            return;
        }
        self.next += 1;
        let slot = self.slots.len();
        let condition = Instruction::LocalGet(place.locals);
        match program.sites[site].kind {
            SiteKind::Branch | SiteKind::Select => {
                code.instruction(&Instruction::LocalSet(place.locals));
                place.note(code, &[condition.clone(), Instruction::I32Const(0), Instruction::I32Ne], slot);
                code.instruction(&condition);
                self.slots.extend([Slot::Taken(site, 0), Slot::Taken(site, 1)]);
            }
            SiteKind::Switch(_) => {
                let cases = switch_cases(operator, defined, offset as u32);
                // The default is the last case: the smaller of the index and its number.
                let default = Instruction::I32Const(cases.len() as i32 - 1);
                code.instruction(&Instruction::LocalSet(place.locals));
                let smaller = [
                    condition.clone(),
                    default.clone(),
                    condition.clone(),
                    default,
                    Instruction::I32LtU,
                    Instruction::Select,
                ];
                place.note(code, &smaller, slot);
                code.instruction(&condition);
                self.slots.extend(cases.iter().map(|&direction| Slot::Taken(site, direction)));
            }
            SiteKind::Call => {
                let number = self.returns.binary_search(&site).ok();
                self.pending = number.map(|number| self.first_return + number);
            }
            SiteKind::Trap => {}
        }
    }

    /// Notes that the operator was a call that returned.
    pub(crate) fn after(&mut self, place: Place, code: &mut Function) {
        if let Some(slot) = self.pending.take() {
            place.mark(code, slot);
        }
    }
}

/// The direction of each index of a `br_table`, then that of its default.
fn switch_cases(operator: &Operator<'_>, defined: &Defined, offset: u32) -> Vec<u32> {
    if !matches!(operator, Operator::BrTable { .. }) {
        return Vec::new();
    }
    match defined.body.block_ending_at(offset).map(|block| &block.end) {
        Some(Terminator::Switch { cases, default, .. }) => cases.iter().chain([default]).copied().collect(),
        _ => Vec::new(),
    }
}

impl Place {
    /// How many locals of type `i32` it needs.
    pub(crate) const LOCALS: u32 = 2;

    /// Sets the byte of a slot.
    fn mark(self, code: &mut Function, slot: usize) {
        let at = MemArg { offset: self.begin + slot as u64, align: 0, memory_index: self.memory };
        for instruction in [Instruction::I32Const(0), Instruction::I32Const(1), Instruction::I32Store8(at)] {
            code.instruction(&instruction);
        }
    }

    /// Counts up the slot that is `index` (instructions that push it) after this one.
    fn note(self, code: &mut Function, index: &[Instruction<'_>], slot: usize) {
        let at = MemArg { offset: self.begin + slot as u64, align: 0, memory_index: self.memory };
        let local = self.locals + 1;
        let count = [Instruction::LocalTee(local), Instruction::LocalGet(local), Instruction::I32Load8U(at)];
        // 255 is followed by 128: what was counted is never 0 again.
        let next = [
            Instruction::LocalTee(local),
            Instruction::I32Const(1),
            Instruction::I32Add,
            Instruction::LocalGet(local),
            Instruction::I32Const(0x80),
            Instruction::I32And,
            Instruction::I32Or,
            Instruction::I32Store8(at),
        ];
        for instruction in index.iter().chain(&count).chain(&next) {
            code.instruction(instruction);
        }
    }
}
