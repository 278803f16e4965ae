//! A set of values of one byte.

/// Some of the values of a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Values([u64; 4]);

impl Values {
    /// All that a symbol of this width (at most 8) can have.
    pub(super) fn of_width(width: u8) -> Values {
        (0..1 << width).collect()
    }

    pub(super) fn contains(&self, value: u64) -> bool {
        value < 256 && self.0[value as usize / 64] >> (value % 64) & 1 != 0
    }

    pub(super) fn and(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Values::default()
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..256).filter(|&value| self.contains(value))
    }

    /// One of them: the preferred one, else one that can be printed, else the smallest.
    pub(super) fn choose(&self, preferred: u64) -> u64 {
        if self.contains(preferred) {
            return preferred;
        }
        let printable = self.iter().find(|value| (0x20..0x7f).contains(value));
        printable.or_else(|| self.iter().next()).unwrap_or(0)
    }
}

impl FromIterator<u64> for Values {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Values {
        let mut set = Values::default();
        values.into_iter().for_each(|value| set.0[value as usize / 64] |= 1 << (value % 64));
        set
    }
}
