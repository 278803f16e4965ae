//! A program: a wasm module taken apart.

use crate::calls::CallGraph;
use crate::debug_info::{DebugInfo, Frame, Unit};
use crate::ends::Ends;
use crate::entity::{Arena, Id, id};
use crate::ir::{BlockData, Body, Terminator, ValType};
use crate::names::printable;
use crate::site::{Site, SiteData};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use wasmparser::{BinaryReader, FunctionBody};

id!(
    /// A function of the program, by its wasm index (imports first).
    Func, "fn");

/// A program as coax understands it.
#[derive(Debug)]
pub struct Program {
    /// The plain module, as it was loaded.
    pub wasm: Vec<u8>,
    /// The module's types.
    pub types: Vec<Signature>,
    /// The functions, imports first.
    pub functions: Arena<Func, Function>,
    /// The tables, imports first.
    pub tables: Vec<Table>,
    /// The memories, imports first.
    pub memories: Vec<Memory>,
    /// The globals, imports first.
    pub globals: Vec<Global>,
    /// The data segments, in the order in which they are written.
    pub data: Vec<DataSegment>,
    /// The type index of each exception tag, imports first.
    pub tags: Vec<u32>,
    /// Everything imported, in order.
    pub imports: Vec<Import>,
    /// Everything exported, in order.
    pub exports: Vec<Export>,
    /// The function that runs at instantiation.
    pub start: Option<Func>,
    /// Functions that element segments or `ref.func` mention, so that they may be called indirectly.
    pub address_taken: Vec<Func>,
    /// All sites, in the order of the code.
    pub sites: Arena<Site, SiteData>,
    /// Source lines, inlined frames, compile units.
    pub debug: DebugInfo,
    /// Directory that the files in [`Program::frames`] are named relative to, if they are below it.
    pub source_root: Option<PathBuf>,
    /// Found out when it is first asked for.
    pub(crate) ends: OnceLock<Ends>,
    /// Who calls whom, once somebody has asked.
    pub(crate) calls: OnceLock<CallGraph>,
}

/// The type of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// Parameter types.
    pub params: Vec<ValType>,
    /// Result types.
    pub results: Vec<ValType>,
}

/// One function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name as the linker knows it (`name` section, else export or import name, else `fn12`).
    pub symbol: String,
    /// The name for people: demangled C++ or Rust.
    pub name: String,
    /// Index into [`Program::types`].
    pub type_index: u32,
    /// The code.
    pub code: Code,
}

/// Where a function's code is.
#[derive(Clone, Debug)]
pub enum Code {
    /// In another module: index into [`Program::imports`].
    Import(usize),
    /// Here.
    Defined(Box<Defined>),
}

/// A function with code.
#[derive(Clone, Debug)]
pub struct Defined {
    /// The body in SSA form.
    pub body: Body,
    /// The bytes of the body in the module.
    pub range: Range<u32>,
    /// Its sites.
    pub sites: Range<Site>,
    /// The compile unit it came from.
    pub unit: Option<Unit>,
    /// How large it is: what tells before anything is compiled what that will take.
    pub size: Size,
}

/// How large a function is, in what makes work for compilers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Its operators.
    pub operators: u32,
    /// Its longest run of operators without one of structured control or a call.
    pub longest_run: u32,
    /// How many constructs are within each other at most.
    pub nesting: u32,
    /// Its operators within loops, each counted once for every loop around it.
    pub in_loops: u64,
    /// How many values are on the operand stack at most.
    pub height: u32,
    /// Its local variables, parameters among them.
    pub locals: u32,
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Functions that active element segments put there, by slot.
    pub slots: BTreeMap<u64, Func>,
    /// Whether `slots` is all there can be: the table is not imported, not exported and never written by the
    /// code, and each segment's place and contents are constants.
    pub complete: bool,
    /// Element type.
    pub ty: wasmparser::RefType,
    /// How many elements it begins with.
    pub initial: u64,
}

/// A linear memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Limits and kind.
    pub ty: wasmparser::MemoryType,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its type.
    pub ty: wasmparser::GlobalType,
    /// Its name, if the module has one.
    pub name: Option<String>,
    /// The number that it begins as; none if it is imported, computed, or no integer.
    pub first: Option<u64>,
}

/// Bytes of the module that are put into a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSegment {
    /// Where.
    pub place: DataPlace,
    /// Which bytes of the module.
    pub bytes: Range<usize>,
}

/// Where a data segment is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataPlace {
    /// When the program begins: the memory, and the address unless that is computed.
    Active(u32, Option<u64>),
    /// Where the code puts it, if it does.
    Passive,
}

/// Something the program wants from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Module part of its name.
    pub module: String,
    /// Field part of its name.
    pub name: String,
    /// What it is.
    pub kind: Extern,
}

/// Something the program offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Extern,
}

/// What is imported or exported, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extern {
    /// A function.
    Func(Func),
    /// A table.
    Table(u32),
    /// A memory.
    Memory(u32),
    /// A global.
    Global(u32),
    /// An exception tag.
    Tag(u32),
}

impl Function {
    /// The code, if it is in this module.
    pub fn defined(&self) -> Option<&Defined> {
        match &self.code {
            Code::Import(_) => None,
            Code::Defined(defined) => Some(defined),
        }
    }
}

impl Program {
    /// The type of a function.
    pub fn signature(&self, func: Func) -> &Signature {
        &self.types[self.functions[func].type_index as usize]
    }

    /// Who calls whom: found when it is first asked for, then kept.
    pub fn calls(&self) -> &CallGraph {
        self.calls.get_or_init(|| CallGraph::of(self))
    }

    /// What is written to the first memory when the program begins: addresses and bytes, later ones over earlier ones. None if something is put
    /// where only a running program knows.
    pub fn first_data(&self) -> Option<Vec<(u64, &[u8])>> {
        let mut written = Vec::new();
        for segment in &self.data {
            if let DataPlace::Active(0, at) = segment.place {
                written.push((at?, self.data_bytes(segment)));
            }
        }
        Some(written)
    }

    /// The bytes of a data segment.
    pub fn data_bytes(&self, segment: &DataSegment) -> &[u8] {
        &self.wasm[segment.bytes.clone()]
    }

    /// The function with this export name, else this symbol, else this demangled name; the first if several
    /// files have one of their own.
    pub fn find_function(&self, name: &str) -> Option<Func> {
        self.find_functions(name).first().copied()
    }

    /// All functions of this name: `static` functions of several files may share one. An export stands alone.
    pub fn find_functions(&self, name: &str) -> Vec<Func> {
        let exported = self.exports.iter().find_map(|export| match export.kind {
            Extern::Func(func) if export.name == name => Some(func),
            _ => None,
        });
        let all = |has: &dyn Fn(&Function) -> bool| -> Vec<Func> {
            self.functions.iter().filter(|(_, function)| has(function)).map(|(func, _)| func).collect()
        };
        match exported {
            Some(func) => vec![func],
            None => Some(all(&|function| function.symbol == name))
                .filter(|found| !found.is_empty())
                .unwrap_or_else(|| all(&|function| function.name == name)),
        }
    }

    /// The function that holds this byte of the module.
    pub fn function_at(&self, offset: u32) -> Option<Func> {
        // Imports come first, the others in the order of their code.
        let ends_before =
            |function: &Function| function.defined().is_none_or(|code| code.range.end <= offset);
        let func = Func::new(self.functions.partition_point(ends_before));
        let code = self.functions.get(func).and_then(Function::defined)?;
        code.range.contains(&offset).then_some(func)
    }

    /// The site of the operator at this byte of the module.
    pub fn site_at(&self, offset: u32) -> Option<Site> {
        let site = Site::new(self.sites.partition_point(|data| data.offset < offset));
        self.sites.get(site).is_some_and(|data| data.offset == offset).then_some(site)
    }

    /// The site of a block's terminator. (A jump to a handler's label has the offset of the call that may
    /// throw, but is no site.)
    pub fn end_site(&self, block: &BlockData) -> Option<Site> {
        match block.end {
            Terminator::Jump(_) | Terminator::Invoke { .. } | Terminator::Return(_) => None,
            _ => self.site_at(block.end_offset),
        }
    }

    /// The calls that may end a run, or the function that they are in, without a trace.
    pub fn ends(&self) -> &Ends {
        self.ends.get_or_init(|| Ends::of(self))
    }

    /// Where an operator came from: the innermost frame first, then those it was inlined into.
    pub fn frames(&self, offset: u32) -> Vec<Frame> {
        let mut frames = self.debug.frames(offset);
        for frame in &mut frames {
            frame.file = frame.file.as_deref().map(|file| self.relative(file));
            frame.function = frame.function.as_deref().map(printable);
        }
        frames
    }

    /// Where the operators of a function begin, those included that only move values.
    pub fn operator_starts(&self, func: Func) -> Vec<u32> {
        let Some(defined) = self.functions[func].defined() else { return Vec::new() };
        let (start, end) = (defined.range.start as usize, defined.range.end as usize);
        let body = FunctionBody::new(BinaryReader::new(&self.wasm[start..end], start));
        let operators =
            body.get_operators_reader().into_iter().flat_map(|reader| reader.into_iter_with_offsets());
        operators.flatten().map(|(_, offset)| offset as u32).collect()
    }

    /// Where the source declares a function.
    pub fn declared_at(&self, func: Func) -> Option<Frame> {
        let function = &self.functions[func];
        let (file, line) = self.debug.declared_at(function.defined()?.range.start)?;
        let file = Some(self.relative(file));
        Some(Frame { function: Some(function.name.clone()), file, line: Some(line), column: None })
    }

    fn relative(&self, file: &str) -> String {
        let below = self.source_root.as_ref().and_then(|root| Path::new(file).strip_prefix(root).ok());
        printable(&below.map_or_else(|| file.to_string(), |below| below.display().to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(fields: &str) -> Program {
        let text = format!("(module {fields} (memory $first 1) (memory $other 1))");
        Program::parse(wat::parse_str(text).expect("it is well-formed")).expect("it is valid")
    }

    #[test]
    fn data_are_those_that_the_first_memory_begins_with() {
        let program = program(
            r#"(data (i32.const 64) "later") (data "passive") (data (memory $other) (i32.const 0) "other")
               (data (i32.const -1) "high") (global i32 (i32.const 7)) (global i32 (i32.add (i32.const 1) (i32.const 2)))"#,
        );
        let expected: [(u64, &[u8]); 2] = [(64, b"later"), (u64::from(u32::MAX), b"high")];
        assert_eq!(program.first_data().as_deref(), Some(&expected[..]));
        let bytes: Vec<&[u8]> = program.data.iter().map(|segment| program.data_bytes(segment)).collect();
        assert_eq!(bytes, [&b"later"[..], b"passive", b"other", b"high"]);
        let first: Vec<Option<u64>> = program.globals.iter().map(|global| global.first).collect();
        assert_eq!(first, [Some(7), None]);
    }

    #[test]
    fn data_that_are_placed_at_run_time_make_all_unknown() {
        let program = program(
            r#"(import "env" "base" (global $base i32)) (data (i32.const 0) "x") (data (global.get $base) "y")"#,
        );
        assert_eq!(program.first_data(), None);
        assert_eq!(program.data[1].place, DataPlace::Active(0, None));
        assert_eq!(program.globals[0].first, None);
    }
}
