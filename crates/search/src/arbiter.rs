//! How much is spent on trials of changed inputs, and how much on runs and questions.
//!
//! Everything is measured in units that do not depend on the machine or on how many threads there are: about a microsecond each. What finds
//! more gets more, within bounds: what was of no use for a long time may be of use again.

/// What a run costs, beside two for each of its terms.
const RUN: u64 = 1_000;
/// What a question costs, and each unit of a solver's effort.
const QUESTION: u64 = 100;
const EFFORT: u64 = 4;
/// What a trial costs, and how much fuel costs as much as a unit.
const TRIAL: u64 = 8;
const FUEL: u64 = 4_000;

/// What trials may cost in a batch, at least and at most: they learn from each other after it.
const LEAST: u64 = 8_000;
const MOST: u64 = 800_000;
/// The part of all work that trials are, at least and at most, and at most if they have found nothing for long.
const LEAST_SHARE: f64 = 0.2;
const MOST_SHARE: f64 = 0.8;
const IF_FRUITLESS: f64 = 0.3;
/// After so much work what was found counts half: what is covered first is covered by anything, and says little of what finds more now.
const MEMORY: u64 = 2_000_000;

/// What a run with so many terms costs.
pub(crate) fn run(terms: usize) -> u64 {
    RUN + 2 * terms as u64
}

/// What a question costs that took so much effort.
pub(crate) fn question(effort: u64) -> u64 {
    QUESTION + EFFORT * effort
}

/// What a trial costs that uses so much fuel.
pub(crate) fn trial(fuel: u64) -> u64 {
    TRIAL + fuel / FUEL
}

/// What one of the two has cost, and how many directions it has covered.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    cost: u64,
    gain: u64,
}

impl Side {
    /// What was covered for the same cost: never nothing, for who knows.
    fn rate(self) -> f64 {
        (self.gain + 1) as f64 / (self.cost + LEAST) as f64
    }

    fn fade(&mut self) {
        self.cost /= 2;
        self.gain /= 2;
    }
}

/// The part of all work that questions may take which were too hard before: one in so many.
const HARD_PART: u64 = 8;
/// The same for proofs that were not found quickly: those that are found are found quickly, nearly always.
const PROOF_PART: u64 = 16;

/// What was spent on each, and what came of it.
#[derive(Debug, Default)]
pub(crate) struct Arbiter {
    trials: Side,
    rest: Side,
    /// All work so far, and what of it was allowed for hard questions and for hard proofs.
    all: u64,
    hard: u64,
    proofs: u64,
}

impl Arbiter {
    /// Runs and questions cost so much.
    pub(crate) fn worked(&mut self, cost: u64) {
        self.rest.cost += cost;
        self.all += cost;
        if self.trials.cost + self.rest.cost > MEMORY {
            self.trials.fade();
            self.rest.fade();
        }
    }

    /// All work so far.
    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    /// A run has covered so many directions that were not covered before; its input comes from trials or not.
    pub(crate) fn covered(&mut self, directions: u64, by_trials: bool) {
        let side = if by_trials { &mut self.trials } else { &mut self.rest };
        side.gain += directions;
    }

    /// What trials may cost now; it counts as spent.
    pub(crate) fn due(&mut self) -> u64 {
        let (trials, rest) = (self.trials.rate(), self.rest.rate());
        // The same inputs, changed again and again, show less and less; each question is another.
        let most = if self.trials.gain == 0 { IF_FRUITLESS } else { MOST_SHARE };
        let share = (trials / (trials + rest)).clamp(LEAST_SHARE, most);
        let wanted = (self.rest.cost as f64 * share / (1.0 - share)) as u64;
        let due = wanted.saturating_sub(self.trials.cost).clamp(LEAST, MOST);
        self.trials.cost += due;
        self.all += due;
        due
    }

    /// Whether a question may take so much effort that was too hard before; then it counts as spent.
    pub(crate) fn allows_hard(&mut self, effort: u64) -> bool {
        allows(&mut self.hard, effort, self.all / HARD_PART)
    }

    /// The same for a proof that was not found quickly.
    pub(crate) fn allows_proof(&mut self, effort: u64) -> bool {
        allows(&mut self.proofs, effort, self.all / PROOF_PART)
    }
}

/// Whether so much effort may be spent on top of what was; then it counts as spent.
fn allows(spent: &mut u64, effort: u64, most: u64) -> bool {
    let sum = *spent + question(effort);
    let is_allowed = sum <= most;
    if is_allowed {
        *spent = sum;
    }
    is_allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of trials after many batches in which everything else costs as much as a question or two.
    fn share(by_trials: u64, by_rest: u64) -> f64 {
        let mut arbiter = Arbiter::default();
        let (mut trials, mut rest) = (0, 0);
        for _ in 0..1_000 {
            arbiter.worked(100_000);
            arbiter.covered(by_trials, true);
            arbiter.covered(by_rest, false);
            rest += 100_000;
            trials += arbiter.due();
        }
        trials as f64 / (trials + rest) as f64
    }

    #[test]
    fn what_finds_more_gets_more_within_bounds() {
        assert!(share(0, 3) < 0.35, "{}", share(0, 3));
        assert!((0.4..0.6).contains(&share(2, 2)), "{}", share(2, 2));
        assert!(share(3, 0) > 0.7, "{}", share(3, 0));
    }
}
