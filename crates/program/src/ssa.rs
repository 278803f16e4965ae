//! Builds SSA while the code is read once, front to back.
//!
//! After Braun et al. 2013, "Simple and Efficient Construction of Static Single Assignment Form":
//! reading a local asks the predecessors, a block whose predecessors are not all known yet (a loop
//! header) gets a parameter that is filled in when they are. Two things are ours. Wasm is
//! structured, so where a construct assigns no local `x`, reading `x` after it (or in its loop
//! header) goes straight to the code before it: parameters appear only where an assignment can
//! reach. And what turns out trivial (all arguments the same) is removed once, at the end
//! ([`finish`]).

mod finish;

use crate::entity::{Arena, id};
use crate::ir::{Block, Body, Def, Inst, Op, Terminator, ValType, Value, ValueData};
use std::collections::BTreeMap;
use std::ops::Range;

id!(
    /// An edge under construction.
    EdgeId, "edge");

pub(crate) type Draft = Terminator<EdgeId, Vec<Value>>;

/// One of so many blocks that are passed on the way to a local's value remembers it: fewer make walks longer, more take memory.
const REMEMBERED: u32 = 8;

/// Where each local is assigned, by byte offset, ascending.
pub(crate) type Assignments = Vec<Vec<u32>>;

pub(crate) struct Builder {
    blocks: Arena<Block, DraftBlock>,
    edges: Arena<EdgeId, DraftEdge>,
    insts: Arena<Inst, DraftInst>,
    values: Arena<Value, ValueData>,
    locals: Vec<ValType>,
    assignments: Assignments,
    /// Zeros of locals that are read before they are assigned; they go first in the entry block.
    zeros: Vec<Inst>,
    /// How many blocks were looked at for values of locals.
    steps: u64,
}

struct DraftBlock {
    params: Vec<Value>,
    insts: Vec<Inst>,
    end: Option<(Draft, u32)>,
    predecessors: Vec<Predecessor>,
    /// Whether all predecessors are known.
    sealed: bool,
    /// The locals' values at the end of the block so far.
    defs: BTreeMap<u32, Value>,
    /// Locals that became parameters and wait for the block to be sealed.
    incomplete: Vec<Pending>,
    /// The code before the construct that this block starts or ends, and the construct's bytes.
    before: Option<(Block, Range<u32>)>,
}

/// A local that became a parameter of a block, for which the edges do not yet pass arguments.
#[derive(Clone, Copy)]
struct Pending {
    block: Block,
    local: u32,
    param: usize,
}

#[derive(Clone, Copy)]
enum Predecessor {
    Edge(EdgeId),
    /// Control comes from the last instruction of that block by an exception.
    Exception(Block),
}

struct DraftEdge {
    from: Block,
    to: Block,
    args: Vec<Value>,
}

struct DraftInst {
    op: Op,
    args: Vec<Value>,
    results: Vec<Value>,
    offset: u32,
}

impl Builder {
    /// A builder whose entry block has the function's parameters, the first locals.
    pub(crate) fn new(params: &[ValType], locals: Vec<ValType>, assignments: Assignments) -> Self {
        let mut builder = Builder {
            blocks: Arena::new(),
            edges: Arena::new(),
            insts: Arena::new(),
            values: Arena::new(),
            locals,
            assignments,
            zeros: Vec::new(),
            steps: 0,
        };
        let entry = builder.add_block(params);
        builder.seal(entry);
        for local in 0..params.len() {
            let value = builder.blocks[entry].params[local];
            builder.assign(entry, local as u32, value);
        }
        builder
    }

    /// A block with these parameters and no predecessors yet.
    pub(crate) fn add_block(&mut self, params: &[ValType]) -> Block {
        let block = self.blocks.next_id();
        let param = |(index, &ty)| ValueData { ty, def: Def::Param(block, index as u32) };
        let params = params.iter().enumerate().map(param).map(|data| self.values.push(data)).collect();
        self.blocks.push(DraftBlock {
            params,
            insts: Vec::new(),
            end: None,
            predecessors: Vec::new(),
            sealed: false,
            defs: BTreeMap::new(),
            incomplete: Vec::new(),
            before: None,
        })
    }

    /// Says that `block` starts (loop) or ends (block, if) a construct of these bytes, which was
    /// entered from `before`.
    pub(crate) fn set_construct(&mut self, block: Block, before: Block, bytes: Range<u32>) {
        self.blocks[block].before = Some((before, bytes));
    }

    pub(crate) fn params(&self, block: Block) -> &[Value] {
        &self.blocks[block].params
    }

    pub(crate) fn has_predecessors(&self, block: Block) -> bool {
        !self.blocks[block].predecessors.is_empty()
    }

    pub(crate) fn add_edge(&mut self, from: Block, to: Block, args: &[Value]) -> EdgeId {
        debug_assert!(!self.blocks[to].sealed, "an edge to the sealed {to}");
        let edge = self.edges.push(DraftEdge { from, to, args: args.to_vec() });
        self.blocks[to].predecessors.push(Predecessor::Edge(edge));
        edge
    }

    /// A block that only an exception thrown at the end of `from` leads to.
    pub(crate) fn add_landing(&mut self, from: Block, payload: &[ValType]) -> Block {
        let block = self.add_block(payload);
        self.blocks[block].predecessors.push(Predecessor::Exception(from));
        self.seal(block);
        block
    }

    pub(crate) fn add_inst(
        &mut self,
        block: Block,
        op: Op,
        args: &[Value],
        results: impl Iterator<Item = ValType>,
        offset: u32,
    ) -> Inst {
        let inst = self.insts.next_id();
        let result = |(index, ty)| ValueData { ty, def: Def::Result(inst, index as u32) };
        let results = results.enumerate().map(result).map(|data| self.values.push(data)).collect();
        self.insts.push(DraftInst { op, args: args.to_vec(), results, offset });
        self.blocks[block].insts.push(inst);
        inst
    }

    pub(crate) fn results(&self, inst: Inst) -> &[Value] {
        &self.insts[inst].results
    }

    pub(crate) fn finish_block(&mut self, block: Block, end: Draft, offset: u32) {
        debug_assert!(self.blocks[block].end.is_none(), "{block} ends twice");
        self.blocks[block].end = Some((end, offset));
    }

    pub(crate) fn assign(&mut self, block: Block, local: u32, value: Value) {
        self.blocks[block].defs.insert(local, value);
    }

    /// Declares that no further edge will lead to this block.
    pub(crate) fn seal(&mut self, block: Block) {
        self.blocks[block].sealed = true;
        let mut pending = std::mem::take(&mut self.blocks[block].incomplete);
        self.fill(&mut pending);
    }

    /// The value of a local at the end of a block so far.
    pub(crate) fn read(&mut self, block: Block, local: u32) -> Value {
        let mut pending = Vec::new();
        let value = self.look_up(block, local, &mut pending);
        self.fill(&mut pending);
        value
    }

    /// Passes the local on every edge to blocks that got a parameter for it.
    fn fill(&mut self, pending: &mut Vec<Pending>) {
        while let Some(Pending { block, local, param }) = pending.pop() {
            for index in 0..self.blocks[block].predecessors.len() {
                let Predecessor::Edge(edge) = self.blocks[block].predecessors[index] else {
                    unreachable!("a landing block has one predecessor and so no local as parameter")
                };
                let value = self.look_up(self.edges[edge].from, local, pending);
                let args = &mut self.edges[edge].args;
                // Parameters are not filled in the order they were added; the gaps are filled later.
                args.resize(args.len().max(param + 1), value);
                args[param] = value;
            }
        }
    }

    /// Finds the local's value, walking up while there is one way; where ways join it becomes a
    /// parameter, to be filled by the caller (`pending`).
    fn look_up(&mut self, start: Block, local: u32, pending: &mut Vec<Pending>) -> Value {
        let mut block = if self.assignments[local as usize].is_empty() { Body::ENTRY } else { start };
        // Who walks up the same way again need not go so far: every so many blocks remember what was found.
        let mut passed = Vec::new();
        let mut steps = 0u32;
        let value = loop {
            steps += 1;
            if steps.is_multiple_of(REMEMBERED) {
                passed.push(block);
            }
            if let Some(&value) = self.blocks[block].defs.get(&local) {
                break value;
            }
            if let Some((before, bytes)) = &self.blocks[block].before
                && !self.is_assigned(local, bytes)
            {
                block = *before;
                continue;
            }
            let data = &self.blocks[block];
            match (data.sealed, data.predecessors.as_slice()) {
                (true, []) => {
                    debug_assert_eq!(block, Body::ENTRY);
                    break self.add_zero(local);
                }
                (true, &[Predecessor::Edge(edge)]) => block = self.edges[edge].from,
                (true, &[Predecessor::Exception(from)]) => block = from,
                (sealed, _) => {
                    let param = data.params.len();
                    let ty = self.locals[local as usize];
                    let value = self.values.push(ValueData { ty, def: Def::Param(block, param as u32) });
                    self.blocks[block].params.push(value);
                    self.assign(block, local, value);
                    let waiting = if sealed { &mut *pending } else { &mut self.blocks[block].incomplete };
                    waiting.push(Pending { block, local, param });
                    break value;
                }
            }
        };
        for block in passed {
            self.assign(block, local, value);
        }
        self.assign(start, local, value);
        self.steps += u64::from(steps);
        value
    }

    fn is_assigned(&self, local: u32, bytes: &Range<u32>) -> bool {
        let offsets = &self.assignments[local as usize];
        let first = offsets.partition_point(|&offset| offset < bytes.start);
        offsets.get(first).is_some_and(|&offset| offset < bytes.end)
    }

    fn add_zero(&mut self, local: u32) -> Value {
        let ty = self.locals[local as usize];
        let inst = self.insts.next_id();
        let value = self.values.push(ValueData { ty, def: Def::Result(inst, 0) });
        self.insts.push(DraftInst { op: zero(ty), args: Vec::new(), results: vec![value], offset: 0 });
        self.zeros.push(inst);
        self.assign(Body::ENTRY, local, value);
        value
    }
}

/// The operator that makes the value a local has before it is assigned.
fn zero(ty: ValType) -> Op {
    match ty {
        ValType::I32 => Op::I32Const { value: 0 },
        ValType::I64 => Op::I64Const { value: 0 },
        ValType::F32 => Op::F32Const { value: 0f32.into() },
        ValType::F64 => Op::F64Const { value: 0f64.into() },
        ValType::V128 => Op::V128Const { value: 0i128.into() },
        ValType::Ref(ty) => Op::RefNull { hty: ty.heap_type() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many steps it takes to find the values of a local that so many blocks in a row do not assign, read in the last first.
    fn steps(blocks: u32) -> u64 {
        let mut builder = Builder::new(&[ValType::I32], vec![ValType::I32; 2], vec![Vec::new(), vec![1]]);
        let value = builder.params(Body::ENTRY)[0];
        builder.assign(Body::ENTRY, 1, value);
        let mut row = vec![Body::ENTRY];
        for _ in 0..blocks {
            let next = builder.add_block(&[]);
            builder.add_edge(row[row.len() - 1], next, &[]);
            builder.seal(next);
            row.push(next);
        }
        assert!(row.iter().rev().all(|&block| builder.read(block, 1) == value));
        builder.steps
    }

    #[test]
    fn looking_for_locals_takes_as_many_steps_as_there_is_code() {
        let (some, twice) = (steps(1000), steps(2000));
        assert!(twice <= 2 * some + 100, "{some} steps for 1000 blocks, {twice} for 2000");
    }
}
