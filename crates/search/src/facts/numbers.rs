//! What a value may be: numbers, few of them or a range.

use coax_term::mask;

/// So many numbers are told apart.
const FEW: usize = 8;

/// Numbers without sign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numbers {
    #[default]
    None,
    /// These, by size.
    Few(Vec<u64>),
    /// Some of those from one to another.
    Between(u64, u64),
}

impl Numbers {
    pub(super) fn one(number: u64) -> Numbers {
        Numbers::Few(vec![number])
    }

    pub(super) fn all(width: u8) -> Numbers {
        Numbers::Between(0, mask(width))
    }

    /// All from one to another.
    pub(super) fn between(low: u64, high: u64) -> Numbers {
        if high - low < FEW as u64 {
            Numbers::Few((low..=high).collect())
        } else {
            Numbers::Between(low, high)
        }
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Numbers::None
    }

    /// The only one, if there is only one.
    pub(crate) fn only(&self) -> Option<u64> {
        match self {
            Numbers::Few(few) if few.len() == 1 => Some(few[0]),
            _ => None,
        }
    }

    /// The smallest and the greatest.
    pub(super) fn extent(&self) -> Option<(u64, u64)> {
        match self {
            Numbers::None => None,
            Numbers::Few(few) => Some((*few.first()?, *few.last()?)),
            Numbers::Between(low, high) => Some((*low, *high)),
        }
    }

    pub(super) fn may_be(&self, number: u64) -> bool {
        match self {
            Numbers::None => false,
            Numbers::Few(few) => few.contains(&number),
            Numbers::Between(low, high) => (*low..=*high).contains(&number),
        }
    }

    pub(super) fn from_few(mut numbers: Vec<u64>) -> Numbers {
        numbers.sort_unstable();
        numbers.dedup();
        match numbers[..] {
            [] => Numbers::None,
            [first, .., last] if numbers.len() > FEW => Numbers::Between(first, last),
            _ => Numbers::Few(numbers),
        }
    }

    /// Adds others; whether there are more now. Ranges that grow grow far, so that they do not grow often.
    pub(super) fn add(&mut self, other: &Numbers) -> bool {
        let joined = match (&*self, other) {
            (_, Numbers::None) => return false,
            (Numbers::None, other) => other.clone(),
            (Numbers::Few(some), Numbers::Few(more)) => {
                if more.iter().all(|number| some.contains(number)) {
                    return false;
                }
                Numbers::from_few([&some[..], more].concat())
            }
            (some, more) => {
                let (Some((low, high)), Some((from, to))) = (some.extent(), more.extent()) else {
                    return false;
                };
                if let (Numbers::Between(..), true) = (some, low <= from && to <= high) {
                    return false;
                }
                let low = if from < low { 0 } else { low };
                let high = if to > high { u64::MAX >> to.leading_zeros() } else { high };
                Numbers::Between(low, high)
            }
        };
        *self = joined;
        true
    }
}
