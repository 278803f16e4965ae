//! Makes the input of a test smaller, without losing what the test is there for.

use crate::Subject;
use crate::findings::Kept;
use coax_execute::{Content, Coverage, Data, InShort, Input, Limits, Run, TrapKind, Verdict};

/// Cuts off what a test does not need: bytes at the end of standard input, of files and of buffers that are parameters.
pub(crate) fn shrink(subject: &Subject<'_>, test: &mut Kept) {
    // Trials see less than runs that count; where that is enough, one run in the end says whether they were right.
    let is_simple = !test.outcome.verdict().is_failure() && test.labels.is_empty();
    let shorter = match subject.plain.trials(&test.input) {
        Ok(mut trials) if is_simple => shortest(&test.input, |input| {
            let trial = trials.run(input, &tried_limits(subject)).ok()?;
            let coverage = trials.coverage()?;
            let is_same = trial.ending == InShort::Finished && covers_news(&coverage, test);
            is_same.then(|| input.clone())
        }),
        _ => shortest(&test.input, |input| {
            let confirm = subject.confirm(input).ok()?;
            let run = Some(confirm.run).filter(|run| does_the_same(run, test))?;
            Some(Input { values: run.asked.requests, ..input.clone() })
        }),
    };
    let confirmed = subject.confirm(&shorter).ok().map(|it| it.run).filter(|run| does_the_same(run, test));
    if let Some(run) = confirmed {
        test.input = Input { values: run.asked.requests, ..shorter };
        test.outcome = run.outcome;
        test.stderr = run.stderr;
        test.coverage = run.coverage.unwrap_or_else(|| test.coverage.clone());
    }
}

/// What a trial may use.
fn tried_limits(subject: &Subject<'_>) -> Limits {
    Limits { fuel: subject.limits.fuel.saturating_mul(2), time: None, ..subject.limits.clone() }
}

/// The shortest input that is good, as far as prefixes of its parts are tried. Who says so returns it, with what it was given besides.
fn shortest(input: &Input, mut is_good: impl FnMut(&Input) -> Option<Input>) -> Input {
    let mut best = input.clone();
    for part in 0..parts(&mut best).len() {
        let mut low = 0;
        let mut high = parts(&mut best)[part].0.len();
        // What a prefix does is usually done by a longer one: then this is the shortest.
        while low < high {
            let middle = low.midpoint(high);
            let mut input = best.clone();
            parts(&mut input)[part].0.truncate(middle);
            match is_good(&input) {
                Some(good) => (high, best) = (middle, good),
                None => low = middle + 1,
            }
        }
    }
    best
}

/// The parts of an input that may have another length.
fn parts(input: &mut Input) -> Vec<&mut Data> {
    let is_symbolic = |source: &str, symbols: &Option<std::collections::BTreeMap<String, Option<u64>>>| {
        symbols.as_ref().is_none_or(|symbols| symbols.contains_key(source))
    };
    let mut parts = Vec::new();
    if is_symbolic("stdin", &input.symbols) {
        parts.push(&mut input.stdin);
    }
    for (name, data) in &mut input.files {
        if is_symbolic(&format!("files/{name}"), &input.symbols) {
            parts.push(data);
        }
    }
    for param in input.params.iter_mut().filter(|param| !param.fixed) {
        if let Content::Bytes(_, data) | Content::Text(_, data) = &mut param.content {
            parts.push(data);
        }
    }
    parts
}

/// Whether a run ends as the test does, at the same place if it fails, and covers all that is new in it.
fn does_the_same(run: &Run, test: &Kept) -> bool {
    let Some(coverage) = &run.coverage else { return false };
    let place =
        |outcome: &coax_execute::Outcome| outcome.backtrace().first().map(|frame| (frame.func, frame.offset));
    let (verdict, wanted) = (run.outcome.verdict(), test.outcome.verdict());
    let is_abort = |verdict: &Verdict| *verdict == Verdict::Trapped(TrapKind::Unreachable);
    let same_place = match wanted.is_failure() {
        true if is_abort(&wanted) => run.outcome.backtrace() == test.outcome.backtrace(),
        true => place(&run.outcome) == place(&test.outcome),
        false => true,
    };
    // What is returned may depend on every byte: then nothing would ever be cut off.
    let same_kind = match (&verdict, &wanted) {
        (Verdict::Returned(_), Verdict::Returned(_)) => true,
        _ => verdict == wanted,
    };
    same_kind
        && same_place
        && covers_news(coverage, test)
        && test.labels.iter().all(|label| run.asked.labels.contains(label))
}

/// Whether all that is new in a test is covered.
fn covers_news(coverage: &Coverage, test: &Kept) -> bool {
    test.news.iter().all(|&(site, direction)| coverage.directions(site)[direction as usize])
}
