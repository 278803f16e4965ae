//! Solvers ask for real values of functions; only a thread that can run the program has them.
//!
//! Layers own what they ask, so it cannot borrow the program. While a question is answered, on a thread of its own, the thread that asked it
//! answers what the solvers want to know of functions. What they were told once they remember until the next question: a walk comes to the same
//! arguments again and again, and from thread to thread it is far.

use coax_solve::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Function, Functions, Terms};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

/// Solvers need less than programs.
const STACK_BYTES: usize = 16 << 20;

enum Message {
    Apply(Function, Vec<u64>),
    Answered,
}

/// The side of the solvers.
pub(super) struct Asking {
    ask: Sender<Message>,
    answers: Receiver<Option<u64>>,
    /// See [`Answering::serves`].
    served: Arc<AtomicU64>,
    /// What was told, and for which question.
    told: BTreeMap<(Function, Vec<u64>), Option<u64>>,
    told_for: u64,
}

impl Functions for Asking {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let question = self.served.load(Ordering::SeqCst);
        if question == NONE {
            return None;
        }
        if std::mem::replace(&mut self.told_for, question) != question {
            self.told.clear();
        }
        let key = (function, arguments.to_vec());
        if let Some(&value) = self.told.get(&key) {
            return value;
        }
        self.ask.send(Message::Apply(function, arguments.to_vec())).ok()?;
        let value = self.answers.recv().ok()?;
        self.told.insert(key, value);
        value
    }
}

/// The side of whoever knows the functions.
pub(super) struct Answering {
    done: Sender<Message>,
    asked: Receiver<Message>,
    answer: Sender<Option<u64>>,
    /// The number of the question during which answers are given, or [`NONE`].
    serves: Arc<AtomicU64>,
    /// The number of the last question.
    question: Cell<u64>,
}

/// No question.
const NONE: u64 = 0;

/// Both sides.
pub(super) fn bridge() -> (Asking, Answering) {
    let (ask, asked) = channel();
    let (answer, answers) = channel();
    let serves = Arc::new(AtomicU64::new(NONE));
    let (served, told) = (Arc::clone(&serves), BTreeMap::new());
    let asking = Asking { ask: ask.clone(), answers, served, told, told_for: NONE };
    (asking, Answering { done: ask, asked, answer, serves, question: Cell::new(NONE) })
}

/// Says that a question is answered, or that whoever should have done it is gone.
struct Done(Sender<Message>);

impl Drop for Done {
    fn drop(&mut self) {
        // Nobody waits if the other thread is gone, too.
        let _ = self.0.send(Message::Answered);
    }
}

/// Lets solvers go on without answers if whoever knows them panics.
struct Released<'a>(&'a Answering);

impl Drop for Released<'_> {
    fn drop(&mut self) {
        self.0.serves.store(NONE, Ordering::SeqCst);
        if std::thread::panicking() {
            // Nobody waits if the other thread is gone, too.
            let _ = self.0.answer.send(None);
        }
    }
}

impl Answering {
    /// Has a question answered, and answers what is asked of functions meanwhile.
    pub(super) fn solve(
        &self,
        layer: &mut dyn Layer,
        terms: &mut Terms,
        query: &Query<'_>,
        budget: &mut Budget,
        mut real: impl FnMut(Function, &[u64]) -> Option<u64>,
    ) -> Answer {
        // Of a thread that could not be started.
        while self.asked.try_recv().is_ok() {}
        self.question.set(self.question.get() + 1);
        self.serves.store(self.question.get(), Ordering::SeqCst);
        let _released = Released(self);
        let done = Done(self.done.clone());
        std::thread::scope(|scope| {
            let work = move || {
                let _done = done;
                layer.solve(terms, query, budget)
            };
            let solving = match Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work) {
                Ok(solving) => solving,
                Err(error) => return Answer::Unknown(Reason::Failed(format!("no thread: {error}"))),
            };
            while let Ok(Message::Apply(function, arguments)) = self.asked.recv() {
                if self.answer.send(real(function, &arguments)).is_err() {
                    break;
                }
            }
            solving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}
