//! Functions of the checking module that the program does not have: wrappers of its allocator's, and what a suspicious access calls.

use super::host::Import;
use super::roles::Role;
use super::shadow::{DEPTH, GRANULE_BITS};
use coax_program::Signature;
use wasm_encoder::{BlockType, Function, Instruction as I, MemArg, ValType};

/// The parameters of each helper; the results are none. All parameters are `i32`.
pub(super) const PARAMS: [usize; 2] = [4, 3];
/// The most parameters that a function of ours has.
pub(super) const MOST_PARAMS: usize = 5;
/// How many parameters of an allocator function the host is told.
const TOLD: u32 = 4;
/// Ranges that are longer are the host's business at once: the shadow of so many bytes is one number.
const SHORT: i32 = 56;

/// What code of ours refers to.
#[derive(Clone, Copy)]
pub(super) struct Write {
    pub(super) shadow: u32,
    /// Where in it the shadow of address 0 is.
    pub(super) base: u64,
    /// The program's first memory.
    pub(super) memory: u32,
    pub(super) first_import: u32,
    /// The first body of an allocator function.
    pub(super) first_body: u32,
    pub(super) first_helper: u32,
    pub(super) stack_pointer: Option<u32>,
}

impl Write {
    pub(super) fn import(&self, import: Import) -> u32 {
        self.first_import + import as u32
    }

    fn at(&self, offset: u64) -> MemArg {
        MemArg { offset, align: 0, memory_index: self.shadow }
    }

    /// Pushes how many calls of allocator functions are active.
    fn depth(&self) -> [I<'static>; 2] {
        [I::I32Const(0), I::I32Load(self.at(DEPTH))]
    }

    fn add_to_depth(&self, code: &mut Function, more: i32) {
        emit(code, &[I::I32Const(0)]);
        emit(code, &self.depth());
        emit(code, &[I::I32Const(more), I::I32Add, I::I32Store(self.at(DEPTH))]);
    }

    /// Tells the host that memory has grown, if it has; how much there was before, or -1, is in a local.
    pub(super) fn tell_growth(&self, code: &mut Function, before: u32) {
        emit(
            code,
            &[
                I::LocalGet(before),
                I::I32Const(-1),
                I::I32Ne,
                I::If(BlockType::Empty),
                I::LocalGet(before),
                I::MemorySize(self.memory),
            ],
        );
        emit(code, &self.depth());
        emit(code, &[I::Call(self.import(Import::Grown)), I::End]);
    }

    /// Has the host judge an access: address, size and flags are in locals.
    fn suspect(&self, code: &mut Function, locals: [u32; 3]) {
        emit(code, &locals.map(I::LocalGet));
        emit(code, &[self.stack_pointer.map_or(I::I32Const(-1), I::GlobalGet)]);
        emit(code, &[I::Call(self.import(Import::Suspect))]);
    }

    /// Returns if an allocator function is active.
    fn return_in_allocator(&self, code: &mut Function) {
        emit(code, &self.depth());
        emit(code, &[I::If(BlockType::Empty), I::Return, I::End]);
    }
}

fn emit(code: &mut Function, instructions: &[I<'_>]) {
    for instruction in instructions {
        code.instruction(instruction);
    }
}

/// What is in the place of an allocator function: it calls the function's own body, and the host before and after if the call is the outermost.
pub(super) fn wrapper(write: &Write, number: u32, role: Role, signature: &Signature) -> Function {
    let params = signature.params.len() as u32;
    let result = params;
    let mut code = Function::new([(1, ValType::I32)]);
    write.add_to_depth(&mut code, 1);
    emit(&mut code, &write.depth());
    emit(&mut code, &[I::I32Const(1), I::I32Eq, I::If(BlockType::Empty), I::I32Const(number as i32)]);
    for param in 0..TOLD {
        emit(&mut code, &[if param < params { I::LocalGet(param) } else { I::I32Const(0) }]);
    }
    emit(&mut code, &[I::Call(write.import(Import::Enter)), I::End]);
    for param in 0..params {
        emit(&mut code, &[I::LocalGet(param)]);
    }
    emit(&mut code, &[I::Call(write.first_body + number)]);
    let has_result = !signature.results.is_empty();
    if has_result {
        emit(&mut code, &[I::LocalSet(result)]);
    }
    write.add_to_depth(&mut code, -1);
    emit(&mut code, &write.depth());
    emit(&mut code, &[I::I32Eqz, I::If(BlockType::Empty), I::I32Const(number as i32)]);
    match role {
        // The block is where the caller wants it, if there is one.
        Role::AllocateInto { place, .. } => emit(
            &mut code,
            &[
                I::LocalGet(result),
                I::If(BlockType::Result(ValType::I32)),
                I::I32Const(0),
                I::Else,
                I::LocalGet(place as u32),
                I::I32Load(MemArg { offset: 0, align: 0, memory_index: write.memory }),
                I::End,
            ],
        ),
        _ => emit(&mut code, &[I::LocalGet(result)]),
    }
    emit(&mut code, &[I::Call(write.import(Import::Leave)), I::End]);
    if has_result {
        emit(&mut code, &[I::LocalGet(result)]);
    }
    emit(&mut code, &[I::End]);
    code
}

/// `(address, offset, size, flags)`: something near the access is red. Is it the access itself? Then the host is asked.
pub(super) fn check_access(write: &Write) -> Function {
    let [address, offset, size, flags, last] = [0, 1, 2, 3, 4];
    let mut code = Function::new([(1, ValType::I32)]);
    write.return_in_allocator(&mut code);
    // address += offset; past the end of all addresses the access itself traps.
    emit(
        &mut code,
        &[
            I::LocalGet(address),
            I::LocalGet(offset),
            I::I32Add,
            I::LocalTee(address),
            I::LocalGet(offset),
            I::I32LtU,
            I::If(BlockType::Empty),
            I::Return,
            I::End,
        ],
    );
    let granule = |code: &mut Function, local: u32| {
        emit(code, &[I::LocalGet(local), I::I32Const(GRANULE_BITS as i32), I::I32ShrU]);
    };
    // last = address + size - 1
    emit(&mut code, &[I::LocalGet(address), I::LocalGet(size), I::I32Add, I::I32Const(1), I::I32Sub]);
    emit(&mut code, &[I::LocalSet(last)]);
    // Within one granule, or over two of which the first is all right: may the last byte be accessed?
    granule(&mut code, last);
    granule(&mut code, address);
    emit(&mut code, &[I::I32Sub, I::I32Const(2), I::I32LtU, I::If(BlockType::Empty)]);
    granule(&mut code, last);
    granule(&mut code, address);
    emit(&mut code, &[I::I32Eq]);
    granule(&mut code, address);
    emit(&mut code, &[I::I32Load8U(write.at(write.base)), I::I32Eqz, I::I32Or, I::If(BlockType::Empty)]);
    granule(&mut code, last);
    emit(
        &mut code,
        &[I::I32Load8U(write.at(write.base)), I::I32Eqz, I::If(BlockType::Empty), I::Return, I::End],
    );
    emit(&mut code, &[I::LocalGet(last), I::I32Const((1 << GRANULE_BITS) - 1), I::I32And]);
    granule(&mut code, last);
    // Red is less than any place in a granule.
    emit(
        &mut code,
        &[I::I32Load8S(write.at(write.base)), I::I32LtS, I::If(BlockType::Empty), I::Return, I::End],
    );
    emit(&mut code, &[I::End, I::End]);
    write.suspect(&mut code, [address, size, flags]);
    emit(&mut code, &[I::End]);
    code
}

/// `(address, length, flags)`: bytes that are copied or filled.
pub(super) fn check_range(write: &Write) -> Function {
    let [address, length, flags, granules] = [0, 1, 2, 3];
    let mut code = Function::new([(1, ValType::I32)]);
    emit(&mut code, &[I::LocalGet(length), I::I32Eqz, I::If(BlockType::Empty), I::Return, I::End]);
    write.return_in_allocator(&mut code);
    emit(&mut code, &[I::LocalGet(length), I::I32Const(SHORT), I::I32LeU, I::If(BlockType::Empty)]);
    // granules = (address % 8 + length + 7) / 8, 8 at most; their shadow is one number, from which the rest is shifted out.
    emit(
        &mut code,
        &[
            I::LocalGet(address),
            I::I32Const(7),
            I::I32And,
            I::LocalGet(length),
            I::I32Add,
            I::I32Const(7),
            I::I32Add,
            I::I32Const(GRANULE_BITS as i32),
            I::I32ShrU,
            I::LocalSet(granules),
            I::LocalGet(address),
            I::I32Const(GRANULE_BITS as i32),
            I::I32ShrU,
            I::I64Load(write.at(write.base)),
            I::I32Const(8),
            I::LocalGet(granules),
            I::I32Sub,
            I::I32Const(8),
            I::I32Mul,
            I::I64ExtendI32U,
            I::I64Shl,
            I::I64Eqz,
            I::If(BlockType::Empty),
            I::Return,
            I::End,
            I::End,
        ],
    );
    write.suspect(&mut code, [address, length, flags]);
    emit(&mut code, &[I::End]);
    code
}
