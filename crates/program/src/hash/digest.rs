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

/// A hash under way.
pub(super) struct Digest(blake3::Hasher);

impl Digest {
    /// A hash of something; `kind` keeps hashes of different things apart.
    pub fn new(kind: &str) -> Digest {
        let mut digest = Digest(blake3::Hasher::new());
        digest.add(Part::Bytes, kind.as_bytes());
        digest
    }

    /// Adds a part.
    pub fn add(&mut self, part: Part, bytes: &[u8]) {
        self.0.update(&[part as u8]);
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// The hash of all parts.
    pub fn finish(self) -> u128 {
        let mut half = [0; 16];
        half.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        u128::from_le_bytes(half)
    }
}
