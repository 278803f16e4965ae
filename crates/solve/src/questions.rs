//! The questions of several runs, in order, as a file: to ask them again, of another stack or another solver.
//!
//! ```text
//! coax-questions 1
//! symbol stdin[0]:8
//! path                        the assumptions so far are forgotten
//! hint stdin[0] 104           of this path
//! ($1 (add stdin[0] 1))       what terms have in common, before its first use
//! assume (eq $1 0x69)
//! ask (eq stdin[1] 0x7b)      under the assumptions so far
//! ```

use crate::{Answer, Budget, Layer, Query};
use coax_term::{Model, Node, ParseError, Term, Terms};
use std::collections::BTreeMap;
use std::time::Duration;

const HEAD: &str = "coax-questions 1";

/// Questions, in the order in which they were asked.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The arena of all terms.
    pub terms: Terms,
    /// What was done.
    pub steps: Vec<Step>,
}

/// One line of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The path of another run, which had these values.
    Path(Model),
    /// One more assumption.
    Assume(Term),
    /// A question.
    Ask(Term),
}

impl Questions {
    /// Asks all questions, each of which may take so long, and tells each answer.
    pub fn ask(&mut self, layer: &mut dyn Layer, limit: Duration, mut each: impl FnMut(&Query<'_>, &Answer)) {
        let mut assumptions = Vec::new();
        let no_hint = Model::new();
        let mut hint = &no_hint;
        for step in &self.steps {
            match step {
                Step::Path(values) => {
                    assumptions.clear();
                    hint = values;
                }
                Step::Assume(condition) => assumptions.push(*condition),
                Step::Ask(goal) => {
                    let query = Query { assumptions: &assumptions, goal: *goal, hint };
                    let answer = layer.solve(&mut self.terms, &query, &mut Budget::unlimited().within(limit));
                    each(&query, &answer);
                }
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Ask(_))).count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The questions as text.
    pub fn write(&self) -> String {
        let condition = |step: &Step| match step {
            Step::Path(_) => None,
            Step::Assume(condition) | Step::Ask(condition) => Some(*condition),
        };
        let conditions: Vec<Term> = self.steps.iter().filter_map(condition).collect();
        let mut lines = vec![HEAD.to_owned()];
        let mut names = BTreeMap::new();
        for term in self.terms.post_order(&conditions) {
            if let Node::Symbol(symbol) = self.terms.node(term) {
                let name = self.terms.display(term).to_string();
                lines.push(format!("symbol {name}:{}", self.terms.symbol_width(symbol)));
                names.insert(symbol, name);
            }
        }
        let mut shared = self.terms.share(&conditions);
        for step in &self.steps {
            match step {
                Step::Path(hint) => {
                    lines.push("path".into());
                    // A symbol that no condition mentions is of no use.
                    let named = hint.iter().filter_map(|(symbol, value)| Some((names.get(&symbol)?, value)));
                    lines.extend(named.map(|(name, value)| format!("hint {name} {value}")));
                }
                Step::Assume(condition) | Step::Ask(condition) => {
                    lines.extend(shared.definitions(*condition));
                    let word = if matches!(step, Step::Ask(_)) { "ask" } else { "assume" };
                    lines.push(format!("{word} {}", shared.text(*condition)));
                }
            }
        }
        lines.join("\n") + "\n"
    }

    /// Reads what [`Questions::write`] wrote. The error says which line is wrong.
    pub fn read(text: &str) -> Result<Questions, QuestionsError> {
        let mut terms = Terms::new();
        let mut steps = Vec::new();
        let mut lines = text.lines().zip(1..);
        if lines.next().map(|line| line.0) != Some(HEAD) {
            return Err(QuestionsError::NoList);
        }
        let mut parser = terms.parser();
        for (line, number) in lines {
            let wrong = |error: ParseError| QuestionsError::Line(number, error.to_string());
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "symbol" => {
                    parser.term(rest).map_err(wrong)?;
                }
                "path" => steps.push(Step::Path(Model::new())),
                "hint" => {
                    let (name, value) = rest.rsplit_once(' ').unwrap_or_default();
                    let symbol = parser.term(name).map_err(wrong)?;
                    match (parser.terms().node(symbol), value.parse(), steps.last_mut()) {
                        (Node::Symbol(symbol), Ok(value), Some(Step::Path(hint))) => hint.set(symbol, value),
                        _ => {
                            let text = "A hint is a symbol and its value, after `path`. Write it so.";
                            return Err(QuestionsError::Line(number, text.into()));
                        }
                    }
                }
                "assume" => steps.push(Step::Assume(parser.term(rest).map_err(wrong)?)),
                "ask" => steps.push(Step::Ask(parser.term(rest).map_err(wrong)?)),
                _ => parser.define(line).map_err(wrong)?,
            }
        }
        Ok(Questions { terms, steps })
    }
}

/// Why a text is no such list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionsError {
    /// It does not begin as one.
    #[error("this is no list of questions: its first line is not `{HEAD}`")]
    NoList,
    /// A line is wrong.
    #[error("line {0}: {1}")]
    Line(usize, String),
}
