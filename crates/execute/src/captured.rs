//! Standard output and standard error of the program, kept up to a limit.
//!
//! The program never notices the limit: what is too much is dropped and the run says so.

use bytes::Bytes;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use tokio::io::AsyncWrite;
use wasmtime_wasi::async_trait;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

/// An output stream of the program. Clones are the same stream.
#[derive(Clone)]
pub(crate) struct Captured(Arc<Mutex<Contents>>);

struct Contents {
    bytes: Vec<u8>,
    limit: usize,
    dropped: bool,
}

impl Captured {
    /// A stream that keeps so many bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Captured(Arc::new(Mutex::new(Contents { bytes: Vec::new(), limit, dropped: false })))
    }

    /// Takes what was written, and whether more was written than is kept.
    pub(crate) fn take(&self) -> (Vec<u8>, bool) {
        let mut contents = self.lock();
        (std::mem::take(&mut contents.bytes), contents.dropped)
    }

    fn append(&self, bytes: &[u8]) {
        let mut contents = self.lock();
        let kept = bytes.len().min(contents.limit - contents.bytes.len());
        contents.bytes.extend_from_slice(&bytes[..kept]);
        contents.dropped |= kept < bytes.len();
    }

    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().expect("no thread panics while it appends")
    }
}

impl IsTerminal for Captured {
    /// C libraries write to a terminal line by line; what they hold back for a file, a trap would lose.
    fn is_terminal(&self) -> bool {
        true
    }
}

impl StdoutStream for Captured {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }
}

impl OutputStream for Captured {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.append(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        // One call may hand over so much; the host allocates that.
        Ok(1 << 16)
    }
}

#[async_trait]
impl Pollable for Captured {
    async fn ready(&mut self) {}
}

impl AsyncWrite for Captured {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.append(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
