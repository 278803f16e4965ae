//! Modules and values out of a seed.

use super::{control, data};
use crate::machine::Value;
use arbitrary::Unstructured;
use wasm_smith::InstructionKind::{self, *};
use wasm_smith::{Config, InstructionKinds};
use wasmtime::{HeapType, ValType};

/// Kinds of instructions to choose from: few, so that control flow and locals are dense, or all.
const INSTRUCTIONS: [Option<&[InstructionKind]>; 4] = [
    Some(&[Control, Variable, NumericInt]),
    Some(&[Control, Variable, Parametric, NumericInt, Reference, Aggregate]),
    Some(&[Control, Variable, Parametric, Numeric, Memory, Table]),
    None,
];

/// A small generator of random numbers (SplitMix64): the same seed always gives the same numbers.
#[derive(Default)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A value of a type; corner cases are frequent.
    pub(super) fn value(&mut self, ty: &ValType) -> Value {
        match ty {
            ValType::I32 => Value::I32(self.integer() as u32),
            ValType::I64 => Value::I64(self.integer()),
            ValType::F32 => Value::F32(self.float() as u32),
            ValType::F64 => Value::F64(self.double()),
            ValType::V128 => Value::V128(u128::from(self.integer()) << 64 | u128::from(self.integer())),
            ValType::Ref(reference) => match reference.heap_type() {
                HeapType::Extern if self.below(2) == 0 => Value::Extern(self.below(100) as u32),
                _ => Value::Null,
            },
        }
    }

    fn integer(&mut self) -> u64 {
        const CORNERS: [u64; 10] = [
            0,
            1,
            2,
            u64::MAX,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            i64::MAX as u64,
            i64::MIN as u64,
            0x0001_0000,
        ];
        match self.below(3) {
            0 => self.pick(&CORNERS),
            1 => self.below(200) as u64,
            _ => self.next(),
        }
    }

    fn float(&mut self) -> u64 {
        let corners =
            [0.0, -0.0, 1.0, -1.5, f32::MIN_POSITIVE, f32::MAX, f32::INFINITY, f32::NAN, 3e9, -1e20];
        match self.below(3) {
            0 => u64::from(self.pick(&corners).to_bits()),
            1 => u64::from((self.below(200) as f32 - 100.0).to_bits()),
            _ => self.next(),
        }
    }

    fn double(&mut self) -> u64 {
        let corners =
            [0.0, -0.0, 1.0, -1.5, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NAN, 3e9, -1e300];
        match self.below(3) {
            0 => self.pick(&corners).to_bits(),
            1 => (self.below(200) as f64 - 100.0).to_bits(),
            _ => self.next(),
        }
    }
}

/// What makes the modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// wasm-smith: every operator, every section.
    Smith,
    /// Our own: little else than control flow and locals.
    Control,
    /// Our own: nearly every value depends on the arguments.
    Data,
    /// The same, and functions of WASI are called in every way: the input is also what they read.
    Services,
}

impl Source {
    /// The size that the modules of a seed have, in a unit of the source's own.
    pub fn size(self, seed: u64) -> usize {
        match self {
            Source::Smith => Random::new(seed).pick(&[4, 16, 32]) << 10,
            Source::Control => control::MAX_STATEMENTS,
            Source::Data | Source::Services => data::MAX_STATEMENTS,
        }
    }

    /// A module of that size or less, if one can be made.
    pub fn module(self, seed: u64, size: usize) -> Option<Vec<u8>> {
        match self {
            Source::Smith => smith(seed, size),
            Source::Control => Some(control::module(seed, size)),
            Source::Data => Some(data::module(seed, size)),
            Source::Services => Some(data::module_with_services(seed, size)),
        }
    }
}

/// A module of wasm-smith's, which makes its choices from so many bytes.
fn smith(seed: u64, size: usize) -> Option<Vec<u8>> {
    let mut random = Random::new(seed);
    let bytes: Vec<u8> = (0..size).map(|_| random.next() as u8).collect();
    let module = wasm_smith::Module::new(config(seed), &mut Unstructured::new(&bytes)).ok()?;
    Some(module.to_bytes())
}

/// Modules with the features of coax, small enough to be instantiated often.
fn config(seed: u64) -> Config {
    let mut random = Random::new(!seed);
    Config {
        export_everything: true,
        allow_start_export: random.below(4) == 0,
        // Code that traps early is not judged far.
        disallow_traps: random.below(3) != 0,
        allowed_instructions: random
            .pick(&INSTRUCTIONS)
            .map_or_else(InstructionKinds::all, InstructionKinds::new),
        max_instructions: random.pick(&[50, 200, 800]),
        min_types: 4,
        max_types: 8,
        min_funcs: 3,
        max_funcs: 4 + random.below(8),
        max_imports: random.below(6),
        const_expr_fuel: 5,
        max_globals: 8,
        max_tags: 4,
        max_tables: 3,
        max_table_elements: 64,
        max_element_segments: 4,
        max_elements: 16,
        max_memories: 2,
        max_memory32_bytes: 2 << 16,
        max_memory64_bytes: 2 << 16,
        max_data_segments: 4,
        bulk_memory_enabled: true,
        exceptions_enabled: true,
        extended_const_enabled: true,
        memory64_enabled: random.below(2) == 0,
        multi_value_enabled: true,
        reference_types_enabled: true,
        relaxed_simd_enabled: true,
        simd_enabled: true,
        tail_call_enabled: true,
        custom_page_sizes_enabled: false,
        gc_enabled: false,
        shared_everything_threads_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_make_equal_modules() {
        for source in [Source::Smith, Source::Control, Source::Data, Source::Services] {
            for seed in 0..20 {
                let make = || source.module(seed, source.size(seed));
                assert!(make() == make(), "{source:?} {seed}");
            }
        }
    }
}
