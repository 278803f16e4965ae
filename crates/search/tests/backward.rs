//! The backward search against brute force: what it calls unreachable, no input of a small domain reaches.

#[path = "common/input.rs"]
mod input;
#[path = "common/programs.rs"]
mod programs;

use coax_execute::{Coverage, Entry, Limits, PlainModule};
use coax_program::ir::Terminator;
use coax_program::{Program, Site};
use coax_search::{BackwardOptions, Goal, Graph, Verdict, backward};
use input::input;
use programs::PROGRAMS;
use std::sync::Arc;

/// All directions of branches, and whether some input takes them.
fn covered(program: &Program) -> Coverage {
    let limits = Limits { fuel: 1_000_000, ..Limits::default() };
    let plain = PlainModule::new(program, &limits).expect("it can be compiled");
    let mut all = Coverage::new(program);
    for number in 0..256 {
        let run = plain.run_with_coverage(&input(number & 15, number >> 4), &limits).expect("it runs");
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
            let found = backward(&graph, &roots, goal, &BackwardOptions::default(), None, &Arc::default());
            if let Verdict::Unreachable(_) = found.verdict {
                proved += 1;
                assert!(!is_covered, "{name}: {site} {direction} is taken by an input");
            }
            infeasible += usize::from(!is_covered);
        }
    }
    assert!(proved >= 4, "{proved} of {infeasible} are proved");
}
