//! What a script asks for after an answer: values, models, cores, reasons.

use super::outcome::{RunError, Verdict};
use super::run::{Last, Runner};
use super::syntax::Expr;
use crate::{Answer, Query};
use coax_term::{Model, Term};

impl<'a> Runner<'_, '_, 'a> {
    pub(super) fn get(&mut self, name: &str, command: Expr<'a>) -> Result<(), RunError> {
        match (name, &self.last) {
            ("get-model" | "get-value", Last::Told(Verdict::Sat))
            | ("get-unsat-core" | "get-unsat-assumptions", Last::Told(Verdict::Unsat)) => {
                let Some(child) = self.solvers.child.as_deref_mut() else { return Ok(()) };
                match child.tell(command.text(), &(self.solvers.budget)()) {
                    Ok(answers) => writeln!(self.out, "{}", answers.join("\n"))?,
                    Err(reason) => writeln!(self.out, "(error \"{reason}\")")?,
                }
            }
            ("get-model", Last::Sat(model)) => {
                let text = self.state.elaborator.model_text(&self.state.declared, model);
                self.out.write_all(text.as_bytes())?;
            }
            ("get-value", Last::Sat(model)) => {
                let model = model.clone();
                self.get_value(command, &model)?;
            }
            ("get-unsat-core", Last::Unsat(assumed)) => {
                let assumed = assumed.clone();
                let core = self.core(&assumed);
                let needed = self.state.assertions.iter().filter(|one| core.contains(&one.condition));
                let names: Vec<String> = needed.filter_map(|one| one.name.clone()).map(quoted).collect();
                writeln!(self.out, "({})", names.join(" "))?;
            }
            ("get-unsat-assumptions", Last::Unsat(assumed)) => {
                let assumed = assumed.clone();
                let core = self.core(&assumed);
                let needed = assumed.iter().filter(|(condition, _)| core.contains(condition));
                let texts: Vec<&str> = needed.map(|&(_, text)| text).collect();
                writeln!(self.out, "({})", texts.join(" "))?;
            }
            (_, last) => {
                let was = match last {
                    Last::Nothing => "nothing was checked since the last change",
                    Last::Sat(_) | Last::Told(Verdict::Sat) => "the last answer was sat",
                    Last::Unsat(_) | Last::Told(Verdict::Unsat) => "the last answer was unsat",
                    Last::Unknown(_) | Last::Told(Verdict::Unknown(_)) => "the last answer was unknown",
                };
                writeln!(self.out, "(error \"{name} has nothing to give: {was}\")")?;
            }
        }
        Ok(())
    }

    /// Conditions that suffice for the contradiction: all, if the solver cannot tell.
    fn core(&mut self, assumed: &[(Term, &'a str)]) -> Vec<Term> {
        let mut all: Vec<Term> = self.state.assertions.iter().map(|assertion| assertion.condition).collect();
        all.extend(assumed.iter().map(|&(condition, _)| condition));
        let Some((&goal, assumptions)) = all.split_last() else { return all };
        let query = Query { assumptions, goal, hint: &self.hint };
        let terms = &mut self.state.elaborator.terms;
        match self.solvers.layer.solve(terms, &query, &mut (self.solvers.budget)()) {
            Answer::Unsat(mut core) => {
                core.push(goal);
                core
            }
            _ => all,
        }
    }

    fn get_value(&mut self, command: Expr<'a>, model: &Model) -> Result<(), RunError> {
        let Some([_, list]) = command.exactly().filter(|[_, list]| list.is_list()) else {
            return Err(command.wrong("Values are asked for by `(get-value (term …))`.").into());
        };
        let mut pairs = Vec::new();
        for expr in list.elements() {
            let value = self.state.elaborator.elaborate(expr)?;
            match self.state.elaborator.evaluated(value, model) {
                Some(text) => pairs.push(format!("({} {text})", expr.text())),
                None => return Err(expr.beyond("The values of such terms are not supported.").into()),
            }
        }
        writeln!(self.out, "({})", pairs.join("\n "))?;
        Ok(())
    }

    pub(super) fn get_info(&mut self, key: Option<Expr<'a>>) -> Result<(), RunError> {
        match (key.map_or("", |key| key.text()), &self.last) {
            (":reason-unknown", Last::Unknown(reason)) => self.say_reason(&reason.to_string())?,
            (":reason-unknown", Last::Told(Verdict::Unknown(reason))) => self.say_reason(&reason.clone())?,
            (":name", _) => writeln!(self.out, "(:name \"coax\")")?,
            (":version", _) => writeln!(self.out, "(:version \"{}\")", env!("CARGO_PKG_VERSION"))?,
            _ => writeln!(self.out, "unsupported")?,
        }
        Ok(())
    }

    fn say_reason(&mut self, reason: &str) -> std::io::Result<()> {
        writeln!(self.out, "(:reason-unknown \"{}\")", reason.replace('"', "\"\""))
    }
}

/// A name, in bars if it needs them.
fn quoted(name: String) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
    if !name.is_empty() && !starts_with_digit && name.chars().all(is_plain) {
        name
    } else {
        format!("|{name}|")
    }
}
