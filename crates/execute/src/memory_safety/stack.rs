//! Where the stack of C and Rust programs is, which is in linear memory: a global points to it.

use coax_program::{Extern, Program};
use wasmparser::ValType;

const NAME: &str = "__stack_pointer";

/// What functions that call no others use below the stack pointer without moving it.
pub(super) const RED_ZONE: u32 = 128;

/// No object of a program is below: compilers begin there, or have the end of the stack there.
pub(super) const FIRST_ADDRESS: u32 = 1024;

/// What is known of where things are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The global that is the stack pointer.
    pub(super) stack_pointer: u32,
    /// Where the stack begins; it grows to smaller addresses.
    pub(super) top: u32,
    /// It has overflowed below. The data's end if the data lie below it, but variables without initial values are not known: an overflow
    /// that ends among them is missed.
    pub(super) lowest: u32,
    /// What is below is stack or data, never heap.
    pub(super) heap_base: u32,
    /// Whether nothing of the program's is below [`FIRST_ADDRESS`] but perhaps the end of its stack.
    pub(super) null_is_free: bool,
}

impl Layout {
    /// What the module says; none if it has no stack pointer.
    pub(super) fn of(program: &Program) -> Option<Layout> {
        let stack_pointer = stack_pointer(program)?;
        let top = u32::try_from(program.globals[stack_pointer as usize].first?).ok()?;
        let (mut start, mut end) = (u32::MAX, 0);
        let mut null_is_free = true;
        // Where a segment is that is placed at run time nobody knows.
        for (at, bytes) in program.first_data()? {
            let at = u32::try_from(at).ok()?;
            null_is_free &= bytes.is_empty() || at >= FIRST_ADDRESS;
            start = start.min(at);
            end = end.max(at.saturating_add(bytes.len() as u32));
        }
        let lowest = if end <= top { end } else { 0 };
        // Data on both sides of the stack's begin: not a layout that linkers make.
        let is_usual = end <= top || start >= top;
        is_usual.then_some(Layout { stack_pointer, top, lowest, heap_base: top.max(end), null_is_free })
    }
}

fn stack_pointer(program: &Program) -> Option<u32> {
    let exported = program.exports.iter().find_map(|export| match export.kind {
        Extern::Global(global) if export.name == NAME => Some(global),
        _ => None,
    });
    let named = || program.globals.iter().position(|global| global.name.as_deref() == Some(NAME));
    let global = exported.or_else(|| named().map(|place| place as u32))?;
    let ty = &program.globals.get(global as usize)?.ty;
    (ty.mutable && ty.content_type == ValType::I32).then_some(global)
}
