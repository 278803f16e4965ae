//! SMT-LIB solvers as child processes: z3 or another that is found at run time.
//!
//! The process is kept, and what it was told too: a term is defined once, and of a question's conditions only those are
//! asserted that the question before did not start with. A process can be killed, limited in memory and started again; nothing it does, whether
//! it crashes, hangs or says nonsense, can do more harm than leave a question without an answer.
//!
//! Questions about floats are the exception: z3 answers them sooner if each is asked from the start.
//!
//! Values of symbols and functions are evaluated by our own rules before they are believed.

mod conversation;
mod dialect;
mod float_terms;
mod process;

pub use process::end_solvers;

use crate::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Identity, Terms};
use conversation::{Conversation, Failure};
use dialect::{Dialect, KNOWN};
use process::Process;
use std::io;

/// A solver that failed so often in a row ...
const FAILURES: u32 = 3;
/// ... is not asked for so many questions.
const REST: u32 = 1000;

/// Which solver, and what it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildOptions {
    /// The program and its arguments; a program that we know gets those it needs in addition. Empty, the default: the first that
    /// is there of z3, bitwuzla, cvc5, yices-smt2, boolector.
    pub command: Vec<String>,
    /// How many megabytes it may use: 2048.
    pub memory: u64,
    /// After so many definitions it is made to forget all: 200,000.
    pub definitions: usize,
}

impl Default for ChildOptions {
    fn default() -> ChildOptions {
        ChildOptions { command: Vec::new(), memory: 2048, definitions: 200_000 }
    }
}

/// The layer that asks a child process.
pub struct Child {
    options: ChildOptions,
    /// Those that may still be there.
    candidates: Vec<Candidate>,
    conversation: Option<Conversation>,
    failures: u32,
    /// So many questions are left to others.
    resting: u32,
    last_failure: String,
}

struct Candidate {
    program: String,
    arguments: Vec<String>,
    dialect: Dialect,
}

impl Child {
    /// Nothing is started before the first question.
    pub fn new(options: ChildOptions) -> Child {
        let candidate = |program: &str, own: &[String]| {
            let dialect = Dialect::of(program);
            let needed = dialect.arguments.iter().map(|&argument| argument.to_owned());
            let needed = needed.chain(dialect.memory_argument(options.memory));
            let arguments = needed.chain(own.iter().cloned()).collect();
            Candidate { program: program.to_owned(), arguments, dialect }
        };
        let mut candidates: Vec<Candidate> = match options.command.split_first() {
            Some((program, own)) => vec![candidate(program, own)],
            None => KNOWN.iter().map(|known| candidate(known.name, &[])).collect(),
        };
        // The next one is taken from the end.
        candidates.reverse();
        let (conversation, last_failure) = (None, String::new());
        Child { options, candidates, conversation, failures: 0, resting: 0, last_failure }
    }

    /// Tells the solver a script, as it is, after it has forgotten everything else; returns what it answers.
    pub fn tell_anew(&mut self, script: &str, budget: &Budget) -> Result<Vec<String>, Reason> {
        self.tell(&format!("(reset)\n{script}"), budget)
    }

    /// Tells the solver more.
    pub fn tell(&mut self, commands: &str, budget: &Budget) -> Result<Vec<String>, Reason> {
        let conversation = self.conversation(Identity::default())?;
        match conversation.tell_text(commands, budget) {
            Ok(answers) => Ok(answers),
            Err(failure) => Err(self.reason(failure)),
        }
    }

    /// The name of the solver that is asked, once it is known.
    pub fn name(&self) -> Option<&'static str> {
        self.conversation.as_ref().map(|conversation| conversation.dialect().name)
    }

    /// A process that runs, started if there is none. A program that is not there is not looked for again.
    fn conversation(&mut self, identity: Identity) -> Result<&mut Conversation, Reason> {
        while self.conversation.is_none() {
            let Some(Candidate { program, arguments, dialect }) = self.candidates.last() else {
                return Err(Reason::NoSolver(self.what_is_missing()));
            };
            let limit = dialect.memory_argument(0).is_none().then_some(self.options.memory);
            match Process::start(program, arguments, limit) {
                Ok(process) => {
                    self.conversation = Some(Conversation::new(process, *dialect, identity));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.candidates.pop();
                }
                Err(error) => return Err(self.failed(format!("the solver could not be started: {error}"))),
            }
        }
        self.conversation.as_mut().ok_or_else(|| Reason::NoSolver(String::new()))
    }

    fn what_is_missing(&self) -> String {
        match self.options.command.first() {
            Some(program) => format!("what only a child can answer: there is no program `{program}`"),
            None => {
                let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
                format!("what only a child can answer: install one of {}", names.join(", "))
            }
        }
    }

    /// The process is dropped, and with it whatever state it was in, unless it was not asked at all.
    fn reason(&mut self, failure: Failure) -> Reason {
        match failure {
            Failure::OutOfBudget(name) => {
                self.conversation = None;
                Reason::Budget(name)
            }
            Failure::Unsupported(what) => Reason::Unsupported(what),
            Failure::Misbehaved(what) => self.failed(what),
        }
    }

    fn failed(&mut self, what: String) -> Reason {
        self.conversation = None;
        self.failures += 1;
        self.last_failure.clone_from(&what);
        if self.failures >= FAILURES {
            self.resting = REST;
            self.failures = 0;
        }
        Reason::Failed(what)
    }
}

impl Layer for Child {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        if self.resting > 0 {
            self.resting -= 1;
            let (last, rest) = (&self.last_failure, self.resting);
            let what = format!(
                "the solver is left alone for {rest} more questions, as it failed {FAILURES} times in a row: {last}"
            );
            return Answer::Unknown(Reason::Failed(what));
        }
        if budget.is_over() {
            return Answer::Unknown(Reason::Budget("the child"));
        }
        let most = self.options.definitions;
        let conversation = match self.conversation(terms.identity()) {
            Ok(conversation) => conversation,
            Err(reason) => return Answer::Unknown(reason),
        };
        conversation.start_anew_if_needed(terms.identity(), most);
        match conversation.solve(terms, query, budget) {
            Ok(answer) => {
                self.failures = 0;
                answer
            }
            Err(failure) => {
                if let Failure::OutOfBudget(_) = failure {
                    let _ = budget.spend(budget.left());
                }
                Answer::Unknown(self.reason(failure))
            }
        }
    }
}
