//! Many questions in one process, in one arena that is emptied when it has grown too much, as a search asks them: for how much memory
//! that takes.

use super::queries::{RandomPath, Theory};
use crate::{Answer, Budget, Layer, Query, Stack, StackOptions};
use coax_term::Terms;

/// With more terms than this the arena is emptied.
const MOST_TERMS: usize = 2_000_000;
/// So many questions are asked along a path.
const QUESTIONS_OF_A_PATH: u64 = 16;
/// What a question may cost.
const EFFORT: u64 = 200;

/// A stack, and the arena of the questions that it is asked.
pub struct Endurance {
    stack: Stack,
    terms: Terms,
    /// How many questions were asked.
    pub asked: u64,
    /// How many of them had an answer.
    pub answered: u64,
    /// How often the arena was emptied.
    pub emptied: u64,
}

impl Default for Endurance {
    fn default() -> Endurance {
        let stack = Stack::new(StackOptions { child: None, ..StackOptions::default() });
        Endurance { stack, terms: Terms::new(), asked: 0, answered: 0, emptied: 0 }
    }
}

impl Endurance {
    /// Asks all questions of a random path.
    pub fn path(&mut self, seed: u64) {
        if self.terms.len() > MOST_TERMS {
            self.terms.clear();
            self.emptied += 1;
        }
        let theory = match seed % 8 {
            0 => Theory::Floats,
            1 => Theory::Functions,
            2 => Theory::Tables,
            _ => Theory::BitVectors,
        };
        let widths: &[u8] = if seed.is_multiple_of(2) { &[8; 12] } else { &[8, 8, 8, 16, 32, 64] };
        let mut path = RandomPath::in_arena(std::mem::take(&mut self.terms), theory, seed, widths);
        for _ in 0..QUESTIONS_OF_A_PATH {
            let goal = path.goal(if seed.is_multiple_of(5) { 2 } else { 1 });
            let query = Query { assumptions: &path.assumptions, goal, hint: &path.hint };
            let answer = self.stack.solve(&mut path.terms, &query, &mut Budget::effort(EFFORT));
            self.asked += 1;
            self.answered += u64::from(!matches!(answer, Answer::Unknown(_)));
            path.go_on(goal);
        }
        self.terms = path.terms;
    }

    /// How many megabytes the process takes now, as Linux says; none elsewhere.
    pub fn megabytes() -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes / 1024)
    }
}
