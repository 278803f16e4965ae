//! Makes the input of a test smaller, without losing what the test is there for.

mod reduce;

use crate::findings::Kept;
use crate::passed::passes;
use crate::subject::Confirm;
use crate::suite::failure_key;
use crate::target::Seen;
use crate::texts::without_room;
use crate::{Stop, Subject};
use coax_execute::{Content, Coverage, Data, Error, InShort, Input, Limits, Run, Verdict};
use reduce::{Judgement, reduce};

/// What finding the example of a failure may cost: so many runs, and so much fuel, but at least a few runs.
const MOST_RUNS: u32 = 300;
const MOST_FUEL: u64 = 20_000_000;
const FEW_RUNS: u32 = 4;

/// Cuts off what a test does not need: bytes at the end of standard input, of files and of buffers that are parameters. When the search is over, it stays as it is.
pub(crate) fn shrink(subject: &Subject<'_>, test: &mut Kept, stop: &Stop) {
    if stop.reason().is_some() {
        return;
    }
    // Trials see less than runs that count; where that is enough, one run in the end says whether they were right.
    let is_simple = !test.outcome.verdict().is_failure() && test.labels.is_empty();
    let shorter = match subject.plain.trials(&test.input) {
        Ok(mut trials) if is_simple => shortest(&test.input, stop, |input| {
            let trial = trials.run(input, &tried_limits(subject)).ok()?;
            let coverage = trials.coverage()?;
            let is_same = trial.ending == InShort::Finished
                && covers_news(&coverage, test)
                && passes(subject.program, &test.outcome, &coverage, &test.passes)
                && reaches_targets(subject, test, Seen { coverage: &coverage, ..Seen::from(&*test) });
            is_same.then(|| input.clone())
        }),
        _ if test.failure.is_some() => {
            let confirm = |input: &Input| subject.confirm(input);
            reduced(&test.input, confirm, |run| does_the_same(subject, run, test), stop)
        }
        _ => shortest(&test.input, stop, |input| {
            let Confirm { run, grown, .. } = subject.confirm(input).ok()?;
            let run = Some(run).filter(|run| does_the_same(subject, run, test))?;
            Some(Input { values: run.asked.requests, ..grown.unwrap_or_else(|| input.clone()) })
        }),
    };
    let confirmed = subject.confirm(&shorter).ok().filter(|it| does_the_same(subject, &it.run, test));
    if let Some(Confirm { run, grown, .. }) = confirmed {
        test.input = Input { values: run.asked.requests, ..grown.unwrap_or(shorter) };
        test.blamed = subject.blamed(&run.outcome).and_then(|frame| frame.offset);
        test.outcome = run.outcome;
        test.stderr = run.stderr;
        test.written = run.written;
        test.coverage = run.coverage.unwrap_or_else(|| test.coverage.clone());
    }
}

/// The smallest example of the failure that a test shows, whatever else the test is there for; nothing if it shows no new one, or the search is over.
pub(crate) fn example(subject: &Subject<'_>, test: &Kept, stop: &Stop) -> Option<Kept> {
    test.failure.filter(|_| stop.reason().is_none())?;
    let key = failure_key(subject, &test.outcome);
    let confirm = |input: &Input| subject.confirm_end(input);
    let is_it = |run: &Run| failure_key(subject, &run.outcome) == key;
    let input = reduced(&test.input, confirm, is_it, stop);
    Some(Kept { labels: Vec::new(), failure: test.failure, ..subject.test_of(input)? })
}

/// The smallest input that is found by a few runs, and whose run is good.
fn reduced(
    input: &Input,
    confirm: impl Fn(&Input) -> Result<Confirm, Error>,
    is_good: impl Fn(&Run) -> bool,
    stop: &Stop,
) -> Input {
    let (mut runs, mut fuel) = (0, 0u64);
    reduce(input, |input| {
        let is_enough = runs >= MOST_RUNS || fuel >= MOST_FUEL && runs >= FEW_RUNS;
        if is_enough || stop.reason().is_some() {
            return Judgement::Enough;
        }
        runs += 1;
        let input = without_room(input);
        let Ok(Confirm { run, grown, .. }) = confirm(&input) else { return Judgement::Bad };
        let input = grown.unwrap_or(input);
        fuel += run.fuel_used;
        is_good(&run).then_some(Input { values: run.asked.requests, ..input }).into()
    })
}

/// What a trial may use.
fn tried_limits(subject: &Subject<'_>) -> Limits {
    Limits { fuel: subject.limits.fuel.saturating_mul(2), time: None, ..subject.limits.clone() }
}

/// The shortest input that is good, as far as prefixes of its parts are tried. Who says so returns it, with what it was given besides.
fn shortest(input: &Input, stop: &Stop, mut is_good: impl FnMut(&Input) -> Option<Input>) -> Input {
    let mut best = input.clone();
    for part in 0..parts(&mut best).len() {
        let mut low = 0;
        let mut high = parts(&mut best)[part].0.len();
        // What a prefix does is usually done by a longer one: then this is the shortest.
        while low < high && stop.reason().is_none() {
            let middle = low.midpoint(high);
            let mut input = best.clone();
            parts(&mut input)[part].0.truncate(middle);
            input.settle();
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
fn does_the_same(subject: &Subject<'_>, run: &Run, test: &Kept) -> bool {
    let Some(coverage) = &run.coverage else { return false };
    let is_same = match test.outcome.verdict().is_failure() {
        true => failure_key(subject, &run.outcome) == failure_key(subject, &test.outcome),
        // What is returned may depend on every byte: then nothing would ever be cut off.
        false => match (run.outcome.verdict(), test.outcome.verdict()) {
            (Verdict::Returned(_), Verdict::Returned(_)) => true,
            (verdict, wanted) => verdict == wanted,
        },
    };
    let labels = &run.asked.labels;
    is_same
        && covers_news(coverage, test)
        && passes(subject.program, &run.outcome, coverage, &test.passes)
        && test.labels.iter().all(|label| labels.contains(label))
        && reaches_targets(subject, test, Seen { outcome: &run.outcome, coverage, labels })
}

/// Whether a run reaches all that a test was the first to reach.
fn reaches_targets(subject: &Subject<'_>, test: &Kept, seen: Seen<'_>) -> bool {
    test.targets.iter().all(|&number| subject.targets[number].is_reached_by(subject.program, seen))
}

/// Whether all that is new in a test is covered.
fn covers_news(coverage: &Coverage, test: &Kept) -> bool {
    test.news.iter().all(|&(site, direction)| coverage.directions(site)[direction as usize])
        && test.enters.iter().all(|&func| coverage.entered(func))
}
