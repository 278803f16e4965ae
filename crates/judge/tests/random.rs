//! A short campaign of random modules, and proof that a campaign notices wrong SSA.

use coax_judge::random::{self, Judgement, Source, Subject, Tally};
use coax_judge::{lower, transform};
use coax_program::entity::Id as _;
use coax_program::ir::{Block, Body, Terminator};
use coax_program::{Code, Program};

fn campaign(source: Source, subject: Subject, runs: u64) -> Tally {
    random::campaign(Judgement { source, subject }, runs, 7, &mut |_| {}).expect("wasmtime works here")
}

fn assert_no_difference(source: Source, subject: Subject) {
    let tally = campaign(source, subject, 2_000);
    let differences: Vec<_> = tally.differences.iter().map(|found| (found.seed, &found.what)).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(tally.runs >= 2_000 && tally.returned > 500, "{tally:?}");
}

#[test]
fn ssa_of_wasm_smith_modules_is_right() {
    assert_no_difference(Source::Smith, Subject::Transformed(transform::lowered));
}

#[test]
fn ssa_of_control_flow_is_right() {
    assert_no_difference(Source::Control, Subject::Transformed(transform::lowered));
}

#[test]
fn coverage_shows_the_directions_that_the_ssa_takes() {
    assert_no_difference(Source::Control, Subject::Directions);
}

#[test]
fn paths_of_wasm_smith_modules_are_right() {
    assert_no_difference(Source::Smith, Subject::Paths);
}

#[test]
fn paths_of_control_flow_are_right() {
    assert_no_difference(Source::Control, Subject::Paths);
}

#[test]
fn paths_of_data_flow_are_right() {
    assert_no_difference(Source::Data, Subject::Paths);
}

#[test]
fn instrumented_wasm_smith_modules_are_the_same() {
    assert_no_difference(Source::Smith, Subject::Transformed(transform::instrumented));
}

#[test]
fn instrumented_control_flow_is_the_same() {
    assert_no_difference(Source::Control, Subject::Transformed(transform::instrumented));
}

#[test]
fn both_engines_record_the_same_events_of_wasm_smith_modules() {
    assert_same_events(Source::Smith, 50);
}

#[test]
fn both_engines_record_the_same_events_of_control_flow() {
    assert_same_events(Source::Control, 200);
}

#[test]
fn both_engines_record_the_same_events_of_data_flow() {
    assert_same_events(Source::Data, 1_000);
}

#[test]
fn what_is_done_to_calls_leaves_the_rest_of_a_run_as_it_is() {
    for source in [Source::Data, Source::Control, Source::Smith] {
        let tally = campaign(source, Subject::Hooks, 150);
        let differences: Vec<_> = tally.differences.iter().map(|found| (found.seed, &found.what)).collect();
        assert!(differences.is_empty(), "{differences:#?}");
        let hooks = tally.hooks;
        assert!(hooks.alone > 100 && hooks.cut >= 150, "{hooks:?}");
        // Most functions of wasm-smith's modules trap, or change tables.
        let least = if matches!(source, Source::Smith) { 1 } else { 100 };
        assert!(hooks.skipped > least && hooks.suspended > least, "{hooks:?}");
    }
}

/// At least so many events, lest runs that decide nothing pass.
fn assert_same_events(source: Source, least_events: u64) {
    let tally = campaign(source, Subject::Events, 1_000);
    let differences: Vec<_> = tally.differences.iter().map(|found| (found.seed, &found.what)).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(tally.runs >= 1_000 && tally.events >= least_events, "{tally:?}");
}

#[test]
fn ssa_of_data_flow_is_right() {
    assert_no_difference(Source::Data, Subject::Transformed(transform::lowered));
}

/// Lowers a program whose SSA was spoilt on purpose.
fn lower_spoilt(wasm: &[u8], spoil: fn(&mut Body)) -> anyhow::Result<Vec<u8>> {
    let mut program = Program::parse(wasm.to_vec())?;
    for (_, function) in program.functions.iter_mut() {
        if let Code::Defined(defined) = &mut function.code {
            spoil(&mut defined.body);
        }
    }
    Ok(lower::lower(&program)?)
}

fn assert_noticed(transform: transform::Transform) {
    let tally = campaign(Source::Control, Subject::Transformed(transform), 500);
    assert!(!tally.differences.is_empty(), "{tally:?}");
}

#[test]
fn a_swapped_branch_is_noticed() {
    assert_noticed(|wasm| {
        lower_spoilt(wasm, |body| {
            for (_, block) in body.blocks.iter_mut() {
                if let Terminator::Branch { targets, .. } = &mut block.end {
                    targets.swap(0, 1);
                    return;
                }
            }
        })
    });
}

#[test]
fn swapped_arguments_of_one_edge_are_noticed() {
    assert_noticed(|wasm| {
        lower_spoilt(wasm, |body| {
            for index in 0..body.blocks.len() {
                if let Terminator::Jump(edge) = body.blocks[Block::new(index)].end {
                    let mut args = body.list(edge.args).to_vec();
                    // The parameters of these modules are i32s, apart from exceptions.
                    if args.len() == 2 && body.values[args[0]].ty == body.values[args[1]].ty {
                        args.swap(0, 1);
                        let args = body.make_list(&args);
                        let swapped = coax_program::ir::Edge { args, ..edge };
                        body.blocks[Block::new(index)].end = Terminator::Jump(swapped);
                        return;
                    }
                }
            }
        })
    });
}

#[test]
fn a_wrong_case_of_a_switch_is_noticed() {
    assert_noticed(|wasm| {
        lower_spoilt(wasm, |body| {
            for (_, block) in body.blocks.iter_mut() {
                if let Terminator::Switch { targets, default, .. } = &mut block.end {
                    *default = (*default + 1) % targets.len() as u32;
                }
            }
        })
    });
}

#[test]
fn a_missing_handler_is_noticed() {
    assert_noticed(|wasm| {
        lower_spoilt(wasm, |body| {
            for (_, block) in body.blocks.iter_mut() {
                if let Terminator::Invoke { handlers, .. } | Terminator::Throw { handlers, .. } =
                    &mut block.end
                {
                    handlers.pop();
                }
            }
        })
    });
}
