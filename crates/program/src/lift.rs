//! Lifts one function from wasm's stack code to SSA.
//!
//! One pass: wasmparser validates each operator and knows its types, we keep a stack of SSA values
//! beside its stack of types. Code that control cannot reach is validated, but not lifted: it has no
//! blocks and no sites.

use crate::ir::{Block, Body, Handler, Terminator, ValType, Value};
use crate::ops;
use crate::program::{Signature, Size};
use crate::site::SiteKind;
use crate::ssa::{Assignments, Builder, Draft};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wasmparser::{
    BinaryReaderError, BlockType, Catch, FuncToValidate, FuncValidator, FuncValidatorAllocations,
    FunctionBody, HeapType, Operator, TryTable, ValidatorResources,
};

/// Why code cannot be lifted.
pub(crate) enum Refusal {
    /// It is not valid.
    Invalid(BinaryReaderError),
    /// Its exception handlers, counted at each call that they guard, are more than we take on.
    TooManyHandlers { offset: u32 },
}

impl From<BinaryReaderError> for Refusal {
    fn from(error: BinaryReaderError) -> Self {
        Refusal::Invalid(error)
    }
}

/// Each call has a block for each handler around it. Compilers nest few; this many are made up.
const MOST_LANDINGS: usize = 200_000;

/// A lifted function.
pub(crate) struct Lifted {
    pub(crate) body: Body,
    /// Offset and kind of each site, in order.
    pub(crate) sites: Vec<(u32, SiteKind)>,
    /// The bytes of the body in the module.
    pub(crate) range: Range<u32>,
    pub(crate) size: Size,
}

/// What a function's code refers to outside itself.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) types: &'a [Signature],
    pub(crate) tags: &'a [u32],
}

/// Validates and lifts a function.
pub(crate) fn lift(
    context: Context<'_>,
    to_validate: FuncToValidate<ValidatorResources>,
    code: &FunctionBody<'_>,
    allocations: &mut FuncValidatorAllocations,
) -> Result<Lifted, Refusal> {
    let signature = &context.types[to_validate.ty as usize];
    let scan = Scan::of(code, signature.params.len())?;
    let mut validator = to_validate.into_validator(std::mem::take(allocations));
    let mut reader = code.get_binary_reader();
    validator.read_locals(&mut reader)?;
    let mut size = Size { locals: validator.len_locals(), ..scan.size };
    let locals = (0..validator.len_locals()).filter_map(|local| validator.get_local_type(local)).collect();
    let builder = Builder::new(&signature.params, locals, scan.assignments);
    let mut lifter = Lifter {
        context,
        builder,
        validator,
        current: Some(Body::ENTRY),
        stack: Vec::new(),
        frames: Vec::new(),
        loop_ends: scan.loop_ends.into_iter(),
        sites: Vec::new(),
        landings: 0,
        offset: 0,
    };
    lifter.open(FrameKind::Block, &[], &signature.results);
    let mut operators = code.get_operators_reader()?;
    while !operators.eof() {
        let (op, offset) = operators.read_with_offset()?;
        lifter.offset = offset as u32;
        lifter.operator(op)?;
        size.height = size.height.max(lifter.stack.len() as u32);
    }
    operators.finish()?;
    let Lifter { builder, validator, sites, .. } = lifter;
    *allocations = validator.into_allocations();
    let range = code.range().start as u32..code.range().end as u32;
    Ok(Lifted { body: builder.finish(), sites, range, size })
}

/// What must be known of the code before it is lifted.
struct Scan {
    assignments: Assignments,
    /// Where each loop ends, in the order in which they start.
    loop_ends: Vec<u32>,
    size: Size,
}

impl Scan {
    fn of(code: &FunctionBody<'_>, params: usize) -> Result<Self, BinaryReaderError> {
        let mut locals = params;
        for group in code.get_locals_reader()? {
            locals += group?.0 as usize;
        }
        let mut scan =
            Scan { assignments: vec![Vec::new(); locals], loop_ends: Vec::new(), size: Size::default() };
        let (mut run, mut loops) = (0, 0u64);
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut operators = code.get_operators_reader()?;
        while !operators.eof() {
            let (op, offset) = operators.read_with_offset()?;
            scan.size.operators += 1;
            scan.size.in_loops += loops;
            run = if ends_run(&op) { 0 } else { run + 1 };
            scan.size.longest_run = scan.size.longest_run.max(run);
            match op {
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                    // An index out of range is refused by the validator, later.
                    if let Some(offsets) = scan.assignments.get_mut(local_index as usize) {
                        offsets.push(offset as u32);
                    }
                }
                Operator::Loop { .. } => {
                    loops += 1;
                    open.push(Some(scan.loop_ends.len()));
                    scan.loop_ends.push(0);
                }
                Operator::Block { .. } | Operator::If { .. } | Operator::TryTable { .. } => open.push(None),
                Operator::End => {
                    if let Some(Some(index)) = open.pop() {
                        loops -= 1;
                        scan.loop_ends[index] = offset as u32;
                    }
                }
                _ => {}
            }
            scan.size.nesting = scan.size.nesting.max(open.len() as u32);
        }
        Ok(scan)
    }
}

/// Whether control may go elsewhere, or come from there.
fn ends_run(op: &Operator<'_>) -> bool {
    use Operator::*;
    matches!(
        op,
        Block { .. }
            | Loop { .. }
            | If { .. }
            | Else
            | End
            | TryTable { .. }
            | Br { .. }
            | BrIf { .. }
            | BrTable { .. }
            | Return
            | Call { .. }
            | CallIndirect { .. }
            | ReturnCall { .. }
            | ReturnCallIndirect { .. }
            | Unreachable
    )
}

struct Lifter<'a> {
    context: Context<'a>,
    builder: Builder,
    validator: FuncValidator<ValidatorResources>,
    /// The block being filled; `None` where control cannot get to.
    current: Option<Block>,
    stack: Vec<Value>,
    frames: Vec<Frame>,
    loop_ends: std::vec::IntoIter<u32>,
    sites: Vec<(u32, SiteKind)>,
    landings: usize,
    offset: u32,
}

/// A construct that is open.
struct Frame {
    kind: FrameKind,
    /// Where a branch to its label goes; `None` if the construct itself cannot be reached.
    label: Option<Block>,
    /// How many values a branch to its label takes.
    arity: usize,
    /// Height of the stack below its parameters.
    height: usize,
    /// The block in front of it.
    before: Block,
    /// Where it starts.
    start: u32,
}

enum FrameKind {
    Block,
    Loop,
    /// With the block for a zero condition, until `else` was met, and the stack it starts with.
    If(Option<(Block, Vec<Value>)>),
    Try(Vec<Catch>),
}

impl Lifter<'_> {
    fn operator(&mut self, op: Operator<'_>) -> Result<(), Refusal> {
        if self.landings > MOST_LANDINGS {
            return Err(Refusal::TooManyHandlers { offset: self.offset });
        }
        let arity = self.is_plain(&op).then(|| op.operator_arity(&self.validator)).flatten();
        self.validator.op(self.offset as usize, &op)?;
        match op {
            Operator::Block { blockty } => {
                let (params, results) = self.block_type(blockty);
                self.open(FrameKind::Block, &params, &results);
            }
            Operator::TryTable { try_table: TryTable { ty, catches } } => {
                let (params, results) = self.block_type(ty);
                self.open(FrameKind::Try(catches), &params, &results);
            }
            Operator::Loop { blockty } => self.open_loop(blockty),
            Operator::If { blockty } => self.open_if(blockty),
            Operator::Else => self.switch_to_else(),
            Operator::End => self.close(),
            _ => {
                if let Some(block) = self.current {
                    self.live(block, op, arity);
                }
            }
        }
        Ok(())
    }

    /// Whether the operator pops its operands and pushes its results, and that is all.
    fn is_plain(&self, op: &Operator<'_>) -> bool {
        use Operator::*;
        self.current.is_some()
            && !matches!(
                op,
                Block { .. }
                    | Loop { .. }
                    | If { .. }
                    | TryTable { .. }
                    | Else
                    | End
                    | Br { .. }
                    | BrIf { .. }
            )
    }

    fn block_type(&self, ty: BlockType) -> (Vec<ValType>, Vec<ValType>) {
        match ty {
            BlockType::Empty => (Vec::new(), Vec::new()),
            BlockType::Type(ty) => (Vec::new(), vec![ty]),
            BlockType::FuncType(index) => {
                let signature = &self.context.types[index as usize];
                (signature.params.clone(), signature.results.clone())
            }
        }
    }

    /// Opens a construct whose label is at its end.
    fn open(&mut self, kind: FrameKind, params: &[ValType], results: &[ValType]) {
        let label = self.current.map(|_| self.builder.add_block(results));
        self.push_frame(kind, label, results.len(), params.len());
    }

    fn push_frame(&mut self, kind: FrameKind, label: Option<Block>, arity: usize, params: usize) {
        let height = if label.is_some() { self.stack.len() - params } else { self.stack.len() };
        let before = self.current.unwrap_or(Body::ENTRY);
        self.frames.push(Frame { kind, label, arity, height, before, start: self.offset });
    }

    fn open_loop(&mut self, blockty: BlockType) {
        let (params, _) = self.block_type(blockty);
        let end = self.loop_ends.next().expect("the scan has met every loop");
        let Some(before) = self.current else {
            return self.push_frame(FrameKind::Loop, None, params.len(), params.len());
        };
        let header = self.builder.add_block(&params);
        self.builder.set_construct(header, before, self.offset..end);
        self.push_frame(FrameKind::Loop, Some(header), params.len(), params.len());
        let args = self.pop(params.len());
        self.jump(before, header, &args);
        self.enter(header);
    }

    fn open_if(&mut self, blockty: BlockType) {
        let (params, results) = self.block_type(blockty);
        let Some(block) = self.current else {
            return self.open(FrameKind::If(None), &params, &results);
        };
        let condition = self.pop(1)[0];
        let [otherwise, then] = [(); 2].map(|()| self.builder.add_block(&[]));
        self.site(SiteKind::Branch);
        let targets = [otherwise, then].map(|to| self.builder.add_edge(block, to, &[]));
        self.finish(block, Terminator::Branch { condition, targets });
        self.builder.seal(otherwise);
        self.builder.seal(then);
        let inherited = self.stack[self.stack.len() - params.len()..].to_vec();
        self.open(FrameKind::If(Some((otherwise, inherited))), &params, &results);
        self.current = Some(then);
    }

    fn switch_to_else(&mut self) {
        let frame = self.frames.last_mut().expect("validated");
        let (label, height) = (frame.label, frame.height);
        let FrameKind::If(otherwise) = &mut frame.kind else { unreachable!("validated: else follows if") };
        let otherwise = otherwise.take();
        let Some(label) = label else { return };
        self.fall_through(label);
        let (otherwise, inherited) = otherwise.expect("validated: one else");
        self.stack.truncate(height);
        self.stack.extend(inherited);
        self.current = Some(otherwise);
    }

    /// From the current block, if there is one, to the end of the innermost construct.
    fn fall_through(&mut self, label: Block) {
        if let Some(block) = self.current.take() {
            let args = self.pop(self.builder.params(label).len());
            self.jump(block, label, &args);
        }
    }

    fn close(&mut self) {
        let mut frame = self.frames.pop().expect("validated");
        let Some(label) = frame.label else {
            return self.stack.truncate(frame.height);
        };
        if let FrameKind::Loop = frame.kind {
            // The code after the loop is simply what its body falls through to.
            if self.current.is_none() {
                self.stack.truncate(frame.height);
            }
            return self.builder.seal(label);
        }
        if self.frames.is_empty() {
            return self.close_function(label);
        }
        self.fall_through(label);
        if let FrameKind::If(Some((otherwise, inherited))) =
            std::mem::replace(&mut frame.kind, FrameKind::Block)
        {
            self.jump(otherwise, label, &inherited);
        }
        self.builder.set_construct(label, frame.before, frame.start..self.offset);
        self.builder.seal(label);
        self.stack.truncate(frame.height);
        if self.builder.has_predecessors(label) {
            self.enter(label);
        } else {
            self.current = None;
        }
    }

    fn close_function(&mut self, label: Block) {
        let branched_to = self.builder.has_predecessors(label);
        if branched_to {
            self.fall_through(label);
        } else if let Some(block) = self.current.take() {
            let results = self.pop(self.builder.params(label).len());
            self.finish(block, Terminator::Return(results));
        }
        self.builder.seal(label);
        if branched_to {
            let results = self.builder.params(label).to_vec();
            self.finish(label, Terminator::Return(results));
        }
    }

    /// Goes on in a block, with its parameters on the stack.
    fn enter(&mut self, block: Block) {
        self.stack.extend_from_slice(self.builder.params(block));
        self.current = Some(block);
    }

    /// Lifts an operator that control gets to.
    fn live(&mut self, block: Block, op: Operator<'_>, arity: Option<(u32, u32)>) {
        match op {
            Operator::Nop => {}
            Operator::Drop => drop(self.pop(1)),
            Operator::LocalGet { local_index } => {
                let value = self.builder.read(block, local_index);
                self.stack.push(value);
            }
            Operator::LocalSet { local_index } => {
                let value = self.pop(1)[0];
                self.builder.assign(block, local_index, value);
            }
            Operator::LocalTee { local_index } => {
                let value = *self.stack.last().expect("validated");
                self.builder.assign(block, local_index, value);
            }
            Operator::Br { relative_depth } => {
                let (label, args) = self.branch_args(relative_depth);
                self.jump(block, label, &args);
                self.current = None;
            }
            Operator::BrIf { relative_depth } => self.branch_if(block, relative_depth),
            Operator::BrTable { targets } => self.branch_table(block, &targets),
            Operator::Return => {
                let args = self.top(self.frames[0].arity);
                self.leave(block, Terminator::Return(args));
            }
            Operator::Unreachable => {
                self.site(SiteKind::Trap);
                self.leave(block, Terminator::Unreachable);
            }
            _ => self.compute(block, op, arity),
        }
    }

    /// An operator that becomes an instruction, a throw or a tail call.
    fn compute(&mut self, block: Block, op: Operator<'_>, arity: Option<(u32, u32)>) {
        let (operands, results) = arity.expect("the validator knows every operator that it accepts");
        let op = ops::to_static(op).expect("br_table was met before");
        if ops::is_tail_call(&op) {
            self.site(SiteKind::Call);
            let args = self.pop(operands as usize);
            return self.leave(block, Terminator::TailCall { op, args });
        }
        let (is_call, is_throw) =
            (ops::is_call(&op), matches!(op, Operator::Throw { .. } | Operator::ThrowRef));
        if is_call {
            self.site(SiteKind::Call);
        } else if ops::is_select(&op) {
            self.site(SiteKind::Select);
        } else if ops::may_trap(&op) {
            self.site(SiteKind::Trap);
        }
        let args = self.pop(operands as usize);
        if is_throw {
            let handlers = self.handlers(block);
            return self.leave(block, Terminator::Throw { op, args, handlers });
        }
        let validator = &self.validator;
        let types = (0..results as usize).rev().map(|depth| {
            declarable(
                validator.get_operand_type(depth).flatten().expect("types are known where control gets to"),
            )
        });
        let inst = self.builder.add_inst(block, op, &args, types, self.offset);
        self.stack.extend_from_slice(self.builder.results(inst));
        if is_call {
            self.end_call(block);
        }
    }

    /// Ends the block after a call that may throw into a handler of this function.
    fn end_call(&mut self, block: Block) {
        let handlers = self.handlers(block);
        if !handlers.is_empty() {
            let next = self.builder.add_block(&[]);
            let normal = self.builder.add_edge(block, next, &[]);
            self.finish(block, Terminator::Invoke { normal, handlers });
            self.builder.seal(next);
            self.current = Some(next);
        }
    }

    /// The handlers in force, innermost first, each with a landing block that goes on to its label.
    fn handlers(&mut self, block: Block) -> Vec<Handler> {
        let mut handlers = Vec::new();
        let mut caught = BTreeSet::new();
        for depth in (0..self.frames.len()).rev() {
            let FrameKind::Try(catches) = &self.frames[depth].kind else { continue };
            for catch in catches.clone() {
                let (tag, label, with_ref) = match catch {
                    Catch::One { tag, label } => (Some(tag), label, false),
                    Catch::OneRef { tag, label } => (Some(tag), label, true),
                    Catch::All { label } => (None, label, false),
                    Catch::AllRef { label } => (None, label, true),
                };
                if !caught.insert(tag) {
                    // An exception of this tag has been caught before it gets here.
                    continue;
                }
                // Labels of the catches count from outside the `try_table`.
                let target =
                    self.frames[depth - 1 - label as usize].label.expect("reachable, as its content is");
                let to = self.landing(block, tag, with_ref, target);
                handlers.push(Handler { tag, to, with_ref });
                if tag.is_none() {
                    return handlers;
                }
            }
        }
        handlers
    }

    fn landing(&mut self, block: Block, tag: Option<u32>, with_ref: bool, target: Block) -> Block {
        let mut payload = match tag {
            Some(tag) => self.context.types[self.context.tags[tag as usize] as usize].params.clone(),
            None => Vec::new(),
        };
        if with_ref {
            payload.push(ValType::EXNREF);
        }
        self.landings += 1;
        let landing = self.builder.add_landing(block, &payload);
        let args = self.builder.params(landing).to_vec();
        self.jump(landing, target, &args);
        landing
    }

    /// The target of a branch and the values it takes along, which stay on the stack.
    fn branch_args(&self, depth: u32) -> (Block, Vec<Value>) {
        let frame = &self.frames[self.frames.len() - 1 - depth as usize];
        let label = frame.label.expect("a construct around reachable code is reachable");
        (label, self.top(frame.arity))
    }

    fn branch_if(&mut self, block: Block, depth: u32) {
        self.site(SiteKind::Branch);
        let condition = self.pop(1)[0];
        let (label, args) = self.branch_args(depth);
        let next = self.builder.add_block(&[]);
        let otherwise = self.builder.add_edge(block, next, &[]);
        let taken = self.builder.add_edge(block, label, &args);
        self.finish(block, Terminator::Branch { condition, targets: [otherwise, taken] });
        self.builder.seal(next);
        self.current = Some(next);
    }

    fn branch_table(&mut self, block: Block, table: &wasmparser::BrTable<'_>) {
        let index = self.pop(1)[0];
        let mut known = BTreeMap::new();
        let mut targets = Vec::new();
        let mut case = |lifter: &mut Self, depth: u32| {
            let (label, args) = lifter.branch_args(depth);
            *known.entry(label).or_insert_with(|| {
                targets.push(lifter.builder.add_edge(block, label, &args));
                targets.len() as u32 - 1
            })
        };
        let depths = table.targets().map(|depth| depth.expect("validated"));
        let cases = depths.map(|depth| case(self, depth)).collect();
        let default = case(self, table.default());
        self.site(SiteKind::Switch(targets.len() as u32));
        self.leave(block, Terminator::Switch { index, targets, cases, default });
    }

    fn site(&mut self, kind: SiteKind) {
        self.sites.push((self.offset, kind));
    }

    /// The topmost values, first pushed first.
    fn top(&self, count: usize) -> Vec<Value> {
        self.stack[self.stack.len() - count..].to_vec()
    }

    fn pop(&mut self, count: usize) -> Vec<Value> {
        self.stack.split_off(self.stack.len() - count)
    }

    fn jump(&mut self, from: Block, to: Block, args: &[Value]) {
        let edge = self.builder.add_edge(from, to, args);
        self.finish(from, Terminator::Jump(edge));
    }

    fn finish(&mut self, block: Block, end: Draft) {
        self.builder.finish_block(block, end, self.offset);
    }

    /// Ends the block; what follows cannot be reached from here.
    fn leave(&mut self, block: Block, end: Draft) {
        self.finish(block, end);
        self.current = None;
    }
}

/// The type under which a signature, a local or a block could take the value. The validator knows
/// more: `ref.func` gives a non-null reference to one type of functions, which without typed function
/// references nothing can ask for, so that values would differ in types that do not matter.
fn declarable(ty: ValType) -> ValType {
    match ty {
        ValType::Ref(reference) if matches!(reference.heap_type(), HeapType::Concrete(_)) => ValType::FUNCREF,
        ValType::Ref(reference) => ValType::Ref(reference.nullable()),
        other => other,
    }
}
