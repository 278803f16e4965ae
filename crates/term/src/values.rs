//! The values that a term can have, if they are few.

use crate::{Term, Terms};

impl Terms {
    /// Values that the term can at most have, by size; none if they may be more than the limit.
    pub fn possible_values(&self, term: Term, limit: usize) -> Option<Vec<u64>> {
        let range = self.range(term);
        range.count().is_some_and(|count| count <= limit as u64).then(|| range.values().collect())
    }
}
