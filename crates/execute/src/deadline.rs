//! The end of the time that a run may take.

use crate::Error;
use crate::sandbox::State;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use wasmtime::{Store, UpdateDeadline};

/// While it lives, a thread watches the clock; when the time is over, the run is interrupted.
pub(crate) struct Deadline {
    /// Dropped at the end of the run, also by a panic: that stops the watch.
    still_running: Option<Sender<()>>,
    watch: Option<JoinHandle<()>>,
}

impl Deadline {
    /// Lets a store run no longer than this, from now on; without end if nothing is said.
    pub(crate) fn set(store: &mut Store<State>, time: Option<Duration>) -> Result<Deadline, Error> {
        let Some(time) = time else {
            store.set_epoch_deadline(u64::MAX >> 1);
            return Ok(Deadline { still_running: None, watch: None });
        };
        let expired = Arc::new(AtomicBool::new(false));
        let is_expired = Arc::clone(&expired);
        // All runs on an engine share its epoch: one that ends does not mean that our time is over.
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(move |_| {
            Ok(match is_expired.load(Ordering::SeqCst) {
                true => UpdateDeadline::Interrupt,
                false => UpdateDeadline::Continue(1),
            })
        });
        let (still_running, finished) = mpsc::channel::<()>();
        let engine = store.engine().clone();
        let watch = move || {
            if finished.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                expired.store(true, Ordering::SeqCst);
                engine.increment_epoch();
            }
        };
        let watch = thread::Builder::new().spawn(watch);
        let watch = watch.map_err(|error| Error::Host(format!("a thread cannot be started: {error}")))?;
        Ok(Deadline { still_running: Some(still_running), watch: Some(watch) })
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        drop(self.still_running.take());
        if let Some(watch) = self.watch.take() {
            // It does nothing that could panic.
            let _ = watch.join();
        }
    }
}
