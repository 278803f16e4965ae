//! SSA as wasm again: a function, or a loop of one, as a state machine.
//!
//! ```text
//! (loop $dispatch
//!   (block $block2 (block $block1 (block $block0
//!     (br_table $block0 $block1 $block2 (local.get $state)))
//!     …code of block0: sets the parameters of its successor and $state, then (br $dispatch))
//!     …code of block1)
//!   …code of block2)
//! unreachable
//! ```
//!
//! It is slow and obviously right: every value is a local, every block a case, and every operator is the program's own. So it judges how SSA is made
//! (whole functions), and runs loops by themselves (`methods.rs`).

use coax_program::cfg::Loop;
use coax_program::ir::{Block, BlockData, Body, Edge, Handler, InstData, Op, Terminator, Value, Values};
use coax_program::{Func, Program, ops};
use std::collections::BTreeMap;
use wasm_encoder::reencode::{self, Reencode as _, RoundtripReencoder};
use wasm_encoder::{BlockType, Catch, Instruction, RefType, ValType};

/// How many locals, parameters included, wasm engines allow.
const MAX_LOCALS: usize = 50_000;

/// Why code could not be lowered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A function has more values than wasm allows locals.
    #[error("{function} has {values} values, but a wasm function can have only {limit} locals")]
    TooManyValues {
        /// The function.
        function: String,
        /// How many values it has.
        values: usize,
        /// How many locals it may have.
        limit: usize,
    },
    /// A loop catches exceptions that bring several values.
    #[error("a loop needs types of blocks that the module does not have")]
    NeedsTypes,
    /// The module could not be encoded again.
    #[error("the module cannot be encoded again: {0}")]
    Encode(#[from] reencode::Error),
}

/// Types of blocks with several results, which are added behind the module's own types.
pub struct BlockTypes {
    next: usize,
    /// Their results.
    pub added: Vec<Vec<ValType>>,
}

impl BlockTypes {
    /// None yet, in a module with so many types.
    pub fn new(existing: usize) -> Self {
        BlockTypes { next: existing, added: Vec::new() }
    }

    /// The type of a block without parameters.
    fn with_results(&mut self, results: &[ValType]) -> BlockType {
        match results {
            [] => BlockType::Empty,
            [one] => BlockType::Result(*one),
            _ => {
                let known = self.added.iter().position(|added| added == results);
                let index = known.unwrap_or_else(|| {
                    self.added.push(results.to_vec());
                    self.added.len() - 1
                });
                BlockType::FunctionType((self.next + index) as u32)
            }
        }
    }
}

/// Takes notes while code runs.
pub trait Notes {
    /// What is noted when a function begins.
    fn entered(&self, func: Func) -> Vec<Instruction<'static>>;
    /// What is noted of the operator at an offset, if it is of interest; the direction that it takes is on the stack.
    fn directed(&self, offset: u32) -> Option<Vec<Instruction<'static>>>;
}

/// A whole function.
pub fn function(
    program: &Program,
    func: Func,
    body: &Body,
    types: &mut BlockTypes,
    notes: Option<&dyn Notes>,
) -> Result<wasm_encoder::Function, Error> {
    let params = body.list(body.blocks[Body::ENTRY].params);
    let blocks: Vec<Block> = body.blocks.ids().collect();
    let mut lowering = Lowering::new((program, func), body, &blocks, params, types)?;
    lowering.notes = notes;
    if let Some(notes) = notes {
        notes.entered(func).into_iter().for_each(|instruction| lowering.emit(instruction));
    }
    lowering.state_machine()?;
    Ok(lowering.code)
}

/// A loop as a function. It is given the values that these have when it is entered, the parameters of its header first; it gives those of the header in
/// its last round, and how often that was come to again.
pub(crate) fn looping(
    program: &Program,
    func: Func,
    around: &Loop,
    given: &[Value],
) -> Result<wasm_encoder::Function, Error> {
    let body = &program.functions[func].defined().expect("a loop has code").body;
    let mut types = BlockTypes::new(program.types.len());
    let mut lowering = Lowering::new((program, func), body, &around.blocks, given, &mut types)?;
    lowering.header = Some(around.header);
    let header = lowering.number(around.header).expect("a loop has its header");
    lowering.emit(Instruction::I32Const(header as i32));
    lowering.emit(Instruction::LocalSet(lowering.state));
    lowering.state_machine()?;
    let code = lowering.code;
    // They would be in the way of the loop's own.
    if !types.added.is_empty() {
        return Err(Error::NeedsTypes);
    }
    Ok(code)
}

/// The type of the local that holds a value: the nullable top of its hierarchy if it is a reference,
/// as locals need a default. Signatures of the features we accept never ask for more.
pub(crate) fn local_type(ty: wasmparser::ValType) -> Result<ValType, Error> {
    use wasmparser::{AbstractHeapType, HeapType};
    Ok(match ty {
        wasmparser::ValType::Ref(reference) => ValType::Ref(match reference.heap_type() {
            HeapType::Abstract { ty: AbstractHeapType::Extern | AbstractHeapType::NoExtern, .. } => {
                RefType::EXTERNREF
            }
            HeapType::Abstract { ty: AbstractHeapType::Exn | AbstractHeapType::NoExn, .. } => RefType::EXNREF,
            _ => RefType::FUNCREF,
        }),
        other => RoundtripReencoder.val_type(other)?,
    })
}

/// An open construct, counted from the outermost.
#[derive(Clone, Copy)]
struct Label(u32);

struct Lowering<'a> {
    program: &'a Program,
    body: &'a Body,
    /// What is lowered, ascending.
    blocks: &'a [Block],
    types: &'a mut BlockTypes,
    notes: Option<&'a dyn Notes>,
    /// Of the loop that it is, if it is one.
    header: Option<Block>,
    code: wasm_encoder::Function,
    /// The local of each value, if it is used.
    locals: BTreeMap<Value, u32>,
    /// The local with the number of the block to run next; the one behind it counts rounds.
    state: u32,
    dispatch: Label,
    /// How many constructs are open.
    open: u32,
}

impl<'a> Lowering<'a> {
    /// Some blocks of a function that is given these values.
    fn new(
        (program, func): (&'a Program, Func),
        body: &'a Body,
        blocks: &'a [Block],
        given: &[Value],
        types: &'a mut BlockTypes,
    ) -> Result<Self, Error> {
        let mut locals: BTreeMap<Value, u32> = given.iter().copied().zip(0..).collect();
        let mut local_types = Vec::new();
        for &block in blocks {
            let data = &body.blocks[block];
            let params = body.list(data.params).iter();
            let results = data.insts().flat_map(|inst| body.list(body.insts[inst].results));
            for &value in params.chain(results) {
                locals.entry(value).or_insert_with(|| {
                    local_types.push(body.values[value].ty);
                    (given.len() + local_types.len() - 1) as u32
                });
            }
        }
        let state = (given.len() + local_types.len()) as u32;
        if state as usize + 2 > MAX_LOCALS {
            let (function, values) = (program.functions[func].name.clone(), state as usize);
            return Err(Error::TooManyValues { function, values, limit: MAX_LOCALS - 2 });
        }
        let mut local_types = local_types.into_iter().map(local_type).collect::<Result<Vec<_>, _>>()?;
        local_types.extend([ValType::I32, ValType::I64]);
        let code = wasm_encoder::Function::new_with_locals_types(local_types);
        let dispatch = Label(0);
        Ok(Lowering {
            program,
            body,
            blocks,
            types,
            notes: None,
            header: None,
            code,
            locals,
            state,
            dispatch,
            open: 0,
        })
    }

    fn state_machine(&mut self) -> Result<(), Error> {
        self.dispatch = self.open(Instruction::Loop(BlockType::Empty));
        let blocks = self.blocks.len() as u32;
        for _ in 0..blocks {
            self.open(Instruction::Block(BlockType::Empty));
        }
        self.emit(Instruction::LocalGet(self.state));
        let cases: Vec<u32> = (0..blocks - 1).collect();
        self.emit(Instruction::BrTable(cases.into(), blocks - 1));
        for &block in self.blocks {
            self.close();
            self.block(&self.body.blocks[block])?;
        }
        self.close();
        self.emit(Instruction::Unreachable);
        self.emit(Instruction::End);
        Ok(())
    }

    /// The state of a block, if it is lowered.
    fn number(&self, block: Block) -> Option<usize> {
        self.blocks.binary_search(&block).ok()
    }

    fn block(&mut self, block: &BlockData) -> Result<(), Error> {
        let mut insts: Vec<&InstData> = block.insts().map(|inst| &self.body.insts[inst]).collect();
        let invoked = match block.end {
            Terminator::Invoke { .. } => insts.pop(),
            _ => None,
        };
        for inst in insts {
            self.inst(inst)?;
        }
        match &block.end {
            Terminator::Jump(edge) => self.edge(edge),
            Terminator::Branch { condition, targets: [zero, other] } => {
                self.get(*condition);
                self.open(Instruction::If(BlockType::Empty));
                self.direction(block.end_offset, 1);
                self.edge(other);
                self.close();
                self.direction(block.end_offset, 0);
                self.edge(zero);
            }
            Terminator::Switch { index, targets, cases, default } => {
                self.open_cases(*index, targets.len(), cases, *default);
                for (direction, target) in targets.iter().enumerate() {
                    self.close();
                    self.direction(block.end_offset, direction as i32);
                    self.edge(target);
                }
            }
            Terminator::Invoke { normal, handlers } => {
                let call = invoked.expect("verified: an invoke follows a call");
                self.catching(handlers, |lowering| {
                    lowering.inst(call)?;
                    lowering.edge(normal);
                    Ok(())
                })?;
            }
            Terminator::Throw { op, args, handlers } => {
                self.catching(handlers, |lowering| lowering.operator(op, *args))?;
            }
            Terminator::Return(results) => {
                self.get_all(*results);
                self.emit(Instruction::Return);
            }
            Terminator::TailCall { op, args } => self.operator(op, *args)?,
            Terminator::Unreachable => self.emit(Instruction::Unreachable),
        }
        Ok(())
    }

    fn inst(&mut self, inst: &InstData) -> Result<(), Error> {
        if ops::is_select(&inst.op) {
            self.select(inst);
        }
        self.operator(&inst.op, inst.args)?;
        self.set_all(inst.results);
        Ok(())
    }

    /// An operator whose results, if any, stay on the operand stack.
    fn operator(&mut self, op: &Op, args: Values) -> Result<(), Error> {
        self.get_all(args);
        let instruction = RoundtripReencoder.instruction(op.clone())?;
        self.emit(instruction);
        Ok(())
    }

    /// All arguments are read before any parameter is written: an edge copies in parallel.
    fn edge(&mut self, edge: &Edge) {
        // What it brings to others may not be here.
        if self.number(edge.to).is_none() {
            return self.leave();
        }
        self.get_all(edge.args);
        self.arrive(edge.to);
    }

    /// Goes on in a block whose parameters are on the operand stack, or leaves the loop.
    fn arrive(&mut self, block: Block) {
        let Some(number) = self.number(block) else { return self.leave() };
        self.set_all(self.body.blocks[block].params);
        if self.header == Some(block) {
            let rounds = self.state + 1;
            self.emit(Instruction::LocalGet(rounds));
            self.emit(Instruction::I64Const(1));
            self.emit(Instruction::I64Add);
            self.emit(Instruction::LocalSet(rounds));
        }
        self.emit(Instruction::I32Const(number as i32));
        self.emit(Instruction::LocalSet(self.state));
        self.emit(Instruction::Br(self.depth(self.dispatch)));
    }

    /// The loop is over; what else is on the operand stack does not matter.
    fn leave(&mut self) {
        let header = self.header.expect("only loops are left");
        self.get_all(self.body.blocks[header].params);
        self.emit(Instruction::LocalGet(self.state + 1));
        self.emit(Instruction::Return);
    }

    /// Opens a block for each target of a switch; the first to be closed belongs to the first.
    fn open_cases(&mut self, index: Value, targets: usize, cases: &[u32], default: u32) {
        for _ in 0..targets {
            self.open(Instruction::Block(BlockType::Empty));
        }
        self.get(index);
        self.emit(Instruction::BrTable(cases.into(), default));
    }

    /// Notes a direction, if notes are taken.
    fn direction(&mut self, offset: u32, direction: i32) {
        if let Some(note) = self.notes.and_then(|notes| notes.directed(offset)) {
            self.emit(Instruction::I32Const(direction));
            note.into_iter().for_each(|instruction| self.emit(instruction));
        }
    }

    /// Notes which value a select chooses, if notes are taken.
    fn select(&mut self, inst: &InstData) {
        let note = self.notes.and_then(|notes| notes.directed(inst.offset));
        if let (Some(note), Some(&condition)) = (note, self.body.list(inst.args).last()) {
            self.get(condition);
            self.emit(Instruction::I32Const(0));
            self.emit(Instruction::I32Ne);
            note.into_iter().for_each(|instruction| self.emit(instruction));
        }
    }

    /// Code that throws, inside a `try_table`; the code itself never ends normally.
    fn catching(
        &mut self,
        handlers: &[Handler],
        throwing: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut labels = Vec::new();
        for handler in handlers.iter().rev() {
            let ty = self.payload(handler)?;
            labels.push(self.open(Instruction::Block(ty)));
        }
        labels.reverse();
        let catches: Vec<Catch> =
            handlers.iter().zip(labels).map(|(handler, label)| catch(handler, self.depth(label))).collect();
        self.open(Instruction::TryTable(BlockType::Empty, catches.into()));
        throwing(self)?;
        self.close();
        self.emit(Instruction::Unreachable);
        for handler in handlers {
            self.close();
            self.arrive(handler.to);
        }
        Ok(())
    }

    /// The type of the block that a handler jumps out of: what it puts on the operand stack.
    fn payload(&mut self, handler: &Handler) -> Result<BlockType, Error> {
        let mut types = Vec::new();
        if let Some(tag) = handler.tag {
            let signature = &self.program.types[self.program.tags[tag as usize] as usize];
            for &ty in &signature.params {
                types.push(local_type(ty)?);
            }
        }
        if handler.with_ref {
            types.push(ValType::Ref(RefType::EXNREF));
        }
        Ok(self.types.with_results(&types))
    }

    fn get(&mut self, value: Value) {
        self.emit(Instruction::LocalGet(self.locals[&value]));
    }

    fn get_all(&mut self, values: Values) {
        for &value in self.body.list(values) {
            self.get(value);
        }
    }

    /// Takes values from the operand stack.
    fn set_all(&mut self, values: Values) {
        for value in self.body.list(values).iter().rev() {
            self.emit(Instruction::LocalSet(self.locals[value]));
        }
    }

    fn open(&mut self, construct: Instruction<'_>) -> Label {
        self.emit(construct);
        self.open += 1;
        Label(self.open)
    }

    fn close(&mut self) {
        self.emit(Instruction::End);
        self.open -= 1;
    }

    /// How a branch from here names an open construct.
    fn depth(&self, label: Label) -> u32 {
        self.open - label.0
    }

    fn emit(&mut self, instruction: Instruction<'_>) {
        self.code.instruction(&instruction);
    }
}

/// Labels of the catches count from outside the `try_table`, so `depth` is taken before it opens.
fn catch(handler: &Handler, depth: u32) -> Catch {
    match (handler.tag, handler.with_ref) {
        (Some(tag), false) => Catch::One { tag, label: depth },
        (Some(tag), true) => Catch::OneRef { tag, label: depth },
        (None, false) => Catch::All { label: depth },
        (None, true) => Catch::AllRef { label: depth },
    }
}
