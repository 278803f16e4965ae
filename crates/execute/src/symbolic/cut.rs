//! Vocabularies: the symbols that stand for what comes into a call that is cut.
//!
//! A term belongs to the vocabulary in which it was made; number 0 is that of the input. In another one a symbol stands for it.

use coax_term::{Node, Substitution, Symbol, Term, Terms};
use std::collections::BTreeMap;
use std::fmt;

/// A number for the symbols of one call, more than 0, or of the input: 0.
pub(super) type Vocabulary = u32;

/// How a term came into a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    Param(usize),
    Result(usize),
    Cell(u64),
    Global(u32),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Param(index) => write!(f, "param{index}"),
            Origin::Result(index) => write!(f, "result{index}"),
            Origin::Cell(address) => write!(f, "cell[{address}]"),
            Origin::Global(index) => write!(f, "global{index}"),
        }
    }
}

/// What the symbols of calls that are cut stand for.
#[derive(Debug, Default)]
pub(super) struct Cut {
    /// The vocabulary of the code that is running.
    pub(super) current: Vocabulary,
    /// Whether any call was cut.
    pub(super) used: bool,
    /// In the order in which they were made: a term has only symbols of earlier bindings.
    bindings: Vec<(Symbol, Term)>,
    /// What they are without any symbol that stands for something, as far as that was asked for.
    whole: Vec<Term>,
    index: BTreeMap<Symbol, usize>,
    substitution: Substitution,
    symbols: BTreeMap<(Vocabulary, Origin, Term), Term>,
    /// How many symbols have this origin.
    versions: BTreeMap<(Vocabulary, Origin), u32>,
}

impl Cut {
    pub(super) fn clear(&mut self) {
        *self = Cut::default();
    }

    /// A term of a vocabulary, as the running code may use it.
    pub(super) fn own(&mut self, terms: &mut Terms, term: Term, of: Vocabulary, origin: Origin) -> Term {
        if of == self.current || terms.as_constant(term).is_some() {
            return term;
        }
        let current = self.current;
        if let Some(&symbol) = self.symbols.get(&(current, origin, term)) {
            return symbol;
        }
        let version = self.versions.entry((current, origin)).or_default();
        *version += 1;
        let later = if *version > 1 { format!("#{version}") } else { String::new() };
        let owner = if current == 0 { "input".to_string() } else { format!("call{}", current - 1) };
        let symbol = terms.symbol(&format!("{owner}.{origin}{later}"), terms.width_of(term));
        let Node::Symbol(id) = terms.node(symbol) else { unreachable!("a symbol is a symbol") };
        self.index.insert(id, self.bindings.len());
        self.bindings.push((id, term));
        self.symbols.insert((current, origin, term), symbol);
        symbol
    }

    /// What a symbol stands for.
    pub(super) fn bindings(&self) -> &[(Symbol, Term)] {
        &self.bindings
    }

    /// The term with all such symbols replaced by what they stand for.
    pub(super) fn uncut(&mut self, terms: &mut Terms, term: Term) -> Term {
        if self.bindings.is_empty() {
            return term;
        }
        while let Some(&(_, bound)) = self.bindings.get(self.whole.len()) {
            let whole = self.substitute(terms, bound);
            self.whole.push(whole);
        }
        self.substitute(terms, term)
    }

    fn substitute(&mut self, terms: &mut Terms, term: Term) -> Term {
        let Cut { substitution, index, whole, .. } = self;
        substitution.apply(terms, term, &mut |symbol| index.get(&symbol).map(|&index| whole[index]))
    }
}
