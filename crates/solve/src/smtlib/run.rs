//! Carrying out a script: commands in, answers out.

use super::outcome::{Outcome, RunError, Solvers, Verdict};
use super::state::State;
use super::syntax::{Expr, Syntax, shortened};
use crate::{Answer, Query, Reason};
use coax_term::{Algebra, Model, Term};
use std::io::{self, Write};

/// Carries out a script and writes what it asks for. Commands before an error have been carried out.
pub fn run_script(text: &str, solvers: Solvers<'_>, out: &mut dyn Write) -> Result<Outcome, RunError> {
    let syntax = Syntax::read(text)?;
    let mut runner = Runner {
        state: State::new(),
        solvers,
        out,
        last: Last::Nothing,
        hint: Model::new(),
        says_success: false,
        status: None,
        outcome: Outcome::default(),
    };
    for command in syntax.expressions() {
        if !runner.command(command)? {
            break;
        }
    }
    Ok(runner.outcome)
}

struct Runner<'s, 'o, 'a> {
    state: State<'a>,
    solvers: Solvers<'s>,
    out: &'o mut dyn Write,
    last: Last<'a>,
    /// The last model: questions of a script are often alike.
    hint: Model,
    says_success: bool,
    /// What the next answer should be, if the script says so.
    status: Option<&'a str>,
    outcome: Outcome,
}

/// What `get-…` are about.
enum Last<'a> {
    Nothing,
    Sat(Model),
    /// With what was assumed besides the assertions, as it was written.
    Unsat(Vec<(Term, &'a str)>),
    Unknown(Reason),
    /// The child knows.
    Told,
}

impl<'a> Runner<'_, '_, 'a> {
    /// Carries out a command; false if it was the last one.
    fn command(&mut self, command: Expr<'a>) -> Result<bool, RunError> {
        let Some(name) = command.elements().next().and_then(|head| head.symbol()) else {
            return Err(command.wrong("This is no command. A script consists of `(command …)`.").into());
        };
        let argument = command.elements().nth(1);
        match name {
            "set-logic" => self.set_logic(command, argument)?,
            "set-info" => {
                if let Some([_, key, value]) = command.exactly()
                    && key.text() == ":status"
                {
                    self.status = Some(value.text());
                }
                self.success()?;
            }
            "set-option" => self.set_option(command)?,
            "declare-const" | "declare-fun" | "define-const" | "define-fun" | "define-sort" | "assert"
            | "declare-sort" | "declare-datatype" | "declare-datatypes" | "define-fun-rec"
            | "define-funs-rec" => {
                self.state.say(name, command, self.solvers.child.is_some())?;
                self.last = Last::Nothing;
                self.success()?;
            }
            "push" | "pop" => self.levels(name, command, argument)?,
            "check-sat" => self.check(command, &[])?,
            "check-sat-assuming" => self.check_assuming(command, argument)?,
            "get-model" | "get-value" | "get-unsat-core" | "get-unsat-assumptions" => {
                self.get(name, command)?
            }
            "get-info" => self.get_info(argument)?,
            "echo" => writeln!(self.out, "{}", argument.map_or("", |text| text.text()))?,
            "reset" => {
                self.state = State::new();
                self.hint = Model::new();
                self.last = Last::Nothing;
                self.says_success = false;
            }
            "reset-assertions" => {
                self.state.reset_assertions();
                self.last = Last::Nothing;
                self.success()?;
            }
            "exit" => return Ok(false),
            "get-option" | "get-assertions" | "get-assignment" | "get-proof" => {
                writeln!(self.out, "unsupported")?;
            }
            _ => {
                let what =
                    format!("There is no command `{}`. See whether its name is right.", shortened(name));
                return Err(command.wrong(what).into());
            }
        }
        Ok(true)
    }

    fn success(&mut self) -> io::Result<()> {
        if self.says_success { writeln!(self.out, "success") } else { Ok(()) }
    }

    fn set_logic(&mut self, command: Expr<'a>, logic: Option<Expr<'a>>) -> Result<(), RunError> {
        let Some(name) = logic.and_then(|logic| logic.symbol()) else {
            return Err(command.wrong("A logic is set by `(set-logic QF_BV)`.").into());
        };
        if !is_known_logic(name) && self.solvers.child.is_none() {
            let what = "The logic is not supported. Supported are ALL and what consists of BV, A, UF and FP, like QF_ABV";
            return Err(command.beyond(format!("{what}; this is {}.", shortened(name))).into());
        }
        self.state.set_logic(command);
        Ok(self.success()?)
    }

    fn set_option(&mut self, command: Expr<'a>) -> Result<(), RunError> {
        let Some([_, key, value]) = command.exactly() else {
            return Err(command.wrong("An option is set by `(set-option :name value)`.").into());
        };
        match key.text() {
            ":print-success" => self.says_success = value.text() == "true",
            ":global-declarations" => self.state.declares_globally = value.text() == "true",
            _ => {}
        }
        Ok(self.success()?)
    }

    fn levels(&mut self, name: &str, command: Expr<'a>, count: Option<Expr<'a>>) -> Result<(), RunError> {
        const MOST: u64 = 1 << 20;
        let count = count.map_or(Some(1), |count| count.numeral().filter(|&count| count <= MOST));
        let Some(count) = count else {
            return Err(command.wrong("A number of levels is missing, as in `(push 1)`.").into());
        };
        if name == "pop" && count > self.state.depth() as u64 {
            let depth = self.state.depth();
            return Err(command.wrong(format!("There are only {depth} levels to pop.")).into());
        }
        for _ in 0..count {
            if name == "push" { self.state.push() } else { self.state.pop() }
        }
        self.last = Last::Nothing;
        Ok(self.success()?)
    }

    fn check_assuming(&mut self, command: Expr<'a>, list: Option<Expr<'a>>) -> Result<(), RunError> {
        let Some(list) = list.filter(|list| list.is_list()) else {
            return Err(command.wrong("Assumptions are written `(check-sat-assuming (a (not b)))`.").into());
        };
        let mut assumed = Vec::new();
        if self.state.beyond().is_none() {
            for literal in list.elements() {
                assumed.push((self.state.elaborator.condition(literal)?, literal.text()));
            }
        }
        self.check(command, &assumed)
    }

    fn check(&mut self, command: Expr<'a>, assumed: &[(Term, &'a str)]) -> Result<(), RunError> {
        if self.state.beyond().is_some() {
            return self.check_by_telling(command);
        }
        let mut conditions: Vec<Term> =
            self.state.assertions.iter().map(|assertion| assertion.condition).collect();
        conditions.extend(assumed.iter().map(|&(condition, _)| condition));
        let (verdict, last) = match self.ask(&conditions) {
            Answer::Sat(model) => match self.completed(&model, &conditions) {
                Some(full) => {
                    self.hint = full.clone();
                    (Verdict::Sat, Last::Sat(full))
                }
                None => {
                    let what = "a solver gave values with which the assertions do not hold";
                    (Verdict::Unknown(what.to_owned()), Last::Unknown(Reason::Failed(what.to_owned())))
                }
            },
            Answer::Unsat(_) => (Verdict::Unsat, Last::Unsat(assumed.to_vec())),
            Answer::Unknown(reason) => (Verdict::Unknown(reason.to_string()), Last::Unknown(reason)),
        };
        self.last = last;
        self.answer(command, verdict)
    }

    fn answer(&mut self, command: Expr<'a>, verdict: Verdict) -> Result<(), RunError> {
        let text = match &verdict {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown(_) => "unknown",
        };
        if let (Some("sat"), Verdict::Unsat) | (Some("unsat"), Verdict::Sat) = (self.status.take(), &verdict)
        {
            self.outcome.contradictions.push(command.position());
        }
        self.outcome.verdicts.push(verdict);
        Ok(writeln!(self.out, "{text}")?)
    }

    /// The model with what the hint says of other unknowns, as far as the conditions hold then.
    fn completed(&self, model: &Model, conditions: &[Term]) -> Option<Model> {
        let mut with_symbols: Model = self.hint.iter().chain(model.iter()).collect();
        let mut with_functions = with_symbols.clone();
        for (function, at, value) in self.hint.applications().chain(model.applications()) {
            with_functions.set_at(function, at, value);
        }
        for (function, at, value) in model.applications() {
            with_symbols.set_at(function, at, value);
        }
        let all = [with_functions, with_symbols, model.clone()];
        all.into_iter().find(|model| self.holding(conditions, model).iter().all(|&holds| holds))
    }

    /// Which of the conditions hold.
    fn holding(&self, conditions: &[Term], model: &Model) -> Vec<bool> {
        let mut evaluator = coax_term::Evaluator::new();
        let terms = &self.state.elaborator.terms;
        conditions.iter().map(|&condition| evaluator.eval(terms, model, condition) == 1).collect()
    }

    /// Asks the stack. What holds for the last model is assumed, as on a path; what does not is the goal.
    fn ask(&mut self, conditions: &[Term]) -> Answer {
        let holding = self.holding(conditions, &self.hint);
        let (mut assumptions, mut wanted) = (Vec::new(), Vec::new());
        for (&condition, holds) in conditions.iter().zip(holding) {
            if holds { &mut assumptions } else { &mut wanted }.push(condition);
        }
        let terms = &mut self.state.elaborator.terms;
        let truth = terms.truth();
        let goal = wanted.into_iter().fold(truth, |all, next| terms.and(all, next));
        let query = Query { assumptions: &assumptions, goal, hint: &self.hint };
        self.solvers.layer.solve(terms, &query, &mut (self.solvers.budget)())
    }

    /// Tells a child all that was said, as it was said.
    fn check_by_telling(&mut self, command: Expr<'a>) -> Result<(), RunError> {
        let script = self.state.script();
        let options = "(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n";
        let script = format!("{options}{script}{}\n", command.text());
        let told = match self.solvers.child.as_deref_mut() {
            Some(child) => child.tell_anew(&script, &(self.solvers.budget)()),
            None => {
                let problem = self.state.beyond().map(|problem| problem.error.to_string());
                Err(Reason::NoSolver(problem.unwrap_or_default()))
            }
        };
        // Anything besides, an error above all, means that the question was not understood.
        let verdict = match told.as_deref() {
            Ok([answer]) if answer == "sat" => Verdict::Sat,
            Ok([answer]) if answer == "unsat" => Verdict::Unsat,
            Ok(answers) => {
                Verdict::Unknown(format!("the solver answered: {}", shortened(&answers.join(" "))))
            }
            Err(reason) => Verdict::Unknown(reason.to_string()),
        };
        self.last = match told {
            Ok(_) => Last::Told,
            Err(reason) => Last::Unknown(reason),
        };
        self.answer(command, verdict)
    }

    fn get(&mut self, name: &str, command: Expr<'a>) -> Result<(), RunError> {
        match (name, &self.last) {
            (_, Last::Told) => {
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
            _ => writeln!(self.out, "(error \"there is nothing to get: the last answer was another one\")")?,
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

    fn get_info(&mut self, key: Option<Expr<'a>>) -> Result<(), RunError> {
        match (key.map_or("", |key| key.text()), &self.last) {
            (":reason-unknown", Last::Unknown(reason)) => {
                let text = reason.to_string().replace('"', "\"\"");
                writeln!(self.out, "(:reason-unknown \"{text}\")")?;
            }
            (":name", _) => writeln!(self.out, "(:name \"coax\")")?,
            (":version", _) => writeln!(self.out, "(:version \"{}\")", env!("CARGO_PKG_VERSION"))?,
            _ => writeln!(self.out, "unsupported")?,
        }
        Ok(())
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

/// Whether a logic consists of theories that we know.
fn is_known_logic(name: &str) -> bool {
    if name == "ALL" || name == "QF_ALL" {
        return true;
    }
    let mut rest = name.strip_prefix("QF_").unwrap_or(name);
    for theory in ["AX", "A", "UF", "BV", "FP"] {
        rest = rest.strip_prefix(theory).unwrap_or(rest);
    }
    rest.is_empty()
}
