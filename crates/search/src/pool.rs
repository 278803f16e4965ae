//! Threads that do the tasks of slots. A slot goes to a thread with its tasks and comes back with what was done.

use crate::slot::Slot;
use crate::task::{Done, Task};
use crate::{Stop, Subject};
use coax_execute::{Limits, with_stack};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope};

/// More than a run with the usual limits needs; a run gets as much more as its own stack has.
const STACK_BYTES: usize = 64 << 20;

/// The stack of a thread on which programs with these limits are run.
pub(crate) fn stack_bytes(limits: &Limits) -> usize {
    STACK_BYTES.max(limits.stack_bytes.saturating_mul(8))
}

/// A slot with what is to be done in it.
pub(crate) struct Job<'p> {
    pub(crate) slot: Slot<'p>,
    pub(crate) tasks: Vec<Task>,
    place: usize,
}

struct Finished<'p> {
    /// What came of it; or the panic of the thread, which goes on where it is waited for.
    result: std::thread::Result<(Slot<'p>, Vec<Done>)>,
    place: usize,
}

/// The threads.
pub(crate) struct Pool<'p> {
    jobs: Sender<Job<'p>>,
    finished: Receiver<Finished<'p>>,
}

impl<'p> Pool<'p> {
    /// Starts threads that end when the pool is dropped.
    pub(crate) fn start<'scope, 'env>(
        scope: &'scope Scope<'scope, 'env>,
        subject: &'env Subject<'p>,
        queue: &'env Queue<'p>,
        stop: &'env Stop,
        workers: usize,
    ) -> std::io::Result<Pool<'p>>
    where
        'p: 'scope,
    {
        let (jobs, waiting) = channel();
        *queue.0.lock().expect("nobody panics with the queue") = Some(waiting);
        let (results, finished) = channel();
        let stack = stack_bytes(&subject.limits);
        for number in 0..workers.max(1) {
            let results = results.clone();
            Builder::new().name(format!("worker {number}")).stack_size(stack).spawn_scoped(
                scope,
                move || {
                    while let Some(Job { mut slot, tasks, place }) = queue.next() {
                        let work = AssertUnwindSafe(|| {
                            let done = with_stack(stack, || slot.perform(subject, tasks, stop));
                            (slot, done)
                        });
                        if results.send(Finished { result: catch_unwind(work), place }).is_err() {
                            return;
                        }
                    }
                },
            )?;
        }
        Ok(Pool { jobs, finished })
    }

    /// Has all tasks done; the results are in the order of the slots and of their tasks.
    pub(crate) fn perform(
        &self,
        slots: Vec<Slot<'p>>,
        tasks: Vec<Vec<Task>>,
    ) -> (Vec<Slot<'p>>, Vec<Vec<Done>>) {
        let count = slots.len();
        let mut results: Vec<Option<(Slot<'p>, Vec<Done>)>> = (0..count).map(|_| None).collect();
        let mut waiting = 0;
        for (place, (slot, tasks)) in slots.into_iter().zip(tasks).enumerate() {
            if tasks.is_empty() {
                results[place] = Some((slot, Vec::new()));
                continue;
            }
            waiting += 1;
            self.jobs.send(Job { slot, tasks, place }).expect("a thread waits for jobs");
        }
        for _ in 0..waiting {
            let Finished { result, place } = self.finished.recv().expect("threads end after the pool");
            results[place] = Some(result.unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results.into_iter().map(|result| result.expect("each slot comes back")).unzip()
    }
}

/// Where threads wait for jobs.
#[derive(Default)]
pub(crate) struct Queue<'p>(Mutex<Option<Receiver<Job<'p>>>>);

impl<'p> Queue<'p> {
    fn next(&self) -> Option<Job<'p>> {
        let waiting = self.0.lock().ok()?;
        waiting.as_ref()?.recv().ok()
    }
}
