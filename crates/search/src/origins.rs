//! What the values of a function are made from, as far as proofs rest on it: the stack, blocks of the allocator, variables of the function's own.
//!
//! A proof holds for the memory that these runs had. It may not for another, where a number is made from an address, a block is read before it is written, or
//! a function of a library goes on from a state that it keeps. All of that is seen in SSA, function by function: what goes through memory is not followed.

use coax_execute::semantics::memory::Access;
use coax_program::cfg::Cfg;
use coax_program::entity::Id;
use coax_program::ir::{Block, Body, Def, InstData, Op, Terminator, Value};
use std::collections::BTreeSet;

/// What is done first with memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    /// By the function, or perhaps by somebody else who is told where it is.
    Written,
}

/// The values that are made from some others.
pub(crate) struct Origins<'b> {
    body: &'b Body,
    from: BTreeSet<Value>,
}

impl<'b> Origins<'b> {
    /// Those of a function that are results of such instructions, or are made from these by such operators.
    pub(crate) fn of(
        body: &'b Body,
        is_origin: &dyn Fn(&InstData) -> bool,
        passes_on: &dyn Fn(&Op) -> bool,
    ) -> Origins<'b> {
        let mut origins = Origins { body, from: BTreeSet::new() };
        loop {
            let before = origins.from.len();
            for inst in body.insts.values() {
                let is_made = || passes_on(&inst.op) && origins.any(body.list(inst.args));
                if is_origin(inst) || is_made() {
                    origins.from.extend(body.list(inst.results));
                }
            }
            for block in body.blocks.values() {
                for edge in block.end.edges() {
                    let pairs = body.list(edge.args).iter().zip(body.list(body.blocks[edge.to].params));
                    let made: Vec<Value> =
                        pairs.filter(|(arg, _)| origins.has(**arg)).map(|(_, to)| *to).collect();
                    origins.from.extend(made);
                }
            }
            if origins.from.len() == before {
                return origins;
            }
        }
    }

    fn has(&self, value: Value) -> bool {
        self.from.contains(&value)
    }

    fn any(&self, values: &[Value]) -> bool {
        values.iter().any(|value| self.has(*value))
    }

    /// Whether the function returns one of them.
    pub(crate) fn are_returned(&self) -> bool {
        let returns = |end: &Terminator| match end {
            Terminator::Return(values) => self.any(self.body.list(*values)),
            _ => false,
        };
        self.body.blocks.values().any(|block| returns(&block.end))
    }

    /// Whether one of them is read through.
    pub(crate) fn are_read_through(&self) -> bool {
        let is_load = |op: &Op| Access::of(op).is_some_and(|access| !access.store);
        let mut loads = self.body.insts.values().filter(|inst| is_load(&inst.op));
        loads.any(|inst| self.any(self.body.list(inst.args)))
    }

    /// Whether something is read through one of them where nothing was written through any on some way there, nor somebody else was told of one.
    pub(crate) fn are_read_before_written(&self) -> bool {
        if self.from.is_empty() {
            return false;
        }
        let cycles = Cycles::of(self);
        let mut unwritten: BTreeSet<Block> = BTreeSet::from([Body::ENTRY]);
        let mut waiting = vec![Body::ENTRY];
        while let Some(block) = waiting.pop() {
            match self.first_use(block) {
                Some(Use::Read) => return true,
                Some(Use::Written) => {}
                None => {
                    let all: Vec<Block> = self.body.blocks[block].end.successors().collect();
                    let goes_on = |to: &Block| !unwritten.contains(to) && !cycles.leaves_writing(block, *to);
                    let next: Vec<Block> = all.into_iter().filter(goes_on).collect();
                    unwritten.extend(&next);
                    waiting.extend(next);
                }
            }
        }
        false
    }

    /// What a block does first with what they lead to.
    fn first_use(&self, block: Block) -> Option<Use> {
        let insts = self.body.blocks[block].insts().map(|inst| &self.body.insts[inst]);
        let uses = insts.filter(|inst| self.any(self.body.list(inst.args)));
        let mut uses = uses.filter_map(|inst| match Access::of(&inst.op) {
            Some(access) if !access.store => Some(Use::Read),
            // An address that is stored is known to others, too.
            Some(_) => Some(Use::Written),
            None => is_telling(&inst.op).then_some(Use::Written),
        });
        uses.next()
    }

    /// Whether a number is made from an address: it is compared with one that is not zero, or its bits are looked at.
    pub(crate) fn are_numbers(&self) -> bool {
        self.body.insts.values().any(|inst| {
            let args = self.body.list(inst.args);
            match &inst.op {
                op if is_of_bits(op) => self.any(args),
                op if is_comparison(op) => match args {
                    [a, b] => {
                        self.has(*a) && !self.has(*b) && self.is_number(*b)
                            || self.has(*b) && !self.has(*a) && self.is_number(*a)
                    }
                    _ => false,
                },
                _ => false,
            }
        })
    }

    /// Whether a value is a constant other than null.
    fn is_number(&self, value: Value) -> bool {
        let Def::Result(inst, _) = self.body.values[value].def else { return false };
        match self.body.insts[inst].op {
            Op::I32Const { value } => value != 0,
            Op::I64Const { value } => value != 0,
            _ => false,
        }
    }
}

/// The cycles of a function, and which of them write through such values.
struct Cycles {
    /// For each block that is on a cycle, the first of all that are on cycles with it.
    first: Vec<Option<Block>>,
    writing: BTreeSet<Block>,
}

impl Cycles {
    fn of(origins: &Origins<'_>) -> Cycles {
        let first = Cfg::of(origins.body).cycles();
        let writes = |block: &Block| origins.first_use(*block) == Some(Use::Written);
        let on_cycles = origins.body.blocks.ids().filter(|block| first[block.index()].is_some());
        let writing = on_cycles.filter(writes).filter_map(|block| first[block.index()]).collect();
        Cycles { first, writing }
    }

    /// Whether a way leaves a loop in which something is written: `for` goes round at least once where it is there to give first values.
    fn leaves_writing(&self, from: Block, to: Block) -> bool {
        let left = self.first[from.index()].filter(|cycle| self.first[to.index()] != Some(*cycle));
        left.is_some_and(|cycle| self.writing.contains(&cycle))
    }
}

/// Whether an operator makes an address of an address.
pub(crate) fn is_address_arithmetic(op: &Op) -> bool {
    matches!(op, Op::I32Add | Op::I32Sub | Op::I64Add | Op::I64Sub | Op::Select | Op::TypedSelect { .. })
}

/// Whether an operator computes something from its operands alone, with nothing of memory.
pub(crate) fn is_computation(op: &Op) -> bool {
    let is_of_memory =
        Access::of(op).is_some() || matches!(op, Op::MemoryGrow { .. } | Op::MemorySize { .. });
    let is_call = matches!(op, Op::Call { .. } | Op::CallIndirect { .. } | Op::CallRef { .. });
    !is_of_memory && !is_call
}

/// Whether an operator writes where its operands say, or tells somebody else.
fn is_telling(op: &Op) -> bool {
    let is_call = matches!(op, Op::Call { .. } | Op::CallIndirect { .. } | Op::CallRef { .. });
    is_call || matches!(op, Op::MemoryCopy { .. } | Op::MemoryFill { .. } | Op::MemoryInit { .. })
}

fn is_of_bits(op: &Op) -> bool {
    use Op as O;
    matches!(
        op,
        O::I32And | O::I32Or | O::I32Xor | O::I32Mul | O::I32DivU | O::I32DivS | O::I32RemU | O::I32RemS
    ) || matches!(
        op,
        O::I32ShrU | O::I32ShrS | O::I32Shl | O::I32Popcnt | O::I64ExtendI32U | O::I64ExtendI32S
    )
}

fn is_comparison(op: &Op) -> bool {
    use Op as O;
    matches!(op, O::I32Eq | O::I32Ne | O::I32LtU | O::I32LtS | O::I32GtU | O::I32GtS)
        || matches!(op, O::I32LeU | O::I32LeS | O::I32GeU | O::I32GeS)
}
