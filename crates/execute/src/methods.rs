//! Pieces of a program that run by themselves: functions, and loops as functions (the loop methods of Dinges 2014).
//!
//! ```text
//! the program's module, with everything exported ── instance ──▶ functions
//! a loop ── a module of its own that imports all of it, so that operators mean the same ──▶ one more function
//! ```
//!
//! Memory is what the program begins with: what code before the piece would have done to it has not happened. So what a piece gives is a good guess of what
//! it gives in the program, and no more.

use crate::exports::{self, Start};
use crate::lower::{local_type, looping};
use crate::tier::Tier;
use crate::{Limits, engine};
use coax_program::cfg::Loop;
use coax_program::ir::{Block, Value};
use coax_program::{Func, Program};
use std::collections::BTreeMap;
use wasm_encoder::reencode::{Reencode as _, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, EntityType, ExportKind, ExportSection, FunctionSection, ImportSection, TableType, TagKind,
    TagType, TypeSection,
};
use wasmtime::{
    Engine, Extern, Instance, Linker, Module, Store, StoreLimits, StoreLimitsBuilder, Val, ValType,
};

/// A piece of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// A function.
    Function(Func),
    /// The loop of a function with this header.
    Loop(Func, Block),
}

/// Pieces of a program, ready to run.
pub struct Methods {
    engine: Engine,
    base: Module,
    pieces: BTreeMap<Method, Piece>,
    running: Option<Running>,
    /// Whether it cannot even begin.
    is_stuck: bool,
}

struct Piece {
    /// Its own module, if it is a loop.
    module: Option<Module>,
    /// Whether memory or globals are others after it.
    leaves_traces: bool,
}

/// An instance in which pieces run, and those that have run in it.
struct Running {
    store: Store<StoreLimits>,
    base: Instance,
    functions: BTreeMap<Method, wasmtime::Func>,
}

/// What a loop's module calls itself.
const LOOP: &str = "loop";

impl Methods {
    /// None of a program that cannot be had without its host.
    pub fn new(program: &Program) -> Option<Methods> {
        let engine = engine::engine(Limits::default().stack_bytes.min(MOST_STACK), Tier::of(program)).ok()?;
        let more: Vec<_> = all(program).map(|(kind, index)| (name(kind, index), kind, index)).collect();
        let wasm = exports::add(&program.wasm, &more, Start::Kept).ok()?;
        let base = Module::new(&engine, wasm).ok()?;
        Some(Methods { engine, base, pieces: BTreeMap::new(), running: None, is_stuck: false })
    }

    /// A function that can be called; `leaves_traces` if memory or globals are others after that.
    pub fn add_function(&mut self, func: Func, leaves_traces: bool) -> Method {
        let method = Method::Function(func);
        self.pieces.entry(method).or_insert(Piece { module: None, leaves_traces });
        method
    }

    /// A loop that can be called, with the values that these have when it is entered: the parameters of its header first. None if it cannot be a module
    /// of its own.
    pub fn add_loop(
        &mut self,
        program: &Program,
        func: Func,
        around: &Loop,
        given: &[Value],
        leaves_traces: bool,
    ) -> Option<Method> {
        let method = Method::Loop(func, around.header);
        if !self.pieces.contains_key(&method) {
            let wasm = loop_module(program, func, around, given)?;
            let module = Some(Module::new(&self.engine, wasm).ok()?);
            self.pieces.insert(method, Piece { module, leaves_traces });
        }
        Some(method)
    }

    /// Calls a piece with numbers; what it gives, if it ends within so much fuel, which is taken. A loop gives the parameters of its header in the last
    /// round, and how often it went round.
    pub fn call(&mut self, method: Method, given: &[u64], fuel: &mut u64) -> Option<Vec<u64>> {
        let piece = self.pieces.get(&method)?;
        if self.running.is_none() && !self.is_stuck {
            self.running = Running::new(&self.engine, &self.base);
            self.is_stuck = self.running.is_none();
        }
        let running = self.running.as_mut()?;
        let gave = running.call(method, piece, given, fuel);
        if gave.is_none() || piece.leaves_traces {
            self.running = None;
        }
        gave
    }
}

/// What a start function may execute before pieces are called, and how large memory may become.
const FUEL_TO_BEGIN: u64 = 10_000_000;
const MOST_MEMORY: usize = 256 << 20;
/// What pieces may use of the stack: they are called wherever the caller is.
const MOST_STACK: usize = 256 << 10;

impl Running {
    fn new(engine: &Engine, base: &Module) -> Option<Running> {
        let limits = StoreLimitsBuilder::new().memory_size(MOST_MEMORY).build();
        let mut store = Store::new(engine, limits);
        store.set_epoch_deadline(u64::MAX / 2);
        store.limiter(|limits| limits);
        store.set_fuel(FUEL_TO_BEGIN).ok()?;
        let mut linker = Linker::new(engine);
        linker.define_unknown_imports_as_traps(base).ok()?;
        let base = linker.instantiate(&mut store, base).ok()?;
        Some(Running { store, base, functions: BTreeMap::new() })
    }

    fn call(&mut self, method: Method, piece: &Piece, given: &[u64], fuel: &mut u64) -> Option<Vec<u64>> {
        let function = match self.functions.get(&method) {
            Some(function) => *function,
            None => {
                let function = self.function(method, piece)?;
                self.functions.insert(method, function);
                function
            }
        };
        let ty = function.ty(&self.store);
        let given: Vec<Val> =
            ty.params().zip(given).map(|(ty, &bits)| val(&ty, bits)).collect::<Option<_>>()?;
        let mut gave: Vec<Val> = ty.results().map(|ty| val(&ty, 0)).collect::<Option<_>>()?;
        self.store.set_fuel(*fuel).ok()?;
        let result = function.call(&mut self.store, &given, &mut gave);
        *fuel = self.store.get_fuel().unwrap_or(0);
        result.ok()?;
        gave.iter().map(bits).collect()
    }

    fn function(&mut self, method: Method, piece: &Piece) -> Option<wasmtime::Func> {
        let Some(module) = &piece.module else {
            let Method::Function(func) = method else { return None };
            return self.base.get_func(&mut self.store, &name(ExportKind::Func, func.0));
        };
        let imports: Vec<Extern> = module
            .imports()
            .map(|import| self.base.get_export(&mut self.store, import.name()))
            .collect::<Option<_>>()?;
        let instance = Instance::new(&mut self.store, module, &imports).ok()?;
        instance.get_func(&mut self.store, LOOP)
    }
}

/// All that code of a program can name, each kind in order.
fn all(program: &Program) -> impl Iterator<Item = (ExportKind, u32)> {
    let kinds = [
        (ExportKind::Func, program.functions.len()),
        (ExportKind::Table, program.tables.len()),
        (ExportKind::Memory, program.memories.len()),
        (ExportKind::Global, program.globals.len()),
        (ExportKind::Tag, program.tags.len()),
    ];
    kinds.into_iter().flat_map(|(kind, count)| (0..count as u32).map(move |index| (kind, index)))
}

/// What it is exported as.
fn name(kind: ExportKind, index: u32) -> String {
    format!("coax:{kind:?}:{index}")
}

/// A module with a loop as its only code.
fn loop_module(program: &Program, func: Func, around: &Loop, given: &[Value]) -> Option<Vec<u8>> {
    let body = &program.functions[func].defined()?.body;
    let type_of = |value: &Value| local_type(body.values[*value].ty).ok();
    let params: Vec<wasm_encoder::ValType> = given.iter().map(type_of).collect::<Option<_>>()?;
    let of_header = body.list(body.blocks[around.header].params).iter();
    let mut results: Vec<wasm_encoder::ValType> = of_header.map(type_of).collect::<Option<_>>()?;
    results.push(wasm_encoder::ValType::I64);
    let mut types = TypeSection::new();
    for signature in &program.types {
        let encoded = |types: &[wasmparser::ValType]| -> Option<Vec<wasm_encoder::ValType>> {
            types.iter().map(|&ty| RoundtripReencoder.val_type(ty).ok()).collect()
        };
        types.ty().function(encoded(&signature.params)?, encoded(&signature.results)?);
    }
    types.ty().function(params, results);
    let mut imports = ImportSection::new();
    for (kind, index) in all(program) {
        let at = index as usize;
        let ty = match kind {
            ExportKind::Func => EntityType::Function(program.functions[Func(index)].type_index),
            // Whatever its limits are.
            ExportKind::Table => EntityType::Table(TableType {
                element_type: RoundtripReencoder.ref_type(program.tables[at].ty).ok()?,
                table64: false,
                minimum: 0,
                maximum: None,
                shared: false,
            }),
            ExportKind::Memory => {
                EntityType::Memory(RoundtripReencoder.memory_type(program.memories[at].ty).ok()?)
            }
            ExportKind::Global => {
                EntityType::Global(RoundtripReencoder.global_type(program.globals[at].ty).ok()?)
            }
            ExportKind::Tag => {
                EntityType::Tag(TagType { kind: TagKind::Exception, func_type_idx: program.tags[at] })
            }
        };
        imports.import("", &name(kind, index), ty);
    }
    let mut functions = FunctionSection::new();
    functions.function(program.types.len() as u32);
    let mut exports = ExportSection::new();
    exports.export(LOOP, ExportKind::Func, program.functions.len() as u32);
    let mut code = CodeSection::new();
    code.function(&looping(program, func, around, given).ok()?);
    let mut module = wasm_encoder::Module::new();
    module.section(&types).section(&imports).section(&functions).section(&exports).section(&code);
    Some(module.finish())
}

fn val(ty: &ValType, bits: u64) -> Option<Val> {
    Some(match ty {
        ValType::I32 => Val::I32(bits as i32),
        ValType::I64 => Val::I64(bits as i64),
        ValType::F32 => Val::F32(bits as u32),
        ValType::F64 => Val::F64(bits),
        _ => return None,
    })
}

fn bits(val: &Val) -> Option<u64> {
    Some(match *val {
        Val::I32(bits) => u64::from(bits as u32),
        Val::I64(bits) => bits as u64,
        Val::F32(bits) => u64::from(bits),
        Val::F64(bits) => bits,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_program::cfg::{Cfg, Dominators, Loops};
    use coax_program::ir::Body;

    /// A program with one function `f` behind others, its loops, and all that it begins with.
    struct Looping {
        program: Program,
        func: Func,
    }

    impl Looping {
        fn new(wat: &str) -> Looping {
            let wasm = wat::parse_str(wat).expect("it is well-formed");
            let program = Program::parse(wasm).expect("it is valid");
            let func = program.find_function("f").expect("it has one");
            Looping { program, func }
        }

        /// Its loops, the outermost first.
        fn loops(&self) -> Vec<Loop> {
            let cfg = Cfg::of(self.body());
            let mut loops = Loops::of(&cfg, &Dominators::of(&cfg)).loops;
            loops.sort_by_key(|around| std::cmp::Reverse(around.blocks.len()));
            loops
        }

        fn body(&self) -> &Body {
            &self.program.functions[self.func].defined().expect("it has code").body
        }

        /// What loops are given here: the parameters of their headers, and those of the function.
        fn given(&self, around: &Loop) -> Vec<Value> {
            let body = self.body();
            let [header, entry] =
                [around.header, Body::ENTRY].map(|block| body.list(body.blocks[block].params));
            header.iter().chain(entry).copied().collect()
        }

        /// What a loop gives if the parameters of its header begin as zeros: these, sorted, and its rounds. None if it does not end well.
        fn call(&self, methods: &mut Methods, around: &Loop, params: &[u64]) -> Option<(Vec<u64>, u64)> {
            let given = self.given(around);
            let method = methods.add_loop(&self.program, self.func, around, &given, true).expect("a module");
            let zeros = given.len() - params.len();
            let values: Vec<u64> = std::iter::repeat_n(0, zeros).chain(params.iter().copied()).collect();
            let mut gave = methods.call(method, &values, &mut 1_000_000)?;
            let rounds = gave.pop().expect("it gives its rounds");
            gave.sort_unstable();
            Some((gave, rounds))
        }
    }

    fn methods(looping: &Looping) -> Methods {
        Methods::new(&looping.program).expect("it needs no host")
    }

    #[test]
    fn a_loop_that_is_left_at_once_went_round_never() {
        let looping = Looping::new(
            r#"(module (func (export "f") (param $n i32) (result i32) (local $i i32)
                 (block $out (loop $again
                   (br_if $out (i32.ge_u (local.get $i) (local.get $n)))
                   (local.set $i (i32.add (local.get $i) (i32.const 1)))
                   (br $again)))
                 (local.get $i)))"#,
        );
        let (mut methods, loops) = (methods(&looping), looping.loops());
        assert_eq!(looping.call(&mut methods, &loops[0], &[0]), Some((vec![0], 0)));
        assert_eq!(looping.call(&mut methods, &loops[0], &[1]), Some((vec![1], 1)));
    }

    #[test]
    fn a_loop_gives_the_round_that_it_was_left_in_by_whichever_exit() {
        // It is left at its head, in its middle, by a return, and by a switch.
        let looping = Looping::new(
            r#"(module (func (export "f") (param $n i32) (param $odd i32) (result i32) (local $i i32)
                 (block $out (block $other (loop $again
                   (br_if $out (i32.ge_u (local.get $i) (local.get $n)))
                   (br_if $other (i32.eq (local.get $i) (local.get $odd)))
                   (if (i32.eq (i32.mul (local.get $i) (i32.const 100)) (local.get $odd)) (then (return (i32.const 7))))
                   (local.set $i (i32.add (local.get $i) (i32.const 1)))
                   (block $on (br_table $on $on $on $on $on $on $on $on $on $out $on (local.get $i)))
                   (br $again)))
                   (return (i32.const 1)))
                 (i32.const 2)))"#,
        );
        let (mut methods, loops) = (methods(&looping), looping.loops());
        let mut last = |n, odd| looping.call(&mut methods, &loops[0], &[n, odd]);
        assert_eq!(last(5, 1000), Some((vec![5], 5)), "at its head");
        assert_eq!(last(100, 3), Some((vec![3], 3)), "in its middle");
        assert_eq!(last(100, 400), Some((vec![4], 4)), "by the return");
        assert_eq!(last(100, 1000), Some((vec![8], 8)), "by the switch, when 1 was added to 8");
    }

    #[test]
    fn an_inner_loop_is_one_by_itself_and_part_of_the_outer_one() {
        let looping = Looping::new(
            r#"(module (func (export "f") (param $n i32) (param $m i32) (result i32) (local $i i32) (local $j i32) (local $sum i32)
                 (block $out (loop $outer
                   (br_if $out (i32.ge_u (local.get $i) (local.get $n)))
                   (local.set $j (i32.const 0))
                   (block $done (loop $inner
                     (br_if $done (i32.ge_u (local.get $j) (local.get $m)))
                     (local.set $sum (i32.add (local.get $sum) (i32.const 10)))
                     (local.set $j (i32.add (local.get $j) (i32.const 1)))
                     (br $inner)))
                   (local.set $i (i32.add (local.get $i) (i32.const 1)))
                   (br $outer)))
                 (local.get $sum)))"#,
        );
        let loops = looping.loops();
        let [outer, inner] = loops.as_slice() else { panic!("it has two loops") };
        let mut methods = methods(&looping);
        let (last, rounds) = looping.call(&mut methods, outer, &[3, 4]).expect("it ends");
        assert_eq!(rounds, 3, "rounds of the inner loop do not count");
        assert!(last.contains(&120) && last.contains(&3), "{last:?}");
        // Of the outer one there is one round.
        let (last, rounds) = looping.call(&mut methods, inner, &[3, 4]).expect("it ends");
        assert_eq!(rounds, 4);
        assert!(last.contains(&40) && last.contains(&4), "{last:?}");
    }

    #[test]
    fn a_loop_reads_what_it_has_written_and_begins_anew_the_next_time() {
        let looping = Looping::new(
            r#"(module (memory 1) (data (i32.const 16) "\05")
               (func (export "f") (param $n i32) (result i32) (local $i i32) (local $seen i32)
                 (block $out (loop $again
                   (br_if $out (i32.ge_u (local.get $i) (local.get $n)))
                   (i32.store8 (i32.const 16) (i32.add (i32.load8_u (i32.const 16)) (i32.const 2)))
                   (local.set $seen (i32.load8_u (i32.const 16)))
                   (local.set $i (i32.add (local.get $i) (i32.const 1)))
                   (br $again)))
                 (local.get $seen)))"#,
        );
        let (mut methods, loops) = (methods(&looping), looping.loops());
        for _ in 0..2 {
            assert_eq!(looping.call(&mut methods, &loops[0], &[10]), Some((vec![10, 25], 10)));
        }
        assert_eq!(looping.call(&mut methods, &loops[0], &[3]), Some((vec![3, 11], 3)));
    }

    #[test]
    fn a_loop_that_traps_or_has_no_end_gives_nothing() {
        let looping = Looping::new(
            r#"(module (func (export "f") (param $n i32) (param $d i32) (result i32) (local $i i32)
                 (block $out (loop $again
                   (br_if $out (i32.eq (local.get $i) (local.get $n)))
                   (local.set $i (i32.add (local.get $i) (i32.div_u (i32.const 2) (local.get $d))))
                   (br $again)))
                 (local.get $i)))"#,
        );
        let (mut methods, loops) = (methods(&looping), looping.loops());
        let mut last = |n, d| looping.call(&mut methods, &loops[0], &[n, d]);
        assert_eq!(last(6, 1), Some((vec![6], 3)));
        assert_eq!(last(7, 1), None, "it has no end");
        assert_eq!(last(6, 0), None, "it traps");
        assert_eq!(last(6, 1), Some((vec![6], 3)), "that does not matter the next time");
    }

    #[test]
    fn a_loop_gives_its_last_round() {
        let wasm = wat::parse_str(
            r#"(module (global $g (mut i32) (i32.const 5)) (func $double (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))
               (func (export "f") (param $n i32) (param $step i32) (result i32) (local $i i32) (local $sum i32)
                 (loop $again
                   (if (i32.lt_s (local.get $i) (local.get $n)) (then
                     (local.set $sum (i32.add (local.get $sum) (call $double (local.get $step))))
                     (local.set $i (i32.add (local.get $i) (i32.const 1)))
                     (global.set $g (local.get $i))
                     (br $again))))
                 (local.get $sum)))"#,
        );
        let program = Program::parse(wasm.expect("it is well-formed")).expect("it is valid");
        let func = Func(1);
        let body = &program.functions[func].defined().expect("it has code").body;
        let cfg = Cfg::of(body);
        let loops = Loops::of(&cfg, &Dominators::of(&cfg));
        let [around] = loops.loops.as_slice() else { panic!("it has one loop") };
        let header = body.list(body.blocks[around.header].params).to_vec();
        let params = body.list(body.blocks[coax_program::ir::Body::ENTRY].params).to_vec();
        let given: Vec<Value> = header.iter().chain(&params).copied().collect();
        let mut methods = Methods::new(&program).expect("it needs no host");
        let method = methods.add_loop(&program, func, around, &given, true).expect("it can be a module");
        let values = |n: u64, step: u64| -> Vec<u64> { header.iter().map(|_| 0).chain([n, step]).collect() };
        let mut fuel = 1_000_000;
        let gave = methods.call(method, &values(1000, 3), &mut fuel).expect("it ends");
        let (rounds, last) = gave.split_last().expect("it gives something");
        assert_eq!(*rounds, 1000);
        assert!(last.contains(&6000) && last.contains(&1000), "{last:?}");
        assert!(fuel < 1_000_000);
        let mut little = 100;
        assert_eq!(methods.call(method, &values(1000, 3), &mut little), None);
        let double = methods.add_function(Func(0), false);
        assert_eq!(methods.call(double, &[21], &mut fuel), Some(vec![42]));
    }
}
