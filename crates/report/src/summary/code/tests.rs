use super::super::{Bug, Command, Coverage, Covered, ModuleCoverage, Solver, Stop, Summaries, TargetVerdict};
use super::*;

fn summary(command: Command) -> Summary {
    let none = Covered::default();
    let module = ModuleCoverage { branches: none, functions: none, lines: none, selects: none };
    Summary {
        assumed: Vec::new(),
        bounds: Vec::new(),
        bugs: Vec::new(),
        command,
        compile_ms: 0,
        concretisations: 0,
        coverage: Coverage { branches: none, functions: none, lines: none, module, selects: none },
        cut_off: false,
        data_model: "".into(),
        dead: Vec::new(),
        discarded: 0,
        divergences: 0,
        entry: "f".into(),
        explored: true,
        module: "".into(),
        mutations: 0,
        not_run: Vec::new(),
        paths: 1,
        prepare_ms: 0,
        program: "f.c".into(),
        runs: 1,
        seed: 1,
        solver: Solver { backend_calls: 0, queries: 0, sat: 0, time_ms: 0, unknown: 0, unsat: 0 },
        stop: Stop::Complete,
        strategies: Vec::new(),
        summaries: Summaries {},
        targets: Vec::new(),
        tests: 1,
        time_ms: 0,
        tool: "coax".into(),
        uncalled: Default::default(),
        uncovered: Vec::new(),
        unknown_functions: Vec::new(),
        version: "".into(),
        work: 0,
    }
}

fn with_bugs(command: Command, known: &[Option<bool>]) -> Summary {
    let bug = |&known: &Option<bool>| Bug {
        function: None,
        hits: 1,
        kind: "abort".into(),
        known,
        location: None,
        message: None,
        supposes: Vec::new(),
        test: "t".into(),
    };
    Summary { bugs: known.iter().map(bug).collect(), ..summary(command) }
}

fn with_targets(verdicts: &[Verdict]) -> Summary {
    let target = |&verdict: &Verdict| TargetVerdict {
        assumes: Vec::new(),
        reason: None,
        segments: 0,
        target: "f.c:1".into(),
        test: None,
        verdict,
    };
    let targets = verdicts.iter().map(target).collect();
    // That there are failures says nothing of places.
    Summary { targets, ..with_bugs(Command::Reach, &[None]) }
}

#[test]
fn only_failures_count_that_are_not_known() {
    let code = |known: &[Option<bool>]| with_bugs(Command::Cover, known).exit_code(false);
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&[None]), 1);
    assert_eq!(code(&[Some(true)]), 0);
    assert_eq!(code(&[Some(true), Some(false)]), 1);
}

#[test]
fn failures_that_make_a_baseline_do_not_count() {
    assert_eq!(with_bugs(Command::Cover, &[None]).exit_code(true), 0);
}

#[test]
fn a_place_that_is_not_decided_counts_more_than_one_that_is_unreachable() {
    use Verdict::{Reached, Unknown, Unreachable};
    let code = |verdicts: &[Verdict]| with_targets(verdicts).exit_code(false);
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&[Reached, Reached]), 0);
    assert_eq!(code(&[Unreachable, Reached]), 3);
    assert_eq!(code(&[Unreachable, Unknown, Reached]), 4);
}
