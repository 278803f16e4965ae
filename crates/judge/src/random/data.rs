//! Random modules with dense data flow.
//!
//! wasm-smith's accesses of memory mostly trap, and the modules dense in control flow have no memory. These modules let
//! what the arguments say flow through everything that can hold a value: locals, globals, the operand stack across any
//! construct, overlapping cells of memory, vectors, payloads of exceptions, calls of every kind. Cells and locals are
//! symbolic at one time and constant at the next, so that a shadow that was forgotten shows. Operators that may trap
//! mostly have operands for which they do not; loops and calls are counted, so that runs end.

mod arguments;
mod code;
mod exceptions;
mod expression;
mod flow;
mod inputs;
mod memory;
mod operators;
mod services;
mod shape;
mod statement;
mod tables;

use super::generate::Random;
use code::Code;
use shape::{PASSIVE_BYTES, PASSIVE_SEGMENTS, SLOTS, Shape};
use wasm_encoder::{
    CodeSection, ConstExpr, DataCountSection, DataSection, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, FunctionSection, GlobalSection, GlobalType, ImportSection, MemorySection, MemoryType,
    Module, RefType, StartSection, TableSection, TableType, TagKind, TagSection, TagType, ValType,
};

/// The most statements that a function may have.
pub(super) const MAX_STATEMENTS: usize = 40;
/// Bytes of memory that are not zero at first.
const INITIALISED_BYTES: usize = 64;
const MAX_PAGES: u64 = 4;

/// A module whose functions have at most so many statements each.
pub(super) fn module(seed: u64, statements: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let shape = Shape::new(&mut random);
    encode(&shape, random, statements)
}

/// The same with functions of WASI, which are called in every way.
pub(super) fn module_with_services(seed: u64, statements: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let shape = Shape::with_services(&mut random);
    encode(&shape, random, statements)
}

fn encode(shape: &Shape, mut random: Random, statements: usize) -> Vec<u8> {
    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    let imports = imports(shape);
    for function in 0..shape.functions.len() {
        functions.function(shape.type_index(shape.signature(function)));
        // Each function has random numbers of its own, so that a smaller module begins like a larger one.
        let budget = random.pick(&[MAX_STATEMENTS / 4, MAX_STATEMENTS / 2, MAX_STATEMENTS]).min(statements);
        code.function(&Code::function(shape, Random::new(random.next()), function, budget));
    }
    let mut tags = TagSection::new();
    for payload in &shape.tags {
        let signature = shape::Signature { params: payload.clone(), results: Vec::new() };
        tags.tag(TagType { kind: TagKind::Exception, func_type_idx: shape.type_index(&signature) });
    }
    let data = data(shape, &mut random);
    let mut module = Module::new();
    // All types are known only now.
    module.section(&shape.type_section());
    if !imports.is_empty() {
        module.section(&imports);
    }
    module.section(&functions).section(&table(shape)).section(&memories(shape));
    module.section(&tags).section(&globals(shape, &mut random)).section(&exports(shape, &mut random));
    if let Some(start) = shape.start {
        module.section(&StartSection { function_index: shape.index(start) });
    }
    module.section(&elements(shape)).section(&DataCountSection { count: data.len() });
    module.section(&code).section(&data);
    module.finish()
}

/// One of several, each as often as its weight says.
fn weighted<T: Copy>(random: &mut Random, choices: &[(usize, T)]) -> T {
    let mut number = random.below(choices.iter().map(|(weight, _)| weight).sum());
    for &(weight, choice) in choices {
        match number.checked_sub(weight) {
            Some(rest) => number = rest,
            None => return choice,
        }
    }
    unreachable!("the number is below the sum of the weights")
}

fn imports(shape: &Shape) -> ImportSection {
    let mut imports = ImportSection::new();
    for service in &shape.services {
        let ty = shape.type_index(&service.signature());
        imports.import("wasi_snapshot_preview1", service.name, EntityType::Function(ty));
    }
    imports
}

fn table(shape: &Shape) -> TableSection {
    let minimum = u64::from(SLOTS) * shape.signatures.len() as u64;
    let mut tables = TableSection::new();
    tables.table(TableType {
        element_type: RefType::FUNCREF,
        table64: false,
        minimum,
        maximum: None,
        shared: false,
    });
    tables
}

fn memories(shape: &Shape) -> MemorySection {
    let mut memories = MemorySection::new();
    for &address in &shape.memories {
        memories.memory(MemoryType {
            minimum: u64::from(shape.pages),
            maximum: Some(MAX_PAGES),
            memory64: address == ValType::I64,
            shared: false,
            page_size_log2: None,
        });
    }
    memories
}

fn globals(shape: &Shape, random: &mut Random) -> GlobalSection {
    let mut globals = GlobalSection::new();
    for (index, global) in shape.globals.iter().enumerate() {
        let bits = random.next();
        let value = match global.ty {
            ValType::I32 if index == shape::CALLS_LEFT as usize => ConstExpr::i32_const(shape.calls),
            ValType::I32 if index == shape::SHELTERS as usize => ConstExpr::i32_const(0),
            ValType::I32 => ConstExpr::i32_const(bits as i32),
            ValType::I64 => ConstExpr::i64_const(bits as i64),
            ValType::F32 => ConstExpr::f32_const((bits as i8 as f32 / 4.0).into()),
            ValType::F64 => ConstExpr::f64_const((bits as i16 as f64 / 8.0).into()),
            _ => ConstExpr::v128_const(i128::from(bits) << 32),
        };
        globals.global(GlobalType { val_type: global.ty, mutable: global.mutable, shared: false }, &value);
    }
    globals
}

/// Everything that can be looked at from outside.
fn exports(shape: &Shape, random: &mut Random) -> ExportSection {
    let mut exports = ExportSection::new();
    for function in 0..shape.functions.len() {
        let name = match shape.initializer {
            Some(initializer) if initializer == function => "_initialize".into(),
            _ => format!("f{function}"),
        };
        exports.export(&name, ExportKind::Func, shape.index(function));
    }
    for global in 0..shape.globals.len() {
        exports.export(&format!("g{global}"), ExportKind::Global, global as u32);
    }
    for memory in 0..shape.memories.len() {
        exports.export(&format!("memory{memory}"), ExportKind::Memory, memory as u32);
    }
    exports.export("table", ExportKind::Table, 0);
    if !shape.services.is_empty() {
        export_to_services(shape, random, &mut exports);
    }
    exports
}

/// The memory that WASI works on, mostly the first; and now and then an imported function.
fn export_to_services(shape: &Shape, random: &mut Random, exports: &mut ExportSection) {
    match random.below(60) {
        0 => {}
        1 => {
            exports.export("memory", ExportKind::Memory, shape.memories.len() as u32 - 1);
        }
        _ => {
            exports.export("memory", ExportKind::Memory, 0);
        }
    }
    if random.below(20) == 0 {
        let service = random.below(shape.services.len());
        exports.export("imported", ExportKind::Func, service as u32);
    }
}

/// For each signature, functions that have it: a passive segment, in the order of the signatures, and its slots.
fn elements(shape: &Shape) -> ElementSection {
    let slots = |group: usize| -> Vec<u32> {
        shape.functions_with(group).into_iter().cycle().take(SLOTS as usize).collect()
    };
    let mut elements = ElementSection::new();
    for group in 0..shape.signatures.len() {
        let mut others = slots(group);
        others.reverse();
        elements.passive(Elements::Functions(others.into()));
    }
    for group in 0..shape.signatures.len() {
        let slots = slots(group);
        let start = ConstExpr::i32_const((group as u32 * SLOTS) as i32);
        elements.active(None, &start, Elements::Functions(slots.into()));
    }
    if !shape.services.is_empty() {
        // Code may only refer to functions that are named outside of it.
        let all: Vec<u32> = (0..shape.services.len() as u32).collect();
        elements.declared(Elements::Functions(all.into()));
    }
    elements
}

/// The passive segments come first, so that their numbers are known.
fn data(shape: &Shape, random: &mut Random) -> DataSection {
    let mut bytes = |count| (0..count).map(|_| random.next() as u8).collect::<Vec<u8>>();
    let mut data = DataSection::new();
    for _ in 0..PASSIVE_SEGMENTS {
        data.passive(bytes(PASSIVE_BYTES));
    }
    for start in [0, 100] {
        let start = match shape.memories[0] {
            ValType::I64 => ConstExpr::i64_const(start),
            _ => ConstExpr::i32_const(start as i32),
        };
        data.active(0, &start, bytes(INITIALISED_BYTES));
    }
    data
}
