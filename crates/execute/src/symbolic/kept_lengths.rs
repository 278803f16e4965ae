//! Lengths of buffers that what a run has read depends on, though it did not ask for them.
//!
//! What is read of a buffer at a place that depends on the input is one of the bytes that there are, or what memory has behind them: zeros, mostly. With another length that would
//! be part of the input. So the terms of such a read are true of inputs that are long enough for all places where it may read, or that have the same length: how long the buffer is,
//! up to there, is as good as replaced by its value.

use super::accesses::LookedUp;
use super::lengths::{Lengthy, lengthy};
use super::run::SymbolicRun;
use crate::Input;
use coax_term::{Algebra, Binary, Term, Terms};

/// The length of a buffer that a run depends on.
#[derive(Clone, Copy, Debug)]
pub struct KeptLength {
    /// The operator that read the buffer, and how many events the path had before.
    pub at: u32,
    /// See there.
    pub events: usize,
    /// The number of the buffer among the parts of the input that have lengths.
    pub buffer: u32,
    /// The length in elements, as far as it matters, and its value.
    pub term: Term,
    /// See there.
    pub value: u64,
    /// That it is this one.
    pub condition: Term,
}

/// A buffer, and what is known of its length.
struct Buffer {
    number: u32,
    part: Lengthy,
    /// So many elements matter at most; what is longer makes no difference.
    far: u64,
}

/// Those of a run of this input, in the order of its events.
pub fn kept_lengths(run: &mut SymbolicRun, input: &Input) -> Vec<KeptLength> {
    let mut kept = Vec::new();
    if run.looked_up().is_empty() {
        return kept;
    }
    let parts = lengthy(input).into_iter().enumerate().filter(|(_, part)| part.is_parameter);
    let mut buffers: Vec<Buffer> =
        parts.map(|(number, part)| Buffer { number: number as u32, part, far: 0 }).collect();
    for LookedUp { at, events, symbol, beyond } in run.looked_up().to_vec() {
        let name = run.terms().symbol_name(symbol);
        let of_it = buffers.iter_mut().find_map(|it| Some((index_in(&it.part.source, name)?, it)));
        let Some((index, buffer)) = of_it else { continue };
        let element = buffer.part.element.max(1);
        let far = index.map_or(u64::MAX, |index| (index + beyond).div_ceil(element));
        let length = buffer.part.bytes / element;
        // What is shorter than all that mattered before is known exactly.
        if far <= buffer.far || length < buffer.far {
            continue;
        }
        let Some(symbol) = run.terms().find_symbol(&buffer.part.length) else { continue };
        buffer.far = far;
        let (width, value) = (run.terms().symbol_width(symbol), length.min(far));
        let terms = run.terms_mut();
        let whole = terms.symbol(&buffer.part.length, width);
        let term = shortened(terms, whole, far);
        let condition = terms.has_value(term, value);
        kept.push(KeptLength { at, events, buffer: buffer.number, term, value, condition });
    }
    kept
}

/// Which byte of a buffer a symbol is; of one that is more than a byte, nobody knows.
#[expect(
    clippy::option_option,
    reason = "a symbol of another buffer is something else than one whose place is not known"
)]
fn index_in(source: &str, name: &str) -> Option<Option<u64>> {
    let index = name.strip_prefix(source)?.strip_prefix('[')?;
    Some(index.strip_suffix(']').and_then(|index| index.parse().ok()))
}

/// A length, or this if it is longer.
fn shortened(terms: &mut Terms, length: Term, far: u64) -> Term {
    let width = terms.width_of(length);
    if far >= u64::MAX >> (64 - width) {
        return length;
    }
    let far = terms.constant(width, far);
    let is_shorter = terms.binary(Binary::Ult, length, far);
    terms.ite(is_shorter, length, far)
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::{Evaluator, Model};

    #[test]
    fn symbols_are_found_by_their_names() {
        assert_eq!(index_in("data", "data[17]"), Some(Some(17)));
        assert_eq!(index_in("data", "data[1].x"), Some(None));
        assert_eq!((index_in("data", "database[1]"), index_in("data", "data")), (None, None));
    }

    #[test]
    fn what_is_longer_makes_no_difference() {
        let mut terms = Terms::new();
        let length = terms.symbol("n", 32);
        let short = shortened(&mut terms, length, 5);
        let symbol = terms.find_symbol("n").expect("a symbol");
        for (value, expected) in [(0, 0), (4, 4), (5, 5), (6, 5), (1 << 31, 5)] {
            let mut model = Model::new();
            model.set(symbol, value);
            assert_eq!(Evaluator::new().eval(&terms, &model, short), expected);
        }
        assert_eq!(shortened(&mut terms, length, u64::MAX), length);
    }
}
