//! Something that a thread of its own makes, while others go on without it.
//!
//! The thread cannot be stopped while it makes the thing, and nobody waits for it: an owner that goes away is gone at once, and the
//! thread ends when it is ready, without a trace. Only while the thing is being kept (a file is being written) does the owner
//! stay, so that a process that ends leaves nothing half-done behind.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

/// Something that is being made.
pub(super) struct Background<T> {
    work: Arc<Work<T>>,
    /// Until somebody joins it; none if it could not be started.
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What the owner and the thread share.
struct Work<T> {
    made: OnceLock<Result<T, String>>,
    make: Box<dyn Fn() -> Result<T, String> + Send + Sync>,
    /// Whether the owner is gone; locked while the thing is being kept.
    unwanted: Mutex<bool>,
}

impl<T: Send + Sync + 'static> Background<T> {
    /// Starts to make it; then, unless it failed or the owner is gone, `keep` is called, on the same thread.
    pub(super) fn start(
        make: impl Fn() -> Result<T, String> + Send + Sync + 'static,
        keep: impl FnOnce(&T) + Send + 'static,
    ) -> Self {
        let work =
            Arc::new(Work { made: OnceLock::new(), make: Box::new(make), unwanted: Mutex::new(false) });
        let theirs = Arc::clone(&work);
        // Without a thread, whoever waits for it makes it.
        let thread = thread::Builder::new().name("background".into()).spawn(move || theirs.perform(keep));
        Background { work, thread: Mutex::new(thread.ok()) }
    }

    /// What was made, if it is ready; the error says why it cannot be made.
    pub(super) fn ready(&self) -> Option<Result<&T, &str>> {
        self.work.made.get().map(as_ref)
    }

    /// Waits until it is made.
    pub(super) fn wait(&self) -> Result<&T, &str> {
        as_ref(self.work.make_once())
    }

    /// Waits until it is made and kept.
    pub(super) fn finish(&self) -> Result<&T, &str> {
        if let Some(thread) = lock(&self.thread).take() {
            // A thread that panicked has kept nothing; whether it made anything is seen below.
            let _ = thread.join();
        }
        self.wait()
    }

    /// A question for other threads: is it ready?
    pub(super) fn is_ready(&self) -> impl Fn() -> bool + Send + Sync + use<T> {
        let work = Arc::clone(&self.work);
        move || work.made.get().is_some()
    }
}

impl<T> Work<T> {
    fn make_once(&self) -> &Result<T, String> {
        self.made.get_or_init(|| (self.make)())
    }

    fn perform(&self, keep: impl FnOnce(&T)) {
        if *lock(&self.unwanted) {
            return;
        }
        if let Ok(made) = self.make_once() {
            let unwanted = lock(&self.unwanted);
            if !*unwanted {
                keep(made);
            }
        }
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        *lock(&self.work.unwanted) = true;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn as_ref<T>(made: &Result<T, String>) -> Result<&T, &str> {
    made.as_ref().map_err(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Work that lasts until it is told what to make, and tells what is kept.
    fn work() -> (Background<u32>, mpsc::Sender<Result<u32, String>>, mpsc::Receiver<u32>) {
        let (order, orders) = mpsc::channel();
        let (kept, keeper) = mpsc::channel();
        let orders = Mutex::new(orders);
        let make = move || orders.lock().expect("nobody panics").recv().expect("an order");
        (Background::start(make, move |&made| kept.send(made).expect("a test")), order, keeper)
    }

    #[test]
    fn it_is_there_when_it_is_ready_and_kept_then() {
        let (background, order, kept) = work();
        let is_ready = background.is_ready();
        assert!(background.ready().is_none() && !is_ready());
        order.send(Ok(7)).expect("it is being made");
        assert_eq!(background.wait(), Ok(&7));
        assert_eq!(background.ready(), Some(Ok(&7)));
        assert!(is_ready());
        assert_eq!(background.finish(), Ok(&7));
        assert_eq!(kept.try_recv(), Ok(7));
    }

    #[test]
    fn a_failure_is_told_and_not_kept() {
        let (background, order, kept) = work();
        order.send(Err("no".into())).expect("it is being made");
        assert_eq!(background.finish(), Err("no"));
        assert!(kept.try_recv().is_err());
    }

    #[test]
    fn an_owner_does_not_wait_and_what_is_unwanted_is_not_kept() {
        let (background, order, kept) = work();
        drop(background);
        // The thread may have seen that nobody wants it before it began.
        let _ = order.send(Ok(7));
        // It ends without a word.
        assert!(kept.recv().is_err());
    }
}
