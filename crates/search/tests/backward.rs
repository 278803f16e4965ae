//! The backward search against brute force: what it calls unreachable, no input of a small domain reaches.

use coax_execute::{Argument, Coverage, Entry, Input, Limits, PlainModule, Value};
use coax_program::ir::Terminator;
use coax_program::{Program, Site};
use coax_search::{BackwardOptions, Goal, Graph, Verdict, backward};
use std::sync::Arc;

/// Programs `f(a, b)` that look at the lowest four bits of their parameters only.
const PROGRAMS: &[(&str, &str)] = &[
    ("nested conditions", include_str!("programs/nested.wat")),
    ("a switch", include_str!("programs/switch.wat")),
    ("a loop", include_str!("programs/loop.wat")),
    ("a table in memory", include_str!("programs/table.wat")),
    ("an indirect call", include_str!("programs/indirect.wat")),
    ("traps", include_str!("programs/traps.wat")),
    ("recursion", include_str!("programs/recursion.wat")),
    ("floats", include_str!("programs/floats.wat")),
    ("memory and globals", include_str!("programs/memory.wat")),
    ("stack that a loop takes", include_str!("programs/stack.wat")),
    ("nothing that depends on the input", include_str!("programs/constant.wat")),
];

/// All directions of branches, and whether some input takes them.
fn covered(program: &Program) -> Coverage {
    let limits = Limits { fuel: 1_000_000, ..Limits::default() };
    let plain = PlainModule::new(program, &limits).expect("it can be compiled");
    let mut all = Coverage::new(program);
    for number in 0..256 {
        let params = Argument::list(&[Value::I32(number & 15), Value::I32(number >> 4)]);
        let input = Input { entry: Some("f".into()), params, ..Input::default() };
        let run = plain.run_with_coverage(&input, &limits).expect("it runs");
        all.merge(&run.coverage.expect("it was counted"));
    }
    all
}

/// All directions of a program's branches.
fn directions(program: &Program) -> Vec<(Site, u32, Goal)> {
    let mut found = Vec::new();
    for (func, function) in program.functions.iter() {
        let Some(defined) = function.defined() else { continue };
        for (block, data) in defined.body.blocks.iter() {
            let Some(site) = program.site_at(data.end_offset) else { continue };
            if let Terminator::Branch { .. } | Terminator::Switch { .. } = data.end {
                let count = program.sites[site].kind.directions();
                found.extend((0..count).map(|one| (site, one, Goal::Direction(func, block, one))));
            }
        }
    }
    found
}

#[test]
fn what_is_called_unreachable_is_so() {
    let (mut proved, mut infeasible) = (0, 0);
    for (name, text) in PROGRAMS {
        let program = Program::parse(wat::parse_str(text).expect(name)).expect(name);
        let coverage = covered(&program);
        let graph = Graph::new(&program);
        let roots = Entry::find(&program, Some("f")).expect("an entry").roots(&program);
        for (site, direction, goal) in directions(&program) {
            let is_covered = coverage.directions(site)[direction as usize];
            let found = backward(&graph, &roots, goal, &BackwardOptions::default(), &Arc::default());
            if let Verdict::Unreachable(_) = found.verdict {
                proved += 1;
                assert!(!is_covered, "{name}: {site} {direction} is taken by an input");
            }
            infeasible += usize::from(!is_covered);
        }
    }
    assert!(proved >= 4, "{proved} of {infeasible} are proved");
}
