//! What comes out of a call and points into what it was given: where a number ends that was read, where a character is. Where all that is does not count
//! ([`super::shape::Param`]), so what comes out is how far behind it.

use super::shape::Place;
use super::{Known, Output};
use crate::hooks::Call;
use std::collections::{BTreeMap, BTreeSet};

/// How many bytes a pointer has.
const POINTER: u64 = 4;

/// Where the pointers were that a call was given, and how far what is behind them was used.
pub(super) struct Bases(Vec<Base>);

struct Base {
    param: usize,
    start: u64,
    end: u64,
}

/// Something that comes out of a call as a whole.
pub(super) struct Whole<'f> {
    pub place: Place,
    /// The parameter that it is relative to, and where that points to.
    pub to: Option<(usize, u64)>,
    /// What it is, without that.
    pub value: u64,
    pub width: u8,
    /// One number, or the bytes of a pointer.
    pub parts: Vec<Output<'f>>,
}

impl Bases {
    /// Those of a call; parameters that count as numbers are none.
    pub(super) fn new(known: &Known, call: &Call, counted: &BTreeSet<Place>) -> Bases {
        let base = |(param, (of, datum)): (usize, (&super::Param, &Option<crate::Datum>))| {
            let is_pointer = of.is_pointer && !counted.contains(&Place::Param(param));
            let start = (*datum).filter(|datum| is_pointer && datum.term.is_none() && datum.bits != 0)?.bits;
            Some(Base { param, start, end: start })
        };
        Bases(known.params.iter().zip(&call.args).enumerate().filter_map(base).collect())
    }

    /// This was used.
    pub(super) fn use_place(&mut self, place: Place) {
        if let Place::Behind(param, offset) = place
            && let Some(base) = self.0.iter_mut().find(|base| base.param == param)
        {
            base.end = base.end.max(base.start + offset + 1);
        }
    }

    /// The parameter that a value points behind, and where that points to.
    fn of_value(&self, value: u64) -> Option<(usize, u64)> {
        let of = self.0.iter().filter(|base| (base.start..=base.end).contains(&value));
        // One that begins where another ends is not meant: what is at the end was looked at.
        of.min_by_key(|base| (base.start, base.param)).map(|base| (base.param, base.start))
    }

    /// Puts the bytes of pointers together.
    pub(super) fn put_together<'f>(&self, outputs: Vec<Output<'f>>) -> Vec<Whole<'f>> {
        let (mut wholes, mut cells) = (Vec::new(), BTreeMap::new());
        for output in outputs {
            match output.address {
                Some(address) => {
                    cells.insert(address, output);
                }
                None => {
                    let to = if output.width == 32 { self.of_value(output.datum.bits) } else { None };
                    wholes.push(whole(vec![output], to));
                }
            }
        }
        while let Some((address, first)) = cells.pop_first() {
            let rest = (1..POINTER).map(|offset| cells.get(&(address + offset)).map(|it| it.datum.bits));
            let value =
                rest.rev().chain([Some(first.datum.bits)]).try_fold(0, |all, byte| Some(all << 8 | byte?));
            let to = value.filter(|_| address.is_multiple_of(POINTER)).and_then(|value| self.of_value(value));
            let mut parts = vec![first];
            if to.is_some() {
                parts.extend((1..POINTER).filter_map(|offset| cells.remove(&(address + offset))));
            }
            wholes.push(whole(parts, to));
        }
        wholes
    }
}

fn whole(parts: Vec<Output<'_>>, to: Option<(usize, u64)>) -> Whole<'_> {
    let bits = parts.iter().rev().fold(0, |all, part| all << 8 | part.datum.bits);
    let value = bits - to.map_or(0, |(_, base)| base);
    let width = parts.iter().map(|part| part.width).sum();
    Whole { place: parts[0].place, to, value, width, parts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hooks::Datum;

    #[test]
    fn pointers_into_what_was_given_are_put_together() {
        let mut bases = Bases(vec![Base { param: 1, start: 0x1000, end: 0x1000 }]);
        (0..3).for_each(|offset| bases.use_place(Place::Behind(1, offset)));
        for (value, offset) in [(0x1000, Some(0)), (0x1003, Some(3)), (0x1004, None), (0xfff, None)] {
            let mut bytes = u32::to_le_bytes(value).map(|byte| Datum { bits: byte.into(), term: None });
            let cells = bytes.iter_mut().enumerate().map(|(number, datum)| Output {
                place: Place::Behind(2, number as u64),
                address: Some(0x2000 + number as u64),
                width: 8,
                datum,
                is_before: false,
            });
            let wholes = bases.put_together(cells.collect());
            let found = wholes.iter().find_map(|it| Some((it.to?.0, it.value, it.parts.len(), it.width)));
            assert_eq!(found, offset.map(|offset| (1, offset, 4, 32)), "{value:#x}");
            assert_eq!(wholes.len(), if offset.is_some() { 1 } else { 4 });
        }
    }
}
