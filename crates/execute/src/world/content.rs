//! Bytes that a program reads, and whether they are still what came with the input.

use super::Errno;
use crate::imports::{Item, Log};
use std::sync::Arc;

/// The bytes of a file or of standard input.
#[derive(Debug, Default)]
pub(crate) struct Bytes {
    bytes: Vec<u8>,
    /// If some of them are symbols.
    origin: Option<Origin>,
}

/// Where bytes that are symbols came from.
#[derive(Debug)]
struct Origin {
    /// What the input calls them.
    name: Arc<str>,
    /// For each byte, whether it is as it came.
    own: Vec<bool>,
    /// Whether how many they are is a symbol that nothing is known of yet.
    open: bool,
    /// How many they can be, if that is known and was not told yet.
    most: Option<u64>,
}

/// What was read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// How many bytes.
    pub(crate) count: usize,
    /// Those of them that are symbols.
    pub(crate) pieces: Vec<Piece>,
}

/// Bytes in a row that are symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Where they begin in what was read.
    pub(crate) start: usize,
    pub(crate) count: usize,
    pub(crate) source: Arc<str>,
    /// Which byte of the source the first is.
    pub(crate) offset: u64,
}

impl Bytes {
    /// Bytes that are no symbols.
    pub(crate) fn plain(bytes: Vec<u8>) -> Self {
        Bytes { bytes, origin: None }
    }

    /// Bytes of the input of which the first so many are symbols, and how many there are too if `open`.
    pub(crate) fn symbolic(bytes: Vec<u8>, name: &str, symbols: u64, open: bool) -> Self {
        let own = (0..bytes.len() as u64).map(|index| index < symbols).collect();
        Bytes { bytes, origin: Some(Origin { name: name.into(), own, open, most: None }) }
    }

    /// The same bytes; whatever the input is, there are no more than so many.
    pub(crate) fn at_most(mut self, most: Option<u64>) -> Self {
        if let Some(origin) = &mut self.origin {
            origin.most = most;
        }
        self
    }

    /// How many there are, to who knows it anyway.
    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// What happens next depends on how many there are.
    pub(crate) fn settle_length(&mut self, log: &mut Log) -> u64 {
        let length = self.len();
        if let Some(origin) = self.origin.as_mut().filter(|origin| origin.open) {
            origin.open = false;
            origin.tell_most(length, log);
            log.add(|| Item::Length { source: Arc::clone(&origin.name), length });
        }
        length
    }

    /// Reads from a place on as much as there is and fits.
    pub(crate) fn read(&mut self, from: u64, buffer: &mut [u8], log: &mut Log) -> Reading {
        let start = usize::try_from(from).unwrap_or(usize::MAX).min(self.bytes.len());
        let rest = &self.bytes[start..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.ask_length(from, buffer.len() as u64, log);
        let origin = self.origin.as_ref();
        Reading { count, pieces: origin.map_or_else(Vec::new, |origin| origin.pieces(start, count)) }
    }

    /// Who reads so many bytes learns whether there are so many.
    fn ask_length(&mut self, from: u64, asked: u64, log: &mut Log) {
        let length = self.len();
        let needed = from.saturating_add(asked);
        let Some(origin) = self.origin.as_mut().filter(|origin| origin.open && asked > 0) else { return };
        origin.tell_most(length, log);
        log.add(|| Item::Enough { source: Arc::clone(&origin.name), needed, length });
        if needed > length {
            self.settle_length(log);
        }
    }

    /// Overwrites bytes, which must be there.
    pub(crate) fn write(&mut self, from: usize, bytes: &[u8]) {
        let place = from..from + bytes.len();
        self.bytes[place.clone()].copy_from_slice(bytes);
        if let Some(origin) = &mut self.origin {
            let end = origin.own.len();
            origin.own[place.start.min(end)..place.end.min(end)].fill(false);
        }
    }

    /// Makes them more, with zeros, or fewer.
    pub(crate) fn resize(&mut self, size: u64, log: &mut Log) -> Result<(), Errno> {
        self.settle_length(log);
        let size = usize::try_from(size).map_err(|_| Errno::NoSpace)?;
        self.bytes.try_reserve(size.saturating_sub(self.bytes.len())).map_err(|_| Errno::NoSpace)?;
        self.bytes.resize(size, 0);
        if let Some(origin) = &mut self.origin {
            origin.own.truncate(size);
        }
        Ok(())
    }
}

impl Origin {
    /// What is known of the length from the start is told before anything is found out about it.
    fn tell_most(&mut self, length: u64, log: &mut Log) {
        if let Some(most) = self.most.take() {
            log.add(|| Item::AtMost { source: Arc::clone(&self.name), most, length });
        }
    }

    /// The symbols among some bytes.
    fn pieces(&self, start: usize, count: usize) -> Vec<Piece> {
        let own = &self.own[start.min(self.own.len())..(start + count).min(self.own.len())];
        let mut pieces: Vec<Piece> = Vec::new();
        for (index, _) in own.iter().enumerate().filter(|(_, own)| **own) {
            match pieces.last_mut() {
                Some(last) if last.start + last.count == index => last.count += 1,
                _ => pieces.push(Piece {
                    start: index,
                    count: 1,
                    source: Arc::clone(&self.name),
                    offset: (start + index) as u64,
                }),
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(reading: &Reading) -> Vec<(usize, usize, u64)> {
        reading.pieces.iter().map(|piece| (piece.start, piece.count, piece.offset)).collect()
    }

    #[test]
    fn what_was_overwritten_is_no_symbol() {
        let mut log = Log::default();
        let mut bytes = Bytes::symbolic(b"abcdef".to_vec(), "files/a", u64::MAX, false);
        bytes.write(2, b"X");
        let mut buffer = [0; 4];
        let reading = bytes.read(1, &mut buffer, &mut log);
        assert_eq!((&buffer, reading.count), (b"bXde", 4));
        assert_eq!(starts(&reading), [(0, 1, 1), (2, 2, 3)]);
        bytes.resize(2, &mut log).expect("there is room");
        bytes.resize(6, &mut log).expect("there is room");
        assert_eq!(starts(&bytes.read(0, &mut [0; 8], &mut log)), [(0, 2, 0)]);
    }

    #[test]
    fn only_the_first_bytes_may_be_symbols() {
        let mut bytes = Bytes::symbolic(b"abc".to_vec(), "stdin", 2, false);
        assert_eq!(starts(&bytes.read(0, &mut [0; 8], &mut Log::default())), [(0, 2, 0)]);
    }
}
