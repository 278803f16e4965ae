//! Functions that keep something from one call to the next: a counter, the state of a random generator. They answer differently to the same arguments, even
//! if no two calls have shown that yet.

use super::{Known, Output, Place, Unknown};
use crate::hooks::FrameRecord;
use coax_program::Func;
use std::collections::{BTreeMap, BTreeSet};

/// Something that a call found outside of what its parameters point to, and left otherwise.
pub(super) struct Changed {
    place: Place,
    found: u64,
    left: u64,
}

/// What the calls of a run so far have left in places that they had changed.
#[derive(Default)]
pub(super) struct Kept(BTreeMap<(Func, Place), u64>);

impl Kept {
    /// Whether a call found what an earlier one of the same function had left, and changed it once more. (Once is not enough: a table that the first call fills
    /// stays as it is.)
    pub(super) fn is_kept_by(&mut self, func: Func, changed: Vec<Changed>) -> bool {
        let mut is_kept = false;
        for Changed { place, found, left } in changed {
            is_kept |= self.0.insert((func, place), left) == Some(found);
        }
        is_kept
    }
}

impl Unknown {
    /// What a call found outside of what its parameters point to, and left otherwise.
    pub(super) fn changed(
        &self,
        known: &Known,
        frame: &mut FrameRecord,
        counted: &BTreeSet<Place>,
    ) -> Vec<Changed> {
        let cells = frame.cells_read.iter().map(|cell| {
            let place = self.place_of(cell.address, known, &frame.call, counted);
            (place, cell.value.bits)
        });
        let globals = frame.globals_read.iter().map(|(global, datum)| (Place::Global(*global), datum.bits));
        let found: BTreeMap<Place, u64> =
            cells.chain(globals).filter(|(place, _)| place.is_elsewhere()).collect();
        let change = |Output { place, datum, .. }: Output<'_>| {
            let (found, left) = (*found.get(&place)?, datum.bits);
            (found != left).then_some(Changed { place, found, left })
        };
        self.outputs(known, frame, counted).into_iter().filter_map(change).collect()
    }
}
