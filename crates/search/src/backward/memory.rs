//! What is read from memory further down, and which stores it comes from.

use super::Search;
use super::start::MOST_PLACES;
use super::state::State;
use coax_execute::semantics::memory::{Access, Accessed, split_address};
use coax_term::{Algebra, Binary, Term, Terms};

/// Bytes that are read further down and were not written since.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// Of the first one, 64 bits wide.
    pub(super) address: Term,
    pub(super) bytes: u8,
    /// What they are, as a symbol.
    pub(super) bits: Term,
    /// How many stores it has passed that may or may not be where it is.
    passed: u8,
}

/// A load that passes more stores of which nobody knows where they are could be anything.
const MOST_PASSED: u8 = 4;

/// Where two accesses are.
enum Relation {
    /// The second begins so many bytes behind the first.
    Apart(i64),
    /// One is on the stack, the other in static data.
    Elsewhere,
    Unknown,
}

impl State {
    /// A load, whose result is this symbol, is behind the point now.
    pub(super) fn pass_load(
        &mut self,
        search: &mut Search<'_, '_, '_>,
        access: &Access,
        address: Term,
        result: Term,
    ) {
        if let Some(value) = self.load(search, access, address) {
            self.bind(&mut search.terms, &[(result, value)]);
        }
    }

    /// What is read from memory here; none if that is not known.
    pub(super) fn load(
        &mut self,
        search: &mut Search<'_, '_, '_>,
        access: &Access,
        address: Term,
    ) -> Option<Term> {
        let Accessed::Scalar { .. } = access.value else { return None };
        // How far addresses of 64 bits are apart is not told by 32 of them.
        let is_wide = search.graph.program.memories.first().is_some_and(|memory| memory.ty.memory64);
        if access.memarg.memory != 0 || is_wide {
            return None;
        }
        let address = access.effective(&mut search.terms, address);
        let same = self.loads.iter().find(|load| load.address == address && load.bytes == access.bytes);
        let bits = match same {
            Some(load) => load.bits,
            None => {
                let bits = search.symbol(access.bytes * 8);
                self.loads.push(Load { address, bytes: access.bytes, bits, passed: 0 });
                bits
            }
        };
        Some(access.loaded(&mut search.terms, bits))
    }

    /// A store is behind the point now: what is read further down may come from it.
    pub(super) fn pass_store(
        &mut self,
        search: &mut Search<'_, '_, '_>,
        access: &Access,
        address: Term,
        value: Option<Term>,
    ) {
        if access.memarg.memory != 0 {
            return;
        }
        let terms = &mut search.terms;
        let address = access.effective(terms, address);
        let stored = value.map(|value| access.stored(terms, value));
        let mut bindings = Vec::new();
        let mut kept = Vec::new();
        for load in std::mem::take(&mut self.loads) {
            let (here, there) = (i64::from(access.bytes), i64::from(load.bytes));
            match (search.relation(address, load.address), stored) {
                (Relation::Elsewhere, _) => kept.push(load),
                (Relation::Apart(behind), _) if behind >= here || -behind >= there => kept.push(load),
                (Relation::Apart(behind), Some(stored)) if behind >= 0 && behind + there <= here => {
                    let bits = search.terms.extract(stored, 8 * behind as u8, 8 * load.bytes);
                    bindings.push((load.bits, bits));
                }
                (Relation::Unknown, Some(stored)) if here == there && load.passed < MOST_PASSED => {
                    let (older, any) = (search.symbol(8 * load.bytes), search.symbol(8 * load.bytes));
                    let bits =
                        either(&mut search.terms, (address, stored), (load.address, older), any, here as u64);
                    bindings.push((load.bits, bits));
                    kept.push(Load { bits: older, passed: load.passed + 1, ..load });
                }
                // It could be anything.
                _ => {}
            }
        }
        self.loads = kept;
        self.bind(&mut search.terms, &bindings);
    }
}

/// What is read at an address: what was stored if that was there, what was there before if that was elsewhere, anything if they overlap.
fn either(
    terms: &mut Terms,
    (to, stored): (Term, Term),
    (from, older): (Term, Term),
    any: Term,
    bytes: u64,
) -> Term {
    let is_same = terms.eq(to, from);
    let width = terms.constant(64, bytes);
    let mut is_apart = terms.falsity();
    for (low, high) in [(to, from), (from, to)] {
        let end = terms.binary(Binary::Add, low, width);
        let is_behind = terms.binary(Binary::Ule, end, high);
        is_apart = terms.or(is_apart, is_behind);
    }
    let other = terms.ite(is_apart, older, any);
    terms.ite(is_same, stored, other)
}

impl Search<'_, '_, '_> {
    /// Where the second address is, seen from the first.
    fn relation(&mut self, first: Term, second: Term) -> Relation {
        let ((base, offset), (other, behind)) =
            (split_address(&self.terms, first), split_address(&self.terms, second));
        if base == other {
            // Memories are smaller than 4 GiB, so the numbers modulo 2^32 tell how far apart they are.
            return Relation::Apart(i64::from((behind.wrapping_sub(offset)) as i32));
        }
        let on_stack = |base: Option<Term>| base.is_some_and(|base| self.stack_pointers.contains(&base));
        match (on_stack(base), on_stack(other)) {
            (true, false) if self.is_static(second) => Relation::Elsewhere,
            (false, true) if self.is_static(first) => Relation::Elsewhere,
            _ => Relation::Unknown,
        }
    }

    /// Whether an address is one of static data.
    fn is_static(&mut self, address: Term) -> bool {
        let places = self.terms.possible_values(address, MOST_PLACES);
        places.is_some_and(|places| places.iter().all(|at| self.graph.is_static(*at)))
    }
}
