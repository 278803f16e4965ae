//! Records of a call in a run, and of the same call run alone.

use coax_execute::hooks::{Byte, FrameRecord};
use coax_execute::{CallKind, Datum};
use std::collections::BTreeMap;

/// Whether a call that was run alone, without symbols, did what its record says.
///
/// With symbols it may have read more: all cells that an address could mean. And it may have written more: what was there before.
pub(super) fn compare_records(record: &FrameRecord, alone: &FrameRecord) -> Result<(), String> {
    let (expected, actual) = (ending(record), ending(alone));
    if expected != actual {
        return Err(format!("alone {actual:?}, in the run {expected:?}"));
    }
    let (read, read_alone) = (cells(&record.cells_read), cells(&alone.cells_read));
    let (written, written_alone) = (cells(&record.effects.cells), cells(&alone.effects.cells));
    let subset =
        |some: &Numbers, all: &Numbers| some.iter().all(|(place, value)| all.get(place) == Some(value));
    if !subset(&read_alone, &read) {
        return Err(format!("alone it reads {read_alone:?}, in the run {read:?}"));
    }
    let is_new = |(address, value): &(&u64, &u64)| {
        !written_alone.contains_key(address) && read.get(address) != Some(value)
    };
    if !subset(&written_alone, &written) || written.iter().any(|cell| is_new(&cell)) {
        return Err(format!("alone it writes {written_alone:?}, in the run {written:?}"));
    }
    let [read, read_alone] = [record, alone].map(|record| globals(&record.globals_read));
    let [set, set_alone] = [record, alone].map(|record| globals(&record.effects.globals));
    match read == read_alone && set == set_alone {
        true => Ok(()),
        false => Err(format!("globals: alone {read_alone:?} {set_alone:?}, in the run {read:?} {set:?}")),
    }
}

/// Places and their numbers.
type Numbers = BTreeMap<u64, u64>;

fn ending(record: &FrameRecord) -> Result<Vec<Option<u64>>, CallKind> {
    match &record.ending {
        CallKind::Returned(results) => {
            Ok(results.iter().map(|result| result.map(|result| result.bits)).collect())
        }
        other => Err(other.clone()),
    }
}

pub(super) fn cells(cells: &[Byte]) -> Numbers {
    cells.iter().map(|cell| (cell.address, cell.value.bits)).collect()
}

fn globals(globals: &[(u32, Datum)]) -> Numbers {
    globals.iter().map(|&(global, value)| (global.into(), value.bits)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_execute::hooks::{Call, Effects};
    use coax_program::Func;

    /// A call that reads 1 at 10, writes 2 at 20 and returns 3.
    fn record() -> FrameRecord {
        let byte = |address, bits| Byte { address, value: Datum { bits, term: None } };
        let result = vec![Some(Datum { bits: 3, term: None })];
        FrameRecord {
            call: Call { number: 0, func: Func(0), args: vec![] },
            ending: CallKind::Returned(result.clone()),
            began: 0,
            events: 0,
            memory_bytes: 100,
            cells_read: vec![byte(10, 1)],
            globals_read: vec![],
            effects: Effects { results: result, cells: vec![byte(20, 2)], globals: vec![] },
            has_used: true,
            cells_before: 0,
            beyond: Default::default(),
            fixed: vec![],
        }
    }

    #[test]
    fn every_difference_of_records_is_noticed() {
        let alone = |change: fn(&mut FrameRecord)| {
            let mut alone = record();
            change(&mut alone);
            compare_records(&record(), &alone)
        };
        assert_eq!(alone(|_| {}), Ok(()));
        assert!(alone(|record| record.ending = CallKind::Left).is_err());
        assert!(alone(|record| record.ending = CallKind::Returned(vec![None])).is_err());
        assert!(alone(|record| record.cells_read[0].address = 11).is_err(), "a cell that was not read");
        assert!(alone(|record| record.effects.cells[0].value.bits = 7).is_err(), "another value");
        assert!(alone(|record| record.effects.cells.clear()).is_err(), "a cell that is not written");
        assert!(alone(|record| record.globals_read.push((0, Datum { bits: 0, term: None }))).is_err());
        // Symbols may make a call read more, and write what was there.
        let mut more = record();
        more.effects.cells.push(more.cells_read[0]);
        assert_eq!(compare_records(&more, &record()), Ok(()));
    }
}
