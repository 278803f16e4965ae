//! What some assumptions leave: the values of each byte, and the combinations of values of a few.

use super::VALUES_PER_EFFORT;
use super::lanes::Lanes;
use super::values::Values;
use crate::Budget;
use coax_term::{Symbol, Term, Terms};
use std::collections::BTreeMap;

/// What some assumptions leave.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) assumptions: Vec<Term>,
    /// The values of each symbol, as far as columns say.
    pub(super) domains: BTreeMap<Symbol, Values>,
    /// Conditions about a few bytes, and which.
    pub(super) few: Vec<(Term, Box<[Symbol]>)>,
    pub(super) regions: BTreeMap<Box<[Symbol]>, Region>,
    /// There is an assumption about many.
    pub(super) is_open: bool,
    /// Assumptions that contradict each other.
    pub(super) contradiction: Option<Vec<Term>>,
}

/// The combinations of values of some symbols that the assumptions about just them leave.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) lanes: Lanes,
    /// How many of `few` it knows.
    pub(super) known: usize,
}

impl State {
    pub(super) fn domain(&self, terms: &Terms, symbol: Symbol) -> Values {
        let known = self.domains.get(&symbol).copied();
        known.unwrap_or_else(|| Values::of_width(terms.symbol_width(symbol)))
    }

    /// The combinations of values of these symbols that the assumptions about just them leave; none if there are too many.
    pub(super) fn region(
        &mut self,
        terms: &Terms,
        symbols: &[Symbol],
        budget: &mut Budget,
    ) -> Option<&mut Lanes> {
        if !self.regions.contains_key(symbols) {
            let domains: Vec<_> =
                symbols.iter().map(|&symbol| (symbol, self.domain(terms, symbol))).collect();
            self.regions.insert(symbols.into(), Region { lanes: Lanes::new(&domains)?, known: 0 });
        }
        let Region { lanes, known } = self.regions.get_mut(symbols)?;
        while let Some((condition, about)) = self.few.get(*known) {
            if about.iter().all(|symbol| symbols.contains(symbol)) {
                let (alive, computed) = lanes.holding(terms, *condition);
                lanes.keep(alive);
                budget.spend((computed / VALUES_PER_EFFORT) as u64).ok()?;
            }
            *known += 1;
        }
        Some(lanes)
    }

    /// These symbols, and those that an assumption connects them with.
    pub(super) fn wider(&self, symbols: &[Symbol]) -> Box<[Symbol]> {
        let touches = |few: &&(Term, Box<[Symbol]>)| few.1.iter().any(|symbol| symbols.contains(symbol));
        let others = self.few.iter().filter(touches).flat_map(|few| few.1.iter().copied());
        let mut wider: Vec<Symbol> = symbols.iter().copied().chain(others).collect();
        wider.sort_unstable();
        wider.dedup();
        wider.into()
    }
}
