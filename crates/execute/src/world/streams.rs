//! What the program writes to its standard streams, kept up to a limit.
//!
//! The program never notices the limit: what is too much is dropped and the run says so.

/// Standard output or standard error.
#[derive(Debug)]
pub(crate) struct Captured {
    bytes: Vec<u8>,
    limit: usize,
    dropped: bool,
}

impl Captured {
    /// A stream that keeps so many bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Captured { bytes: Vec::new(), limit, dropped: false }
    }

    /// Takes what was written, and whether more was written than is kept.
    pub(crate) fn take(&mut self) -> (Vec<u8>, bool) {
        (std::mem::take(&mut self.bytes), self.dropped)
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) {
        let kept = bytes.len().min(self.limit.saturating_sub(self.bytes.len()));
        self.bytes.extend_from_slice(&bytes[..kept]);
        self.dropped |= kept < bytes.len();
    }
}
