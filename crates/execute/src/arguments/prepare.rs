//! What happens between the instantiation of a program and the call of its entry function, the same in every engine: constructors
//! run, a fuzz target's own preparation runs, and what the parameters point to is put into memory.

use super::plan::{Block, ParameterPlan, PlannedParam, PlannedSymbol};
use super::{Argument, Content, Field, Number, Object, Room};
use crate::entry::{Allocator, Entry};
use crate::{Error, Input, Value};
use coax_program::{Func, Program};

/// A wasm page.
const PAGE: u64 = 1 << 16;
/// What every block in new pages is aligned to, but for the last if it ends with the memory.
const ALIGNMENT: u64 = 16;
/// What every block has at least where it does not matter that something can be read behind it.
const ROOM: u64 = 4096;

/// A running instance of a program, of any engine.
pub(crate) trait Machine {
    /// Why it stopped.
    type Stop: From<NoRoom>;

    /// Calls a function with numbers.
    fn call(&mut self, function: Func, params: &[Value]) -> Result<Vec<Value>, Self::Stop>;

    /// How many bytes the first memory has.
    fn memory_bytes(&mut self) -> u64;

    /// Adds pages to the first memory; whether that was possible.
    fn grow(&mut self, pages: u64) -> bool;

    /// Writes numbers to the first memory, inside of it.
    fn write(&mut self, address: u64, bytes: &[u8]);

    /// What was written here is a symbol.
    fn mark(&mut self, address: u64, symbol: &PlannedSymbol);
}

/// There is not enough memory for what parameters point to.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("there is no room for {0} bytes of parameters")]
pub(crate) struct NoRoom(pub(crate) u64);

impl From<NoRoom> for Error {
    fn from(NoRoom(bytes): NoRoom) -> Error {
        Error::NoRoom { bytes }
    }
}

/// Makes a fresh instance ready; returns the numbers of the entry function's parameters.
pub(crate) fn prepare<M: Machine>(
    machine: &mut M,
    entry: &Entry,
    plan: &ParameterPlan,
    first: Option<&ParameterPlan>,
) -> Result<Vec<Value>, M::Stop> {
    if let Some(initializer) = entry.initializer {
        machine.call(initializer, &[])?;
    }
    if let Some((fuzz_initializer, plan)) = entry.fuzz_initializer.zip(first) {
        let params = place(machine, entry.allocator, plan, false)?;
        machine.call(fuzz_initializer, &params)?;
    }
    place(machine, entry.allocator, plan, true)
}

/// Takes memory before anybody else does, a page and what these calls give, so that objects of the program's and of ours lie elsewhere.
pub(crate) fn take_room<M: Machine>(machine: &mut M, calls: &[(Func, Vec<Value>)]) -> Result<(), M::Stop> {
    for (func, params) in calls {
        machine.call(*func, params)?;
    }
    if machine.grow(1) { Ok(()) } else { Err(NoRoom(PAGE).into()) }
}

/// What a fuzz target's own preparation is given: the arguments of a program that has none.
pub(crate) fn fuzz_initializer_plan(
    program: &Program,
    entry: &Entry,
    most_bytes: u64,
) -> Result<Option<ParameterPlan>, Error> {
    let Some(func) = entry.fuzz_initializer else { return Ok(None) };
    let pointer = |fields: Vec<(u64, Content)>, size: u64| {
        let field = |(at, content)| Field { at, argument: Argument::new(content) };
        Content::Pointer(Some(Object::new(Room::Heap, size, fields.into_iter().map(field).collect())))
    };
    let name = Content::Text(Room::Heap, "program".into());
    let list = pointer(vec![(0, name), (4, Content::Pointer(None))], 8);
    let count = pointer(vec![(0, Content::Number(Number::Value(Value::I32(1))))], 4);
    let params = [count, pointer(vec![(0, list)], 4)].map(Argument::new).to_vec();
    let input = Input { params, ..Input::default() };
    ParameterPlan::new(program, func, "LLVMFuzzerInitialize", &input, most_bytes, super::Naming::NoBytes)
        .map(Some)
}

/// Puts the blocks into memory; returns the numbers of the parameters.
fn place<M: Machine>(
    machine: &mut M,
    allocator: Option<Allocator>,
    plan: &ParameterPlan,
    mark: bool,
) -> Result<Vec<Value>, M::Stop> {
    let addresses = allocate(machine, allocator, &plan.blocks, plan.is_tight)?;
    for (block, &address) in plan.blocks.iter().zip(&addresses) {
        let mut bytes = block.bytes.clone();
        for &(at, to) in &block.pointers {
            let pointer = addresses[to].to_le_bytes();
            let width = plan.pointer_bytes();
            bytes[at..at + width].copy_from_slice(&pointer[..width]);
        }
        machine.write(address, &bytes);
        for (at, symbol) in block.symbols.iter().filter(|_| mark) {
            machine.mark(address + *at as u64, symbol);
        }
    }
    let number = |param: &PlannedParam| match *param {
        PlannedParam::Number(value, _) => value,
        PlannedParam::Address(block) if plan.pointer_bytes() == 8 => Value::I64(addresses[block] as i64),
        PlannedParam::Address(block) => Value::I32(addresses[block] as i32),
    };
    Ok(plan.params.iter().map(number).collect())
}

/// The addresses of blocks. What comes from the program's allocator comes first: it may enlarge the memory, whose end then stays
/// where it is.
fn allocate<M: Machine>(
    machine: &mut M,
    allocator: Option<Allocator>,
    blocks: &[Block],
    is_tight: bool,
) -> Result<Vec<u64>, M::Stop> {
    let mut addresses = vec![0; blocks.len()];
    let on_heap = |block: &Block| block.room == Room::Heap && allocator.is_some();
    for (block, address) in blocks.iter().zip(&mut addresses).filter(|(block, _)| on_heap(block)) {
        if let Some(allocator) = allocator {
            *address = allocator.allocate(machine, block.bytes.len() as u64)?;
        }
    }
    let in_pages = || blocks.iter().enumerate().filter(|(_, block)| !on_heap(block));
    if in_pages().next().is_none() {
        return Ok(addresses);
    }
    if let Some(allocator) = allocator.filter(|_| !blocks.iter().any(on_heap)) {
        allocator.wake(machine)?;
    }
    let room = |block: &Block| match (block.bytes.len() as u64, is_tight) {
        (bytes, true) => bytes.next_multiple_of(ALIGNMENT),
        (bytes, false) => bytes.next_power_of_two().max(ROOM),
    };
    let total: u64 = in_pages().map(|(_, block)| room(block)).sum();
    let mut begin = machine.memory_bytes();
    if !machine.grow(total.div_ceil(PAGE)) {
        return Err(NoRoom(total).into());
    }
    if !is_tight {
        for (number, block) in in_pages() {
            addresses[number] = begin;
            begin += room(block);
        }
        return Ok(addresses);
    }
    let mut end = machine.memory_bytes();
    let mut is_last = true;
    for (number, block) in in_pages().collect::<Vec<_>>().into_iter().rev() {
        let begin = end - block.bytes.len() as u64;
        // An object is as long as its alignment demands: the last one begins at a good place by itself.
        end = if is_last { begin } else { begin / ALIGNMENT * ALIGNMENT };
        is_last = false;
        addresses[number] = end;
    }
    Ok(addresses)
}

impl Allocator {
    /// Some allocators of C's take all memory that there is when they are called first (older versions of WASI's libc do): so they are called
    /// before there are pages that are not theirs.
    fn wake<M: Machine>(self, machine: &mut M) -> Result<(), M::Stop> {
        if let Allocator::Malloc(_, free) = self {
            let address = self.allocate(machine, 1)?;
            if let Some(free) = free {
                machine.call(free, &[Value::I32(address as i32)])?;
            }
        }
        Ok(())
    }

    fn allocate<M: Machine>(self, machine: &mut M, bytes: u64) -> Result<u64, M::Stop> {
        let (function, params) = match self {
            Allocator::Malloc(function, _) => (function, vec![Value::I32(bytes as i32)]),
            // Rust has no memory behind what is empty, and its pointers are not null.
            Allocator::Rust(_) if bytes == 0 => return Ok(ALIGNMENT),
            Allocator::Rust(function) => {
                let alignment = 1 << bytes.trailing_zeros().min(3);
                (function, vec![Value::I32(bytes as i32), Value::I32(alignment)])
            }
        };
        match machine.call(function, &params)?[..] {
            [Value::I32(address)] if address != 0 => Ok(u64::from(address as u32)),
            _ => Err(NoRoom(bytes).into()),
        }
    }
}
