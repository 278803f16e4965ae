//! Looking for memory errors: an access whose place depends on the input is asked whether it can leave what it may access.
//!
//! A path goes on in the same way whether `buffer[i]` is inside of its block or not, so no decision leads to the error. A probe is a question beside the
//! path: is there an input that comes this way and accesses something else? Its answer is an input like any other, and only its run says
//! whether it was an error. So a probe may be wrong, and never proves anything.

use crate::Subject;
use coax_execute::SymbolicAccess;
use coax_term::{Algebra, Binary, Term, Terms};
use std::collections::BTreeMap;

/// What one question may cost.
pub(crate) const PROBE_EFFORT: u64 = 10_000;

/// Nothing of a program's is below: what is accessed there is accessed through a null pointer.
const FIRST_ADDRESS: u64 = 1024;

/// Half of all addresses: no stack pointer is above.
const HALF: u64 = 1 << 31;

/// Bytes behind and before a block that are an allocator's own.
const NEAR: u64 = 4;

/// An access that is asked about.
pub(crate) struct Probe {
    pub(crate) at: u32,
    /// How many decisions of its path come before.
    pub(crate) place: usize,
    /// Where it begins and how many bytes it has, 64 bits wide, in the slot's arena.
    pub(crate) address: Term,
    pub(crate) bytes: Term,
    pub(crate) place_of: PlaceOf,
}

/// What an address belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceOf {
    /// A block that it was in: the first byte, and the first behind it.
    Block(u64, u64),
    /// The stack pointer, and where the stack ends.
    Stack(u64),
    /// Anything else.
    Other,
}

impl PlaceOf {
    /// What an access, or the address in a global, belongs to; none if that is no question.
    pub(crate) fn of(
        access: &SymbolicAccess,
        blocks: &[(u32, u32)],
        stack: Option<(u32, u32)>,
    ) -> Option<PlaceOf> {
        match (access.global, stack) {
            (None, _) => Some(block_of(blocks, access.address.1).unwrap_or(PlaceOf::Other)),
            (Some(global), Some((pointer, lowest))) if global == pointer => {
                Some(PlaceOf::Stack(lowest.into()))
            }
            (Some(_), _) => None,
        }
    }
}

impl Probe {
    /// What would be wrong, the most general first; and whether that is sure, for elsewhere there may be other blocks.
    pub(crate) fn goals(&self, terms: &mut Terms) -> Vec<(bool, Term)> {
        let constant = |terms: &mut Terms, value: u64| terms.constant(64, value);
        let less = |terms: &mut Terms, a: Term, b: Term| terms.binary(Binary::Ult, a, b);
        let (start, end) = match self.place_of {
            PlaceOf::Block(start, end) => (start, end),
            PlaceOf::Stack(lowest) => {
                // Below zero is far above.
                let [lowest, top] = [lowest, HALF].map(|value| constant(terms, value));
                let is_below = less(terms, self.address, lowest);
                let is_above = less(terms, top, self.address);
                return vec![(true, terms.or(is_below, is_above))];
            }
            PlaceOf::Other => {
                let first = constant(terms, FIRST_ADDRESS);
                return vec![(true, less(terms, self.address, first))];
            }
        };
        let [near_start, start, end, near_end] =
            [start.saturating_sub(NEAR), start, end, end + NEAR].map(|value| constant(terms, value));
        let behind = terms.binary(Binary::Add, self.address, self.bytes);
        let leaves = less(terms, end, behind);
        let is_near = less(terms, self.address, near_end);
        let just_behind = terms.and(leaves, is_near);
        let begins_before = less(terms, self.address, start);
        let is_far = less(terms, self.address, near_start);
        let is_not_far = terms.not(is_far);
        let just_before = terms.and(begins_before, is_not_far);
        let anywhere = terms.or(leaves, begins_before);
        vec![(false, anywhere), (true, just_behind), (true, just_before)]
    }
}

/// The accesses that were asked about.
#[derive(Default)]
pub(crate) struct Probed {
    /// How often each operator came up, or none if an input was found.
    counts: BTreeMap<u32, Option<u32>>,
    /// How often each length came up, by the condition that it is too short.
    lengths: BTreeMap<Term, u32>,
}

impl Probed {
    /// Chooses from the accesses of a run those that are worth a question: the first of each operator, then fewer and fewer.
    pub(crate) fn choose(
        &mut self,
        subject: &Subject<'_>,
        accesses: &[SymbolicAccess],
    ) -> Vec<SymbolicAccess> {
        let mut chosen = Vec::new();
        for access in accesses {
            let Some(count) = self.counts.entry(access.at).or_insert(Some(0)) else { continue };
            *count += 1;
            if count.is_power_of_two() && !subject.plain.is_allocators(access.at) {
                chosen.push(*access);
            }
        }
        chosen
    }

    /// Whether it is worth a question that something is too short: the first time, then more and more rarely.
    pub(crate) fn is_worth(&mut self, too_short: Term) -> bool {
        let count = self.lengths.entry(too_short).or_default();
        *count += 1;
        count.is_power_of_two()
    }

    /// An input was found.
    pub(crate) fn found(&mut self, at: u32) {
        self.counts.insert(at, None);
    }
}

/// The block that an address was in, the larger one if there were several: where it begins and ends.
fn block_of(blocks: &[(u32, u32)], address: u64) -> Option<PlaceOf> {
    let ranges = blocks.iter().map(|&(start, size)| (u64::from(start), u64::from(start) + u64::from(size)));
    let here = ranges.filter(|(start, end)| (*start..=*end).contains(&address));
    here.max_by_key(|(start, end)| end - start).map(|(start, end)| PlaceOf::Block(start, end))
}
