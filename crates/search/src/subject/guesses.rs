//! Runs that leave objects whose size is a guess: that says that the guess was too small, not that the program is wrong.
//!
//! Such an input is run again with more room behind these objects, and becomes the one that has enough. Where no room is enough, an experiment tells
//! whether the guess is to blame: with more room the run comes further, or the block that it leaves is a larger one. Then it does not count. Where room changes
//! nothing, it is a failure like others.

use super::Confirm;
use coax_execute::{Error, Input, Outcome, Run, TrapKind, Verdict};

/// With how much fuel runs are compared, in bits.
const FIRST_FUEL: u32 = 6;
const LAST_FUEL: u32 = 32;

/// Runs an input, and if need be again with more room.
pub(super) fn confirm(
    input: &Input,
    run: impl Fn(&Input) -> Result<Confirm, Error>,
    run_within: impl Fn(&Input, u64) -> Option<Verdict>,
) -> Result<Confirm, Error> {
    let first = run(input)?;
    let mut grown = input.with_more_spare().filter(|_| leaves(&first.run));
    let mut last = None;
    while let Some(input) = grown {
        // There may not be as much memory.
        let Ok(again) = run(&input) else { break };
        if !leaves(&again.run) {
            return Ok(Confirm { run: again.run, loose: first.loose, grown: Some(input) });
        }
        grown = input.with_more_spare();
        last = Some((input, again.run));
    }
    Ok(match last {
        Some((with_more, last)) => {
            let is_further = || comes_further((input, &with_more), run_within);
            let depends = match first.run.erred_on {
                Some(size) => last.erred_on != Some(size),
                None => is_further(),
            };
            if depends { Confirm { run: discarded(first.run), ..first } } else { first }
        }
        None => first,
    })
}

/// Whether a run ended outside of what it may access.
fn leaves(run: &Run) -> bool {
    matches!(
        &run.outcome,
        Outcome::Trapped(trap) if matches!(trap.kind, TrapKind::MemoryOutOfBounds | TrapKind::HeapBufferOverflow)
    )
}

/// Whether a run comes further where there is more room: with some fuel it is over, and the other is not. (How much fuel a trap has left is not known.)
fn comes_further(
    (input, with_more): (&Input, &Input),
    run_within: impl Fn(&Input, u64) -> Option<Verdict>,
) -> bool {
    let mut budgets = (FIRST_FUEL..=LAST_FUEL).map(|bits| 1u64 << bits);
    let found = budgets.find_map(|fuel| {
        let is_over = run_within(input, fuel)? != Verdict::OutOfFuel;
        is_over.then(|| run_within(with_more, fuel) == Some(Verdict::OutOfFuel))
    });
    found == Some(true)
}

fn discarded(run: Run) -> Run {
    let reason = "it goes on behind what has no length, further than there can be room".to_owned();
    let backtrace = run.outcome.backtrace().to_vec();
    Run { outcome: Outcome::Discarded { reason, backtrace }, ..run }
}
