//! Which operators a source line consists of: the one answer that coverage, targets and dead code share.
//!
//! An operator is of the line that the compiler names for it and, if it was inlined, of the lines of the calls that it was inlined into. What the
//! compiler gave to no line is of none: it often begins a block, behind the code of a line that was not executed. Constants, jumps, and what has no
//! column, are made where it suits compilers: they are of a line only if it has nothing else. The same goes for what decides whether a line that begins with
//! `&&` is evaluated at all.

mod short_circuit;

use crate::debug_info::{Frame, Place};
use crate::ir::{BlockData, Body, Def, Inst, Op, Terminator, Value};
use crate::program::{Func, Program};
use short_circuit::Beginnings;
pub use short_circuit::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The operator `br`, in wasm's binary format.
const BR: u8 = 0x0c;

/// Where operators of a function are, by offset.
type Places = BTreeMap<u32, Rc<[Frame]>>;

/// A line: the number of its file ([`LineCode::file`]), then its own.
pub type Line = (u32, u32);

/// An operator as a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where the operator is in the module.
    pub offset: u32,
    /// The line that it is of.
    pub line: Line,
    /// The column, if there is one.
    pub column: Option<u32>,
    /// Whether it is surely where the compiler says.
    pub is_sure: bool,
    /// Whether it is executed before the line: it decides whether the line is.
    pub is_before: bool,
}

/// The operators of all lines of a program.
#[derive(Debug, Default)]
pub struct LineCode {
    files: Vec<String>,
    /// By function, in the order of the code.
    parts: BTreeMap<Func, Vec<Part>>,
    /// The lines of which some operator is sure.
    sure: BTreeSet<Line>,
}

impl LineCode {
    /// Finds them, with the places of an operator of a function that count, and the text of sources as far as it is there.
    pub fn of(program: &Program, places: impl Fn(Func, u32) -> Vec<Frame>, source: Source<'_>) -> LineCode {
        let mut code = LineCode::default();
        let mut files: BTreeMap<String, u32> = BTreeMap::new();
        let mut beginnings = Beginnings::new(source);
        for (func, function) in program.functions.iter() {
            let Some(defined) = function.defined() else { continue };
            let unsure = unsure(program, &defined.body);
            let parts = code.parts.entry(func).or_default();
            let places = attributed(program, &defined.body, |offset| places(func, offset));
            let at_beginnings = beginnings.operators(program, &defined.body, &places);
            for (offset, frames) in places {
                for (depth, Frame { file, line, column, .. }) in frames.iter().enumerate() {
                    // The lines of the calls that it was inlined into are executed.
                    let is_one_of = |those: &BTreeSet<u32>| depth == 0 && those.contains(&offset);
                    let (Some(file), Some(line)) = (file, *line) else { continue };
                    let file = files.get(file).copied().unwrap_or_else(|| {
                        let next = files.len() as u32;
                        files.insert(file.clone(), next);
                        next
                    });
                    let line = (file, line);
                    let column = column.filter(|&column| column > 0);
                    let is_before = is_one_of(&at_beginnings.before);
                    let is_unsure = is_before || is_one_of(&at_beginnings.unsure) || unsure.contains(&offset);
                    let is_sure = column.is_some() && !is_unsure;
                    parts.push(Part { offset, line, column, is_sure, is_before });
                    code.sure.extend(is_sure.then_some(line));
                }
            }
        }
        let mut by_number: Vec<(u32, String)> =
            files.into_iter().map(|(file, number)| (number, file)).collect();
        by_number.sort();
        code.files = by_number.into_iter().map(|(_, file)| file).collect();
        code
    }

    /// The name of a line's file.
    pub fn file(&self, line: Line) -> &str {
        &self.files[line.0 as usize]
    }

    /// The names of all files, by number.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The functions that have code of lines.
    pub fn functions(&self) -> impl Iterator<Item = Func> + '_ {
        self.parts.keys().copied()
    }

    /// What a function has of lines, in the order of the code.
    pub fn parts(&self, func: Func) -> impl Iterator<Item = &Part> + '_ {
        let is_its = |part: &&Part| part.is_sure || (!part.is_before && !self.sure.contains(&part.line));
        self.all_parts(func).filter(is_its)
    }

    /// The same, with what the compiler has made somewhere for a line that has other code.
    pub fn all_parts(&self, func: Func) -> impl Iterator<Item = &Part> + '_ {
        self.parts.get(&func).into_iter().flatten()
    }
}

impl Program {
    /// The operators of a function that do something, or go somewhere.
    pub fn operators(&self, body: &Body) -> BTreeSet<u32> {
        let insts = body.insts.values().map(|inst| inst.offset).filter(|&offset| offset > 0);
        insts.chain(body.blocks.values().filter_map(|block| self.end_operator(block))).collect()
    }

    /// The operator that ends a block, if it is one. Where control just goes on there is no operator but an `end`.
    pub fn end_operator(&self, block: &BlockData) -> Option<u32> {
        let is_operator = match block.end {
            Terminator::Jump(_) => self.wasm.get(block.end_offset as usize) == Some(&BR),
            _ => true,
        };
        is_operator.then_some(block.end_offset)
    }
}

/// The operators of a function that the compiler gave to some line, with their places, which neighbours often share.
fn attributed(program: &Program, body: &Body, frames: impl Fn(u32) -> Vec<Frame>) -> Places {
    let mut last: Option<(Place, Option<Rc<[Frame]>>)> = None;
    let mut places = Places::new();
    for offset in program.operators(body) {
        let Some(place) = program.debug.place(offset) else { continue };
        let frames = match &last {
            Some((known, frames)) if *known == place => frames.clone(),
            _ => program.debug.is_attributed(offset).then(|| frames(offset).into()),
        };
        last = Some((place, frames.clone()));
        places.extend(frames.map(|frames| (offset, frames)));
    }
    places
}

/// The operators of a function that compilers place where it suits them: constants, and jumps that leave a piece of code. (The jump behind
/// `then` in `} else if (…)` stands where the brace is, on the line of a condition that is not evaluated.)
fn unsure(program: &Program, body: &Body) -> BTreeSet<u32> {
    let constants = constants(body).into_iter().map(|inst| body.insts[inst].offset);
    let jumps = body.blocks.values().filter(|block| matches!(block.end, Terminator::Jump(_)));
    constants.chain(jumps.filter_map(|block| program.end_operator(block))).collect()
}

/// The instructions that only make a constant; a float may be made of an integer.
fn constants(body: &Body) -> BTreeSet<Inst> {
    let mut constants = BTreeSet::new();
    let is_made = |constants: &BTreeSet<Inst>, value: &Value| match body.values[*value].def {
        Def::Result(inst, _) => constants.contains(&inst),
        Def::Param(..) => false,
    };
    for (inst, data) in body.insts.iter() {
        let is_constant = match data.op {
            Op::I32Const { .. } | Op::I64Const { .. } | Op::F32Const { .. } | Op::F64Const { .. } => true,
            Op::F32ConvertI32S
            | Op::F32ConvertI32U
            | Op::F64ConvertI32S
            | Op::F64ConvertI32U
            | Op::F32ReinterpretI32
            | Op::F64ReinterpretI64
            | Op::I64ExtendI32S
            | Op::I64ExtendI32U => body.list(data.args).iter().all(|value| is_made(&constants, value)),
            _ => false,
        };
        if is_constant {
            constants.insert(inst);
        }
    }
    constants
}
