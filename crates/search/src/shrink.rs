//! Makes the input of a test smaller, without losing what the test is there for.

use crate::Subject;
use crate::findings::Kept;
use coax_execute::{Content, Data, Input, Run, TrapKind, Verdict};

/// Cuts off what a test does not need: bytes at the end of standard input, of files and of buffers that are parameters.
pub(crate) fn shrink(subject: &Subject<'_>, test: &mut Kept) {
    for part in 0..parts(&mut test.input.clone()).len() {
        let mut low = 0;
        let mut high = parts(&mut test.input)[part].0.len();
        // What a prefix does is usually done by a longer one: then this is the shortest.
        while low < high {
            let middle = low.midpoint(high);
            let mut input = test.input.clone();
            parts(&mut input)[part].0.truncate(middle);
            match subject.confirm(&input) {
                Ok(run) if does_the_same(&run, test) => {
                    high = middle;
                    test.input = Input { values: run.asked.requests, ..input };
                    test.outcome = run.outcome;
                    test.stderr = run.stderr;
                    test.coverage = run.coverage.unwrap_or_else(|| test.coverage.clone());
                }
                _ => low = middle + 1,
            }
        }
    }
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
        && test.news.iter().all(|&(site, direction)| coverage.directions(site)[direction as usize])
        && test.labels.iter().all(|label| run.asked.labels.contains(label))
}
