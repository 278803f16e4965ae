//! A function body in SSA form with block parameters.
//!
//! Operators are wasm's own ([`wasmparser::Operator`], one to one), without those that only move
//! values or control: locals, `drop`, `block`, `loop`, `if`, `br…` are gone, control flow is in the
//! [`Terminator`]s. Every instruction and terminator keeps the byte offset of the operator it came
//! from, so traps, coverage and source lines can be mapped both ways.
//!
//! Invariants (checked by [`crate::verify`]): each value has one definition, which dominates its
//! uses; an edge passes as many arguments, of the same types, as its target has parameters; every
//! block is reachable from the entry block, which is `block0` and has no predecessors.

use crate::entity::{Arena, id};
use std::ops::Range;
pub use wasmparser::ValType;

/// A wasm operator that computes, reads or writes something.
pub type Op = wasmparser::Operator<'static>;

id!(
    /// A basic block of one function.
    Block, "block");
id!(
    /// An instruction of one function.
    Inst, "inst");
id!(
    /// A value of one function: a block parameter or an instruction's result.
    Value, "v");

/// The body of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The blocks, in the order of the wasm code; `block0` is the entry.
    pub blocks: Arena<Block, BlockData>,
    /// The instructions; those of one block are contiguous.
    pub insts: Arena<Inst, InstData>,
    /// The values.
    pub values: Arena<Value, ValueData>,
    /// Arguments and results of all instructions and edges, see [`Values`].
    pub pool: Vec<Value>,
}

/// A list of values: a range of [`Body::pool`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    start: u32,
    end: u32,
}

/// What a block consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockData {
    /// The values that each edge to this block supplies (the function's parameters for the entry).
    pub params: Values,
    /// The instructions, by id; they are contiguous.
    pub insts: (Inst, Inst),
    /// How control leaves the block.
    pub end: Terminator,
    /// Offset of the operator that the terminator came from.
    pub end_offset: u32,
}

impl BlockData {
    /// The block's instructions in order.
    pub fn insts(&self) -> impl DoubleEndedIterator<Item = Inst> + ExactSizeIterator + use<> {
        let Range { start, end } = self.insts.0.0..self.insts.1.0;
        (start as usize..end as usize).map(|index| Inst(index as u32))
    }
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstData {
    /// The wasm operator with its immediates.
    pub op: Op,
    /// Its operands, first pushed first.
    pub args: Values,
    /// Its results, first pushed first.
    pub results: Values,
    /// Byte offset of the operator in the module; 0 for the zero of a local that was not yet assigned.
    pub offset: u32,
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueData {
    /// Its wasm type.
    pub ty: ValType,
    /// Where it is defined.
    pub def: Def,
}

/// Where a value is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// The parameter of a block with this number.
    Param(Block, u32),
    /// The result of an instruction with this number.
    Result(Inst, u32),
}

/// A way from the end of one block to the start of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it goes.
    pub to: Block,
    /// The values for the target's parameters.
    pub args: Values,
}

/// How control leaves a block. (Construction has its own kind of edges `E` and lists `L`.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator<E = Edge, L = Values> {
    /// Go on there.
    Jump(E),
    /// `if` and `br_if`.
    Branch {
        /// An i32.
        condition: Value,
        /// Where zero leads, then where any other condition leads.
        targets: [E; 2],
    },
    /// `br_table`: index `i` leads to `targets[cases[i]]`, an index past the end to `targets[default]`.
    Switch {
        /// An i32, unsigned.
        index: Value,
        /// One edge per distinct target.
        targets: Vec<E>,
        /// Which target each index has.
        cases: Vec<u32>,
        /// Which target any other index has.
        default: u32,
    },
    /// The last instruction of the block, a call, may throw: if it does, control goes to the first
    /// handler that catches (its results are then not defined), or leaves the function.
    Invoke {
        /// Where a call that returns goes on.
        normal: E,
        /// The handlers in the order they are tried.
        handlers: Vec<Handler>,
    },
    /// `throw` or `throw_ref`.
    Throw {
        /// The operator.
        op: Op,
        /// The exception's payload, or the exception.
        args: L,
        /// The handlers of this function that are tried, in order, before it is left.
        handlers: Vec<Handler>,
    },
    /// Leave the function with these results.
    Return(L),
    /// `return_call`, `return_call_indirect`: leave the function with the results of that call.
    TailCall {
        /// The operator.
        op: Op,
        /// The callee's arguments, then the table index of an indirect call.
        args: L,
    },
    /// The `unreachable` operator: a trap.
    Unreachable,
}

/// Part of a `try_table`: what it catches and where that leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The tag whose exceptions are caught; `None` is all of them.
    pub tag: Option<u32>,
    /// Where it leads. That block's parameters are the tag's payload, then, if `with_ref`, the exception.
    pub to: Block,
    /// Whether the exception itself is passed as well.
    pub with_ref: bool,
}

impl<E, L> Terminator<E, L> {
    /// The edges, in the order of their directions: edge 0 of a branch is taken when the condition is zero.
    pub fn edges(&self) -> &[E] {
        match self {
            Terminator::Jump(edge) | Terminator::Invoke { normal: edge, .. } => std::slice::from_ref(edge),
            Terminator::Branch { targets, .. } => targets,
            Terminator::Switch { targets, .. } => targets,
            Terminator::Throw { .. }
            | Terminator::Return(_)
            | Terminator::TailCall { .. }
            | Terminator::Unreachable => &[],
        }
    }

    /// The exception handlers that control may go to.
    pub fn handlers(&self) -> &[Handler] {
        match self {
            Terminator::Invoke { handlers, .. } | Terminator::Throw { handlers, .. } => handlers,
            _ => &[],
        }
    }
}

impl Terminator {
    /// All blocks that control may go to next; one may be named more than once.
    pub fn successors(&self) -> impl Iterator<Item = Block> + '_ {
        let edges = self.edges().iter().map(|edge| edge.to);
        edges.chain(self.handlers().iter().map(|handler| handler.to))
    }
}

impl Body {
    /// The entry block.
    pub const ENTRY: Block = Block(0);

    /// The values of a list.
    pub fn list(&self, values: Values) -> &[Value] {
        &self.pool[values.start as usize..values.end as usize]
    }

    /// The values that the end of a block uses itself; what its edges pass on is not among them.
    pub fn operands<'b>(&'b self, end: &'b Terminator) -> &'b [Value] {
        match end {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { index: value, .. } => {
                std::slice::from_ref(value)
            }
            Terminator::Return(values)
            | Terminator::TailCall { args: values, .. }
            | Terminator::Throw { args: values, .. } => self.list(*values),
            _ => &[],
        }
    }

    /// The block whose terminator came from the branch at this offset.
    pub fn block_ending_at(&self, offset: u32) -> Option<&BlockData> {
        // Blocks are in the order of the code; landing blocks share their offset with a call.
        let mut same = (self.blocks.partition_point(|block| block.end_offset < offset)..self.blocks.len())
            .map(|index| &self.blocks[Block(index as u32)])
            .take_while(|block| block.end_offset == offset);
        same.find(|block| !matches!(block.end, Terminator::Jump(_)))
    }

    /// Stores a list of values.
    pub fn make_list(&mut self, values: &[Value]) -> Values {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(values);
        Values { start, end: self.pool.len() as u32 }
    }
}
