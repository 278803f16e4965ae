//! Lowers one function to a state machine.
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

use super::record::Recorder;
use super::{BlockTypes, Error};
use coax_program::entity::Id as _;
use coax_program::ir::{Block, BlockData, Body, Def, Edge, Handler, InstData, Op, Terminator, Value, Values};
use coax_program::{Func, Program, ops};
use wasm_encoder::reencode::{Reencode as _, RoundtripReencoder};
use wasm_encoder::{BlockType, Catch, Instruction, RefType, ValType};

/// How many locals, parameters included, wasm engines allow.
const MAX_LOCALS: usize = 50_000;

pub(super) fn lower(
    program: &Program,
    func: Func,
    body: &Body,
    types: &mut BlockTypes,
    recorder: Option<Recorder<'_>>,
) -> Result<wasm_encoder::Function, Error> {
    let params = body.list(body.blocks[Body::ENTRY].params).len();
    // One more local than values: the state.
    if body.values.len() >= MAX_LOCALS {
        let (function, values) = (program.functions[func].name.clone(), body.values.len());
        return Err(Error::TooManyValues { function, values, limit: MAX_LOCALS - 1 });
    }
    let mut local_types = Vec::new();
    let mut locals = Vec::new();
    for value in body.values.values() {
        match value.def {
            Def::Param(Body::ENTRY, number) => locals.push(number),
            Def::Param(..) | Def::Result(..) => {
                locals.push((params + local_types.len()) as u32);
                local_types.push(local_type(value.ty)?);
            }
        }
    }
    let state = (params + local_types.len()) as u32;
    local_types.push(ValType::I32);
    let code = wasm_encoder::Function::new_with_locals_types(local_types);
    let dispatch = Label(0);
    let mut lowering = Lowering { program, body, types, recorder, code, locals, state, dispatch, open: 0 };
    if let Some(recorder) = recorder {
        lowering.emit(Instruction::I32Const(0));
        lowering.note(recorder, recorder.layout.function(func));
    }
    lowering.function()?;
    Ok(lowering.code)
}

/// The type of the local that holds a value: the nullable top of its hierarchy if it is a reference,
/// as locals need a default. Signatures of the features we accept never ask for more.
fn local_type(ty: wasmparser::ValType) -> Result<ValType, Error> {
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
    types: &'a mut BlockTypes,
    recorder: Option<Recorder<'a>>,
    code: wasm_encoder::Function,
    /// The local of each value.
    locals: Vec<u32>,
    /// The local with the number of the block to run next.
    state: u32,
    dispatch: Label,
    /// How many constructs are open.
    open: u32,
}

impl<'a> Lowering<'a> {
    fn function(&mut self) -> Result<(), Error> {
        self.dispatch = self.open(Instruction::Loop(BlockType::Empty));
        let blocks = self.body.blocks.len() as u32;
        for _ in 0..blocks {
            self.open(Instruction::Block(BlockType::Empty));
        }
        self.emit(Instruction::LocalGet(self.state));
        let cases: Vec<u32> = (0..blocks - 1).collect();
        self.emit(Instruction::BrTable(cases.into(), blocks - 1));
        for block in self.body.blocks.values() {
            self.close();
            self.block(block)?;
        }
        self.close();
        self.emit(Instruction::Unreachable);
        self.emit(Instruction::End);
        Ok(())
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
        self.get_all(edge.args);
        self.arrive(edge.to);
    }

    /// Goes on in a block whose parameters are on the operand stack.
    fn arrive(&mut self, block: Block) {
        self.set_all(self.body.blocks[block].params);
        self.emit(Instruction::I32Const(block.index() as i32));
        self.emit(Instruction::LocalSet(self.state));
        self.emit(Instruction::Br(self.depth(self.dispatch)));
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
        if let Some((recorder, place)) = self.site(offset) {
            self.emit(Instruction::I32Const(direction));
            self.note(recorder, place);
        }
    }

    /// Notes which value a select chooses, if notes are taken.
    fn select(&mut self, inst: &InstData) {
        if let (Some((recorder, place)), Some(&condition)) =
            (self.site(inst.offset), self.body.list(inst.args).last())
        {
            self.get(condition);
            self.emit(Instruction::I32Const(0));
            self.emit(Instruction::I32Ne);
            self.note(recorder, place);
        }
    }

    fn site(&self, offset: u32) -> Option<(Recorder<'a>, u64)> {
        let recorder = self.recorder?;
        Some((recorder, recorder.place(offset)?))
    }

    fn note(&mut self, recorder: Recorder<'_>, place: u64) {
        recorder.note(place).into_iter().for_each(|instruction| self.emit(instruction));
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
        self.emit(Instruction::LocalGet(self.locals[value.index()]));
    }

    fn get_all(&mut self, values: Values) {
        for &value in self.body.list(values) {
            self.get(value);
        }
    }

    /// Takes values from the operand stack.
    fn set_all(&mut self, values: Values) {
        for value in self.body.list(values).iter().rev() {
            self.emit(Instruction::LocalSet(self.locals[value.index()]));
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
