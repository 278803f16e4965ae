//! How to come by inputs with which conditions hold, whatever the unknown functions are.

use coax_term::{Evaluator, Function, Functions, Model, Symbol, Term, Terms};

/// What to choose, and what to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The values that are chosen.
    pub chosen: Model,
    /// What the others are set to, in this order: each depends on inputs that have their values by then.
    pub settings: Vec<(Symbol, Term)>,
}

/// A value of a function that must be known first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The function.
    pub function: Function,
    /// Where it must be sampled.
    pub arguments: Vec<u64>,
    /// The input as far as it is known: a run of it may show the value.
    pub so_far: Model,
}

impl Strategy {
    pub(super) fn new(chosen: Model, mut definitions: Vec<(Symbol, Term)>) -> Strategy {
        definitions.reverse();
        Strategy { chosen, settings: definitions }
    }

    /// The input, or the value that must be known for it. Inputs that the strategy leaves open are those of the hint.
    pub fn execute(
        &self,
        terms: &Terms,
        hint: &Model,
        functions: &mut dyn Functions,
    ) -> Result<Model, Wanted> {
        let mut input: Model = hint.iter().collect();
        input.overlay(&self.chosen);
        let mut wanted = None;
        // What cannot be set yet, nor what depends on it. The rest can: a run of it may show all that is wanted.
        let mut open = Vec::new();
        for &(symbol, term) in &self.settings {
            if terms.symbols_of(term).iter().any(|used| open.contains(used)) {
                open.push(symbol);
                continue;
            }
            let mut noting = Noting { functions, missing: None };
            match Evaluator::new().eval_with(terms, &input, &mut noting, term) {
                Some(value) => input.set(symbol, value),
                None => {
                    open.push(symbol);
                    wanted = wanted.or(noting.missing);
                }
            }
        }
        match wanted {
            None => Ok(input),
            Some((function, arguments)) => Err(Wanted { function, arguments, so_far: input }),
        }
    }

    /// The steps, in words.
    pub fn in_words(&self, terms: &Terms) -> Vec<String> {
        let name = |symbol: Symbol| terms.symbol_name(symbol);
        let is_set = |symbol: Symbol| self.settings.iter().any(|(it, _)| *it == symbol);
        let choose = self.chosen.iter().filter(|(symbol, _)| !is_set(*symbol));
        let choose = choose.map(|(symbol, value)| format!("choose {} = {value}", name(symbol)));
        let set = self.settings.iter();
        let set = set.map(|&(symbol, term)| format!("set {} to {}", name(symbol), terms.display(term)));
        choose.chain(set).collect()
    }
}

/// Remembers the first value that is not known.
struct Noting<'a> {
    functions: &'a mut dyn Functions,
    missing: Option<(Function, Vec<u64>)>,
}

impl Functions for Noting<'_> {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let value = self.functions.apply(function, arguments);
        if value.is_none() && self.missing.is_none() {
            self.missing = Some((function, arguments.to_vec()));
        }
        value
    }
}
