//! Lines that begin with `&&` or `||`: what decides whether the operand behind it is evaluated stands there, and is executed before the line is.
//!
//! Compilers put both there, the branch behind the operand of the line before and the one behind that of the line itself, at the same column. Only the text
//! tells such a place from that of any other branch.

use super::Places;
use crate::debug_info::Frame;
use crate::ir::{Block, Body, Terminator};
use crate::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// The content of a source file, if it is known.
pub type Source<'s> = &'s dyn Fn(&str) -> Option<Vec<u8>>;

/// Where lines begin with an operator that may leave out what is behind it: line and column, by file.
pub(super) struct Beginnings<'s> {
    source: Source<'s>,
    known: BTreeMap<String, BTreeSet<(u32, u32)>>,
}

/// Operators at such places.
#[derive(Default)]
pub(super) struct AtBeginnings {
    /// Those that are executed before the line.
    pub before: BTreeSet<u32>,
    /// Those that are alone there: before the line, or with it.
    pub unsure: BTreeSet<u32>,
}

impl<'s> Beginnings<'s> {
    pub fn new(source: Source<'s>) -> Beginnings<'s> {
        Beginnings { source, known: BTreeMap::new() }
    }

    /// The operators of a function at such places; of several pieces of code at one place the last is the line's.
    pub fn operators(&mut self, program: &Program, body: &Body, places: &Places) -> AtBeginnings {
        let mut found = AtBeginnings::default();
        // Inlined copies of a line are told apart by their calls.
        let mut by_place: BTreeMap<&[Frame], Vec<(Block, u32)>> = BTreeMap::new();
        for (block, data) in body.blocks.iter() {
            let insts = data.insts().map(|inst| body.insts[inst].offset);
            for offset in insts.chain(program.end_operator(data)) {
                if let Some(frames) = places.get(&offset)
                    && frames.first().is_some_and(|frame| self.is_at_one(frame))
                {
                    by_place.entry(frames).or_default().push((block, offset));
                }
            }
        }
        for operators in by_place.values() {
            let decides = |block: Block| matches!(body.blocks[block].end, Terminator::Branch { .. });
            let last = operators.iter().map(|(block, _)| *block).max();
            let is_alone = operators.iter().all(|(block, _)| Some(*block) == last);
            for &(block, offset) in operators {
                if is_alone {
                    found.unsure.insert(offset);
                } else if Some(block) != last && decides(block) {
                    found.before.insert(offset);
                }
            }
        }
        found
    }

    fn is_at_one(&mut self, frame: &Frame) -> bool {
        let Frame { file: Some(file), line: Some(line), column: Some(column), .. } = frame else {
            return false;
        };
        if !self.known.contains_key(file) {
            let text = (self.source)(file).unwrap_or_default();
            self.known.insert(file.clone(), beginnings(&text));
        }
        self.known[file].contains(&(*line, *column))
    }
}

/// The places of a text where a line begins with `&&` or `||`.
fn beginnings(text: &[u8]) -> BTreeSet<(u32, u32)> {
    let lines = text.split(|&byte| byte == b'\n').zip(1..);
    let place = |(line, number): (&[u8], u32)| {
        let code = line.trim_ascii_start();
        let is_one = code.starts_with(b"&&") || code.starts_with(b"||");
        is_one.then_some((number, (line.len() - code.len()) as u32 + 1))
    };
    lines.filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::beginnings;

    #[test]
    fn only_operators_at_the_beginning_of_a_line_are_found() {
        let text = b"if (a && b\n    && c\n\t|| d) /*\n && */ e &&\n&f;";
        let found: Vec<(u32, u32)> = beginnings(text).into_iter().collect();
        assert_eq!(found, [(2, 5), (3, 2), (4, 2)]);
    }
}
