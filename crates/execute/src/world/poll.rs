//! Waiting: nothing ever blocks, and sleeping moves the clock.

use super::clock::ClockId;
use super::descriptor::Descriptor;
use super::{Errno, World};

/// What a program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subscription {
    /// Until a clock shows a time, or for a time.
    Clock { clock: ClockId, time: u64, absolute: bool },
    /// Until something can be read.
    Read(u32),
    /// Until something can be written.
    Write(u32),
}

/// What happened of what a program waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Happened {
    /// Which of the subscriptions.
    pub(crate) index: usize,
    /// About how many bytes can be read or written, as wasmtime says it: one.
    pub(crate) bytes: u64,
    /// Whether there is nothing left to read.
    pub(crate) at_end: bool,
}

impl World {
    /// Waits until something happens; returns all that has.
    pub(crate) fn poll(&mut self, subscriptions: &[Subscription]) -> Result<Vec<Happened>, Errno> {
        let mut delays = Vec::with_capacity(subscriptions.len());
        for &subscription in subscriptions {
            delays.push(self.delay(subscription)?);
        }
        let delay = delays.iter().copied().min().ok_or(Errno::Invalid)?;
        self.clock.sleep(delay);
        let mut happened = Vec::new();
        for (index, (&subscription, _)) in
            subscriptions.iter().zip(&delays).enumerate().filter(|(_, (_, own))| **own <= delay)
        {
            let (bytes, at_end) = match subscription {
                Subscription::Clock { .. } => (0, false),
                Subscription::Read(fd) => (1, self.is_at_end(fd)),
                Subscription::Write(_) => (1, false),
            };
            happened.push(Happened { index, bytes, at_end });
        }
        Ok(happened)
    }

    /// After how many nanoseconds it happens.
    fn delay(&self, subscription: Subscription) -> Result<u64, Errno> {
        match subscription {
            Subscription::Clock { clock, time, absolute } => {
                let now = self.clock.now(clock).ok_or(Errno::Invalid)?;
                Ok(if absolute { time.saturating_sub(now) } else { time })
            }
            Subscription::Read(fd) => match self.descriptors.get(fd)? {
                Descriptor::Stdin | Descriptor::File(_) => Ok(0),
                _ => Err(Errno::BadDescriptor),
            },
            Subscription::Write(fd) => match self.descriptors.get(fd)? {
                Descriptor::Stdout | Descriptor::Stderr | Descriptor::File(_) => Ok(0),
                _ => Err(Errno::BadDescriptor),
            },
        }
    }

    fn is_at_end(&mut self, fd: u32) -> bool {
        let file = self.descriptors.file(fd);
        file.is_ok_and(|file| file.position >= self.tree.node_mut(file.node).size(&mut self.log))
    }
}
