//! Questions as one incremental SMT-LIB text: for a solver's process, or for a file.
//!
//! A term is defined once. Conditions are asserted on levels: those that the last question and this one start with stay, the others
//! are popped. Declarations and definitions are global, so the text needs the option `:global-declarations`.

use crate::Query;
use coax_term::{Identity, Term, Terms, smt};
use std::collections::BTreeSet;
use std::fmt::Write;

/// How conditions are asserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// On levels.
    Levels,
    /// On levels, each with a name: its number after [`ASSERTION`].
    Named,
    /// All on the outermost level, in a transcript of one question: some solvers have better ways to answer then.
    Once,
}

/// What has been written of one arena.
#[derive(Debug)]
pub(crate) struct Transcript {
    identity: Identity,
    session: smt::Session,
    levels: Vec<Level>,
    /// All unknowns and side conditions of all levels.
    present: BTreeSet<Term>,
    style: Style,
    /// How many assertions there were.
    assertions: usize,
    text: String,
}

/// What is asserted between two `push`.
#[derive(Debug, Default)]
struct Level {
    /// With their numbers, which are their names.
    conditions: Vec<(Term, usize)>,
    /// Symbols and applications in them that are in no earlier level.
    unknowns: Vec<Term>,
    /// Terms with side conditions that are in no earlier level.
    sides: Vec<Term>,
}

/// The start of the name of an assertion; its number follows.
pub(crate) const ASSERTION: &str = "%a";

impl Transcript {
    /// Nothing is written yet.
    pub(crate) fn new(identity: Identity, style: Style) -> Transcript {
        Transcript {
            identity,
            session: smt::Session::new(),
            levels: Vec::new(),
            present: BTreeSet::new(),
            style,
            assertions: 0,
            text: String::new(),
        }
    }

    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    pub(crate) fn style(&self) -> Style {
        self.style
    }

    pub(crate) fn session(&self) -> &smt::Session {
        &self.session
    }

    /// What was written since it was last taken.
    pub(crate) fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Writes what makes the assertions those of the question.
    pub(crate) fn write(&mut self, terms: &Terms, query: &Query<'_>) {
        let mut common = 0;
        let mut kept = 0;
        for level in &self.levels {
            let conditions = level.conditions.iter().map(|&(condition, _)| condition);
            let same = query.assumptions[common..].iter().copied().take(level.conditions.len());
            if !same.eq(conditions) {
                break;
            }
            common += level.conditions.len();
            kept += 1;
        }
        self.keep_levels(kept);
        if common < query.assumptions.len() {
            self.assert_level(terms, &query.assumptions[common..]);
        }
        // A level of its own: mostly the goal is the negation of what will be assumed next.
        self.assert_level(terms, &[query.goal]);
    }

    fn keep_levels(&mut self, count: usize) {
        let popped = self.levels.split_off(count);
        if !popped.is_empty() {
            let _ = writeln!(self.text, "(pop {})", popped.len());
        }
        for term in popped.iter().flat_map(|level| level.unknowns.iter().chain(&level.sides)) {
            self.present.remove(term);
        }
    }

    fn assert_level(&mut self, terms: &Terms, conditions: &[Term]) {
        let order = terms.post_order(conditions);
        self.session.write(terms, &order, &mut self.text);
        if self.style != Style::Once {
            self.text += "(push 1)\n";
        }
        let mut level = Level::default();
        for &term in &order {
            let side = self.session.side_condition(term);
            let matters = side.is_some() || self.session.unknown(terms, term).is_some();
            if !matters || !self.present.insert(term) {
                continue;
            }
            if let Some(side) = side {
                let _ = writeln!(self.text, "(assert {side})");
                level.sides.push(term);
            } else {
                level.unknowns.push(term);
            }
        }
        for &condition in conditions {
            self.assertions += 1;
            let text = self.session.condition(terms, condition);
            let _ = match self.style {
                Style::Named => {
                    writeln!(self.text, "(assert (! {text} :named |{ASSERTION}{}|))", self.assertions)
                }
                Style::Levels | Style::Once => writeln!(self.text, "(assert {text})"),
            };
            level.conditions.push((condition, self.assertions));
        }
        self.levels.push(level);
    }

    /// The symbols and applications of the question, arguments before what is applied to them.
    pub(crate) fn unknowns(&self) -> Vec<Term> {
        let mut unknowns: Vec<Term> =
            self.levels.iter().flat_map(|level| level.unknowns.iter().copied()).collect();
        unknowns.sort_unstable();
        unknowns
    }

    /// The assumptions of the question, with their numbers.
    pub(crate) fn assumptions(&self) -> impl Iterator<Item = (Term, usize)> + '_ {
        let all = self.levels.iter().flat_map(|level| level.conditions.iter().copied());
        // The goal was asserted last.
        all.filter(|&(_, number)| number != self.assertions)
    }
}
