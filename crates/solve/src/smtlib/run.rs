//! Carrying out a script: commands in, answers out.

use super::logic::{self, Kind};
use super::outcome::{Outcome, RunError, Solvers, Verdict};
use super::state::State;
use super::syntax::{Expr, Syntax, shortened, shortened_to};
use crate::{Answer, Query, Reason};
use coax_term::{Algebra, Model, Term};
use std::io::{self, Write};

/// Of a child's error so much is shown.
const LONGEST_ERROR: usize = 200;

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

pub(super) struct Runner<'s, 'o, 'a> {
    pub(super) state: State<'a>,
    pub(super) solvers: Solvers<'s>,
    pub(super) out: &'o mut dyn Write,
    pub(super) last: Last<'a>,
    /// The last model: questions of a script are often alike.
    pub(super) hint: Model,
    says_success: bool,
    /// What the next answer should be, if the script says so.
    status: Option<&'a str>,
    outcome: Outcome,
}

/// What `get-…` are about.
pub(super) enum Last<'a> {
    Nothing,
    Sat(Model),
    /// With what was assumed besides the assertions, as it was written.
    Unsat(Vec<(Term, &'a str)>),
    Unknown(Reason),
    /// The child was told, and answered this; it knows more.
    Told(Verdict),
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
        match logic::kind_of(name) {
            Kind::Ours => {}
            Kind::Others if self.solvers.child.is_some() => {}
            Kind::Others => {
                let what = "The logic is not supported. Supported are ALL and what consists of BV, A, UF and FP, like QF_ABV";
                return Err(command.beyond(format!("{what}; this is {}.", shortened(name))).into());
            }
            Kind::None => {
                let what = format!("There is no logic `{}`. Write ALL if in doubt.", shortened(name));
                return Err(command.wrong(what).into());
            }
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
        let problem = self.state.beyond().map(|problem| problem.error.to_string()).unwrap_or_default();
        let told = match self.solvers.child.as_deref_mut() {
            Some(child) => child.tell_anew(&script, &(self.solvers.budget)()),
            None => Err(Reason::Failed(problem.clone())),
        };
        let told = match told.as_deref() {
            Ok([answer]) if answer == "sat" => Ok(Verdict::Sat),
            Ok([answer]) if answer == "unsat" => Ok(Verdict::Unsat),
            Ok([answer]) if answer == "unknown" => Ok(Verdict::Unknown(self.why_unknown())),
            // Anything else, an error above all, means that the question was not understood.
            Ok(answers) => {
                let what = shortened_to(LONGEST_ERROR, &answers.join(" "));
                Err(Reason::Failed(format!("the solver answered: {what}")))
            }
            Err(Reason::NoSolver(missing)) => {
                Err(Reason::Failed(format!("{problem} There is no solver for {missing}.")))
            }
            Err(reason) => Err(reason.clone()),
        };
        let (verdict, last) = match told {
            Ok(verdict) => (verdict.clone(), Last::Told(verdict)),
            Err(reason) => (Verdict::Unknown(reason.to_string()), Last::Unknown(reason)),
        };
        self.last = last;
        self.answer(command, verdict)
    }

    /// Why the child does not know, in its own words.
    fn why_unknown(&mut self) -> String {
        let Some(child) = self.solvers.child.as_deref_mut() else { return String::new() };
        let answers = child.tell("(get-info :reason-unknown)", &(self.solvers.budget)()).unwrap_or_default();
        let why = shortened_to(LONGEST_ERROR, &answers.join(" "));
        format!("the solver answered unknown: {why}")
    }
}
