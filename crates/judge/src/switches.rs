//! Judges the directions of switches: those of each `br_table` are computed once more, from the operator's own
//! immediates, and must be the SSA's.
//!
//! Coverage and the lowered SSA both read the map from indices to directions out of the SSA, so that
//! running them against each other would not show a wrong number. Where the directions lead is judged
//! by running them.

use coax_program::ir::Terminator;
use coax_program::{Program, SiteKind};
use std::collections::BTreeMap;
use wasmparser::{BinaryReaderError, BrTable, Operator, Parser, Payload};

/// What is wrong with a switch.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// The module cannot be read.
    #[error("its code cannot be read: {0}")]
    Unreadable(#[from] BinaryReaderError),
    /// The SSA has other directions than the operator.
    #[error("the br_table at {offset:#x} has the directions {expected:?}, its SSA {actual:?}")]
    Directions {
        /// Where the operator is.
        offset: u32,
        /// What the operator says; nothing if it is no `br_table`.
        expected: Option<Directions>,
        /// What the SSA says; nothing if it has no switch there.
        actual: Option<Directions>,
    },
    /// The site has another number of directions than the operator.
    #[error("the br_table at {offset:#x} is the site {site:?}")]
    Site {
        /// Where the operator is.
        offset: u32,
        /// What the site says; nothing if there is none.
        site: Option<SiteKind>,
    },
}

/// The directions of a `br_table`: its distinct targets, numbered in the order in which they first appear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directions {
    /// How many there are.
    pub count: usize,
    /// That of each index, then that of any other.
    pub cases: Vec<u32>,
}

/// Compares all switches of a program with its `br_table`s.
pub fn check(program: &Program) -> Result<(), Wrong> {
    let mut operators = operators(&program.wasm)?;
    for function in program.functions.values().filter_map(|function| function.defined()) {
        for block in function.body.blocks.values() {
            let Terminator::Switch { targets, cases, default, .. } = &block.end else { continue };
            let offset = block.end_offset;
            let cases = cases.iter().chain([default]).copied().collect();
            let actual = Some(Directions { count: targets.len(), cases });
            let expected = operators.remove(&offset);
            if actual != expected {
                return Err(Wrong::Directions { offset, expected, actual });
            }
            let site = program.site_at(offset).map(|site| program.sites[site].kind);
            if site != Some(SiteKind::Switch(targets.len() as u32)) {
                return Err(Wrong::Site { offset, site });
            }
        }
    }
    // What is left is in dead code. (Were it not, the lowered SSA would do something else.)
    match operators.into_iter().find(|(offset, _)| program.site_at(*offset).is_some()) {
        Some((offset, expected)) => Err(Wrong::Directions { offset, expected: Some(expected), actual: None }),
        None => Ok(()),
    }
}

/// The directions of all `br_table`s of a module, by where they are.
fn operators(wasm: &[u8]) -> Result<BTreeMap<u32, Directions>, BinaryReaderError> {
    let mut operators = BTreeMap::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let Payload::CodeSectionEntry(body) = payload? else { continue };
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            if let (Operator::BrTable { targets }, offset) = reader.read_with_offset()? {
                operators.insert(offset as u32, directions(&targets)?);
            }
        }
    }
    Ok(operators)
}

fn directions(table: &BrTable<'_>) -> Result<Directions, BinaryReaderError> {
    let mut depths = table.targets().collect::<Result<Vec<u32>, _>>()?;
    depths.push(table.default());
    let mut numbers = BTreeMap::new();
    let mut cases = Vec::new();
    for depth in depths {
        let next = numbers.len() as u32;
        cases.push(*numbers.entry(depth).or_insert(next));
    }
    Ok(Directions { count: numbers.len(), cases })
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_program::Code;
    use wast::Wat;
    use wast::parser::{self, ParseBuffer};

    /// Four indices, two targets.
    const MODULE: &str = "(module (func (param i32)
        (block $a (block $b (br_table $b $a $b $a (local.get 0))))))";

    /// Spoils the only switch of the module.
    fn check_spoilt(spoil: fn(&mut Vec<u32>, &mut u32)) -> Result<(), Wrong> {
        let text = ParseBuffer::new(MODULE).expect("the text is right");
        let wasm =
            parser::parse::<Wat<'_>>(&text).and_then(|mut wat| wat.encode()).expect("the text is right");
        let mut program = Program::parse(wasm).expect("the module is valid");
        for (_, function) in program.functions.iter_mut() {
            let Code::Defined(defined) = &mut function.code else { continue };
            for (_, block) in defined.body.blocks.iter_mut() {
                if let Terminator::Switch { cases, default, .. } = &mut block.end {
                    spoil(cases, default);
                }
            }
        }
        check(&program)
    }

    #[test]
    fn wrong_directions_are_noticed() {
        check_spoilt(|_, _| {}).expect("nothing was spoilt");
        check_spoilt(|cases, _| cases.swap(0, 1)).expect_err("the cases are swapped");
        check_spoilt(|_, default| *default = 0).expect_err("the default is another");
        check_spoilt(|cases, default| {
            cases.iter_mut().for_each(|case| *case = 1 - *case);
            *default = 1 - *default;
        })
        .expect_err("the directions are numbered the other way round");
    }
}
