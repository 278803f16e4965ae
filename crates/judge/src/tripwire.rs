//! Whether a run executes a source line, by a way that shares nothing with how coax counts: the module traps where the line begins.
//!
//! Every operator of the line is overwritten by `unreachable`, in place, so that all else of the module stays where it is: a run does
//! what it did before until it comes to the line. Operators that open or close blocks stay, for code has to nest.

use anyhow::{Context, Result, ensure};
use coax_execute::{Input, Limits, Outcome, PlainModule};
use coax_program::Program;
use std::collections::BTreeSet;
use wasmparser::{Operator, Parser, Payload};

/// The operators that take the place of others, in wasm's binary format.
const UNREACHABLE: u8 = 0x00;
const NOP: u8 = 0x01;

/// A program that traps where a line begins.
pub struct Tripwire {
    program: Program,
    /// Where it traps then.
    offsets: BTreeSet<u32>,
}

impl Tripwire {
    /// Overwrites a line of a program.
    pub fn new(program: &Program, file: &str, line: u32) -> Result<Tripwire> {
        let is_it = |offset: usize| {
            let frames = program.frames(offset as u32);
            frames.iter().any(|frame| frame.file.as_deref() == Some(file) && frame.line == Some(line))
        };
        let mut wasm = program.wasm.to_vec();
        let mut offsets = BTreeSet::new();
        for payload in Parser::new(0).parse_all(&program.wasm) {
            let Payload::CodeSectionEntry(body) = payload? else { continue };
            let mut reader = body.get_operators_reader()?;
            while !reader.eof() {
                let begin = reader.original_position();
                let operator = reader.read()?;
                if !nests(&operator) && is_it(begin) {
                    wasm[begin..reader.original_position()].fill(NOP);
                    wasm[begin] = UNREACHABLE;
                    offsets.insert(begin as u32);
                }
            }
        }
        ensure!(!offsets.is_empty(), "there is no code on line {line} of {file}");
        let program = Program::parse(wasm).context("the overwritten module is not valid")?;
        Ok(Tripwire { program, offsets })
    }

    /// Whether one of these runs gets to the line.
    pub fn is_hit(&self, inputs: &[Input]) -> Result<bool> {
        let limits = Limits::default();
        let module = PlainModule::new(&self.program, &limits)?;
        for input in inputs {
            let run = module.run(input, &limits)?;
            let end = match &run.outcome {
                Outcome::Trapped(trap) => trap.backtrace.first().and_then(|frame| frame.offset),
                _ => None,
            };
            if end.is_some_and(|offset| self.offsets.contains(&offset)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether an operator opens or closes a block.
fn nests(operator: &Operator<'_>) -> bool {
    use Operator::{Block, Else, End, If, Loop, TryTable};
    matches!(operator, Block { .. } | Loop { .. } | If { .. } | Else | End | TryTable { .. })
}

#[cfg(test)]
mod tests {
    use super::Tripwire;
    use coax_execute::{Argument, Input, Value};
    use coax_load::Request;
    use coax_program::Program;

    #[test]
    fn only_runs_that_get_to_the_line_hit_it() -> anyhow::Result<()> {
        let place = tempfile::tempdir()?;
        let file = place.path().join("sign.c");
        std::fs::write(&file, "int sign(int x) {\n  if (x < 0)\n    return -1;\n  return x != 0;\n}\n")?;
        let request = Request { inputs: vec![file], entry: Some("sign".into()), ..Request::default() };
        let program = Program::parse(coax_load::load(&request)?.wasm)?;
        let names =
            (0..program.wasm.len() as u32).filter_map(|offset| program.frames(offset).first()?.file.clone());
        let name = names.into_iter().find(|name| name.ends_with("sign.c")).expect("it has debug information");
        let wire = Tripwire::new(&program, &name, 3)?;
        let with = |x| Input {
            entry: Some("sign".into()),
            params: Argument::list(&[Value::I32(x)]),
            ..Input::default()
        };
        assert!(wire.is_hit(&[with(-7)])?);
        assert!(!wire.is_hit(&[with(0), with(7)])?);
        assert!(wire.is_hit(&[with(0), with(-1)])?);
        assert!(Tripwire::new(&program, &name, 9).is_err());
        Ok(())
    }
}
