//! A hash of a sequence of parts, in which no two sequences look alike.

/// What a part of the input is.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// Bytes as they are in the module.
    Bytes = 1,
    /// What an index stands for.
    Identity = 2,
    /// What an address stands for, and how far from its start it points.
    Address = 3,
    /// What an index of the table of functions stands for.
    Pointer = 4,
}

/// A hash under way. The parts are short, and hashing them together is much faster than one by one.
pub(super) struct Digest(Vec<u8>);

impl Digest {
    /// A hash of something; `kind` keeps hashes of different things apart.
    pub fn new(kind: &str) -> Digest {
        let mut digest = Digest(Vec::new());
        digest.add(Part::Bytes, kind.as_bytes());
        digest
    }

    /// Adds a part.
    pub fn add(&mut self, part: Part, bytes: &[u8]) {
        self.0.push(part as u8);
        self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    /// The hash of all parts.
    pub fn finish(self) -> u128 {
        let mut half = [0; 16];
        half.copy_from_slice(&blake3::hash(&self.0).as_bytes()[..16]);
        u128::from_le_bytes(half)
    }
}
