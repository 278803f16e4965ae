//! Sides of branches behind which the program can only end: `if (!condition) abort();`.
//!
//! A run that goes there is over, and all that it would have come to is not seen. Test harnesses assume so, parsers and libraries check so what
//! they are given. Which sides these are follows from control flow: nothing that is behind them returns or goes round a loop.

use crate::choice::{Choice, Way};
use coax_program::entity::Arena;
use coax_program::ir::{Block, Body, Op, Terminator};
use coax_program::{Code, EXITS, Extern, Func, Program};
use std::collections::BTreeSet;

/// What a program is called by that is a command.
const COMMAND: &str = "_start";

/// The sides of branches behind which a program only ends.
#[derive(Debug, Default)]
pub(crate) struct Guards {
    /// By the branch's byte in the module, and the direction.
    ends: BTreeSet<(u32, u32)>,
}

/// How a block ends the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// It may go on.
    No,
    /// After further branches.
    Later,
    /// Without another branch.
    Soon,
}

impl Guards {
    /// Looks at a program.
    pub(crate) fn of(program: &Program) -> Guards {
        let calls = program.calls();
        let is_exit = |func: &Func| match program.functions[*func].code {
            Code::Import(number) => EXITS.contains(&program.imports[number].name.as_str()),
            Code::Defined(_) => false,
        };
        let mut ending: BTreeSet<Func> = program.functions.ids().filter(is_exit).collect();
        let mut waiting: Vec<Func> = program.functions.ids().collect();
        while let Some(func) = waiting.pop() {
            let Some(defined) = program.functions[func].defined() else { continue };
            if !ending.contains(&func) && ends_of(&defined.body, &ending, false)[Body::ENTRY] != End::No {
                ending.insert(func);
                waiting.extend(&calls.callers[func]);
            }
        }
        let commands = program.exports.iter().filter(|export| export.name == COMMAND);
        let commands: Vec<Extern> = commands.map(|export| export.kind).collect();
        let mut ends = BTreeSet::new();
        for (func, function) in program.functions.iter() {
            let Some(body) = function.defined().map(|defined| &defined.body) else { continue };
            // A command that returns has ended, too: how its `main` ended makes no difference.
            let of_blocks = ends_of(body, &ending, commands.contains(&Extern::Func(func)));
            for data in body.blocks.values() {
                let Some(site) = program.end_site(data) else { continue };
                let sides: Vec<End> = data.end.edges().iter().map(|edge| of_blocks[edge.to]).collect();
                // Where a program is about to end in any case, what ends it sooner is the guard.
                let Some(&least) = sides.iter().min() else { continue };
                let sooner = (0..).zip(&sides).filter(|(_, side)| **side > least);
                ends.extend(sooner.map(|(direction, _)| (program.sites[site].offset, direction)));
            }
        }
        Guards { ends }
    }

    /// Whether a branch has such a side.
    pub(crate) fn ends(&self, at: u32, direction: u32) -> bool {
        self.ends.contains(&(at, direction))
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.ends.iter().copied()
    }

    /// Whether a run can only end after this decision; what does not hold that was assumed ends it, too.
    pub(crate) fn is_end(&self, at: u32, way: Way) -> bool {
        match way {
            Way::Branch(direction) => self.ends(at, direction),
            Way::Assumption(held) => !held,
            _ => false,
        }
    }

    /// The place of the decision after which a run could only end, if it did not come to its end otherwise.
    pub(crate) fn ended_at(&self, choices: &[Choice]) -> Option<usize> {
        choices.iter().position(|choice| self.is_end(choice.at, choice.way))
    }
}

/// How the blocks of a function end the program, if these functions do, and perhaps its own return.
fn ends_of(body: &Body, ending: &BTreeSet<Func>, returns: bool) -> Arena<Block, End> {
    let mut ends: Arena<Block, End> = body.blocks.ids().map(|_| End::No).collect();
    loop {
        let mut is_same = true;
        for block in body.blocks.ids().rev() {
            let now = end_of(body, block, (ending, returns), &ends);
            is_same &= now == ends[block];
            ends[block] = now;
        }
        if is_same {
            return ends;
        }
    }
}

fn end_of(
    body: &Body,
    block: Block,
    (ending, returns): (&BTreeSet<Func>, bool),
    ends: &Arena<Block, End>,
) -> End {
    let data = &body.blocks[block];
    let is_over = data.insts().any(|inst| match body.insts[inst].op {
        Op::Call { function_index } => ending.contains(&Func(function_index)),
        _ => false,
    });
    match &data.end {
        _ if is_over => End::Soon,
        Terminator::Unreachable => End::Soon,
        Terminator::Return(_) if returns => End::Soon,
        Terminator::Jump(edge) => ends[edge.to],
        Terminator::Branch { .. } | Terminator::Switch { .. } => {
            let all = data.end.edges().iter().all(|edge| ends[edge.to] != End::No);
            if all { End::Later } else { End::No }
        }
        _ => End::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sides that end a program, as numbers of branches and directions.
    fn sides(text: &str) -> Vec<(u32, u32)> {
        let wasm = wat::parse_str(text).expect("it is a module");
        let program = Program::parse(wasm).expect("it is a program");
        let guards = Guards::of(&program);
        let number = |at: u32| program.site_at(at).expect("it is a site").0;
        guards.all().map(|(at, direction)| (number(at), direction)).collect()
    }

    #[test]
    fn a_side_that_only_traps_is_an_end_and_one_that_returns_or_loops_is_none() {
        let text = r#"(module
            (func (export "f") (param i32)
              (if (local.get 0) (then unreachable))
              (if (local.get 0) (then (loop $on (br $on))))
              (if (local.get 0) (then (nop)))))"#;
        assert_eq!(sides(text), [(0, 1)]);
    }

    #[test]
    fn who_never_comes_back_ends_its_callers() {
        let text = r#"(module
            (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
            (func $die (param i32) (if (local.get 0) (then (call $exit (i32.const 1)))) unreachable)
            (func $check (param i32) (if (i32.eqz (local.get 0)) (then (call $die (i32.const 3)))))
            (func (export "f") (param i32) (call $check (local.get 0)) (call $exit (i32.const 0))))"#;
        let ends = sides(text);
        // In `die` both sides end at once; in `check` one does.
        assert_eq!(ends.len(), 1, "{ends:?}");
    }

    #[test]
    fn a_command_that_returns_has_ended_too() {
        let text = r#"(module
            (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
            (func $main (param i32) (result i32) (if (local.get 0) (then unreachable)) (local.get 0))
            (func (export "_start") (local i32)
              (if (local.tee 0 (call $main (i32.const 0))) (then (call $exit (local.get 0)) unreachable))))"#;
        let ends = sides(text);
        assert_eq!((ends.len(), ends[0].1), (1, 1), "{ends:?}");
    }

    #[test]
    fn what_ends_sooner_is_the_guard_if_all_ends() {
        let text = r#"(module
            (func (export "f") (param i32) (result i32)
              (if (local.get 0) (then unreachable))
              (if (i32.eq (local.get 0) (i32.const 5)) (then unreachable))
              unreachable))"#;
        assert_eq!(sides(text), [(0, 1)]);
    }
}
