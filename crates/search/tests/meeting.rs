//! Ways back that meet a run: inputs that come of it are judged by running them, and most of what inputs reach is found from one run.

#[path = "common/input.rs"]
mod input;
#[path = "common/programs.rs"]
mod programs;

use coax_execute::{Entry, Input, Limits, PlainModule, Run, Symbols};
use coax_program::ir::Terminator;
use coax_program::{Program, Site};
use coax_search::{BackwardOptions, Demands, Goal, Graph, Meeting};
use input::input;
use programs::PROGRAMS;
use std::sync::Arc;

/// So many directions of branches are taken by some input and not by the first; and for so many of them at least an input is found from that one's run.
const REACHED: usize = 44;
const FOUND: usize = 36;

/// All directions of branches.
fn goals(program: &Program) -> Vec<(Site, u32, Goal)> {
    let mut found = Vec::new();
    for (func, function) in program.functions.iter() {
        let Some(defined) = function.defined() else { continue };
        for (block, data) in defined.body.blocks.iter() {
            let is_decision = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
            let Some(site) = program.site_at(data.end_offset).filter(|_| is_decision) else { continue };
            let directions = 0..program.sites[site].kind.directions();
            found.extend(directions.map(|one| (site, one, Goal::Direction(func, block, one))));
        }
    }
    found
}

#[test]
fn inputs_are_found_where_ways_back_meet_a_run() {
    let limits = Limits { fuel: 1_000_000, ..Limits::default() };
    let (mut reached, mut found) = (0, 0);
    for (name, text) in PROGRAMS {
        let program = Arc::new(Program::parse(wat::parse_str(text).expect(name)).expect(name));
        let plain = PlainModule::new(&program, &limits).expect("it can be compiled");
        let run = |input: &Input| plain.run_with_coverage(input, &limits).expect("it runs");
        let takes = |run: &Run, site: Site, direction: u32| {
            run.coverage.as_ref().expect("it was counted").directions(site)[direction as usize]
        };
        let runs: Vec<Run> = (0..256).map(|number| run(&input(number & 15, number >> 4))).collect();
        let roots = Entry::find(&program, Some("f")).expect("an entry").roots(&program);
        let graph = Graph::new(&program, &roots);
        for (site, direction, goal) in goals(&program) {
            let is_reached = runs.iter().any(|run| takes(run, site, direction));
            if !is_reached || takes(&runs[0], site, direction) {
                continue;
            }
            reached += 1;
            let demands = Demands::of(&graph, &[goal], &BackwardOptions::default(), &Arc::default());
            let mut meeting = Meeting {
                program: &program,
                symbols: Symbols::default(),
                limits: &limits,
                effort: 1_000_000,
                stop: &Arc::default(),
            };
            let mut is_found = false;
            meeting.meet(&demands, &input(0, 0), &mut |input| {
                is_found |= takes(&run(&input), site, direction);
                is_found
            });
            found += usize::from(is_found);
        }
    }
    assert_eq!(reached, REACHED);
    assert!(found >= FOUND, "{found} of {reached} are found");
}
