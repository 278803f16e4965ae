//! Writes a path. See `form.rs` for how it looks.

use super::form::{
    ANSWER, ASSERTION, ASSUMPTION, BRANCH, CONCRETISED, END, HEAD, NO, SELECT, SYMBOL, TRAP, VERSION, YES,
    word,
};
use super::{Event, EventKind, Path};
use coax_term::{Node, Term, Terms};

impl Path {
    /// The path as text that [`Path::read`] reads. The same path, from whichever engine, is the same text.
    pub fn write(&self, terms: &Terms) -> String {
        let all: Vec<Term> = self.events.iter().flat_map(Event::terms).collect();
        let mut lines = vec![format!("{HEAD} {VERSION}")];
        for term in terms.post_order(&all) {
            if let Node::Symbol(symbol) = terms.node(term) {
                lines.push(format!("{SYMBOL} {}:{}", terms.display(term), terms.symbol_width(symbol)));
            }
        }
        let mut shared = terms.share(&all);
        for event in &self.events {
            for term in event.terms() {
                lines.extend(shared.definitions(term));
            }
            let place = format!("{:#x}", event.at);
            let decision = match event.kind {
                EventKind::Branch { direction } => format!("{BRANCH} {place} {direction}"),
                EventKind::Select { direction } => format!("{SELECT} {place} {direction}"),
                EventKind::World { question, direction } => {
                    format!("{ANSWER} {place} {} {direction}", word(question))
                }
                EventKind::Assumption { held } => format!("{ASSUMPTION} {place} {}", yes(held)),
                EventKind::Assertion { held } => format!("{ASSERTION} {place} {}", yes(held)),
                EventKind::Trap { kind, trapped } => {
                    format!("{TRAP} {place} {} {}", word(kind), yes(trapped))
                }
                EventKind::Concretised { term, value, reason } => {
                    format!("{CONCRETISED} {place} {} {value} {}", word(reason), shared.text(term))
                }
            };
            lines.push(format!("{decision} {}", shared.text(event.condition)));
        }
        lines.push(format!("{END} {}\n", self.events.len()));
        lines.join("\n")
    }
}

fn yes(truth: bool) -> &'static str {
    if truth { YES } else { NO }
}

impl Event {
    /// The terms of the event, the condition last.
    fn terms(&self) -> impl Iterator<Item = Term> + use<> {
        let concretised = match self.kind {
            EventKind::Concretised { term, .. } => Some(term),
            _ => None,
        };
        concretised.into_iter().chain([self.condition])
    }
}
