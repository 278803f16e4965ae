//! Extract, concat and extensions: bits taken apart and put together again.
//!
//! What was stored byte by byte is the same term when it is loaded. Therefore bits are not extracted from inside of
//! arithmetic, and a piece that is known to be constant still finds its neighbours again.

use crate::range_of::extract as range_of_piece;
use crate::{Algebra, Node, Term, Terms, fold};

impl Terms {
    pub(crate) fn simplify_extract(&mut self, a: Term, low: u8, width: u8) -> Option<Term> {
        match self.node(a) {
            _ if width == self.width_of(a) => Some(a),
            Node::Const { bits, .. } => Some(self.constant(width, fold::extract(bits, low, width))),
            Node::Extract { low: below, term, .. } => Some(self.extract(term, below + low, width)),
            Node::Concat(high, rest) => {
                let split = self.width_of(rest);
                if low >= split {
                    return Some(self.extract(high, low - split, width));
                }
                if low + width <= split {
                    return Some(self.extract(rest, low, width));
                }
                let above = self.extract(high, 0, low + width - split);
                let below = self.extract(rest, low, split - low);
                Some(self.concat(above, below))
            }
            Node::ZeroExtend { term, .. } => {
                let from = self.width_of(term);
                if low >= from {
                    return Some(self.constant(width, 0));
                }
                let bits = self.extract(term, low, width.min(from - low));
                Some(self.zero_extend(bits, width))
            }
            Node::SignExtend { term, .. } => {
                let from = self.width_of(term);
                let low = low.min(from - 1);
                let bits = self.extract(term, low, width.min(from - low));
                Some(self.sign_extend(bits, width))
            }
            _ => None,
        }
    }

    pub(crate) fn simplify_zero_extend(&mut self, a: Term, width: u8) -> Option<Term> {
        let from = self.width_of(a);
        match self.node(a) {
            _ if width == from => Some(a),
            Node::Const { bits, .. } => Some(self.constant(width, bits)),
            Node::ZeroExtend { term, .. } => Some(self.zero_extend(term, width)),
            Node::Extract { .. } => {
                let bits = self.widen_piece(a, width)?;
                Some(self.zero_extend(bits, width))
            }
            Node::Concat(first, rest) => {
                let first = self.widen_piece(first, width - self.width_of(rest))?;
                let bits = self.concat(first, rest);
                Some(self.zero_extend(bits, width))
            }
            _ => None,
        }
    }

    /// An extracted piece with some of the zeros above that it is to get, if they were there all the time.
    fn widen_piece(&mut self, piece: Term, width: u8) -> Option<Term> {
        let Node::Extract { low, width: from, term } = self.node(piece) else { return None };
        let most = (width - from).min(self.width_of(term) - from - low);
        let is_zero = |count| self.known_piece(term, low + from, count) == Some(0);
        let more = (1..=most).take_while(|&count| is_zero(count)).last()?;
        Some(self.extract(term, low, from + more))
    }

    pub(crate) fn simplify_sign_extend(&mut self, a: Term, width: u8) -> Option<Term> {
        let from = self.width_of(a);
        match self.node(a) {
            _ if width == from => Some(a),
            Node::Const { bits, .. } => Some(self.constant(width, fold::sign_extend(from, bits, width))),
            Node::SignExtend { term, .. } => Some(self.sign_extend(term, width)),
            _ => self.extend_known_sign(a, width),
        }
    }

    fn extend_known_sign(&mut self, a: Term, width: u8) -> Option<Term> {
        let from = self.width_of(a);
        let range = self.range(a);
        let sign = 1 << (from - 1);
        if range.high < sign {
            return Some(self.zero_extend(a, width));
        }
        (range.low >= sign).then(|| {
            let ones = self.constant(width - from, fold::mask(width - from));
            self.concat(ones, a)
        })
    }

    pub(crate) fn simplify_concat(&mut self, high: Term, low: Term) -> Option<Term> {
        let (high_width, low_width) = (self.width_of(high), self.width_of(low));
        let width = high_width + low_width;
        match self.node(high) {
            Node::Const { bits: 0, .. } => return Some(self.zero_extend(low, width)),
            Node::Const { bits, .. } if bits >> (high_width - 1) == 0 => {
                let ones = self.constant(64 - bits.leading_zeros() as u8, bits);
                let bits = self.concat(ones, low);
                return Some(self.zero_extend(bits, width));
            }
            Node::ZeroExtend { term, .. } => {
                let bits = self.concat(term, low);
                return Some(self.zero_extend(bits, width));
            }
            Node::SignExtend { term, .. } => {
                let bits = self.concat(term, low);
                return Some(self.sign_extend(bits, width));
            }
            Node::Concat(above, below) => {
                let rest = self.concat(below, low);
                return Some(self.concat(above, rest));
            }
            _ => {}
        }
        if self.is_sign_of(high, low) {
            return Some(self.sign_extend(low, width));
        }
        match self.node(low) {
            Node::Concat(first, rest) => {
                let (above, below) = self.meet(high, first)?;
                let rest = below.map_or(rest, |below| self.concat(below, rest));
                Some(above.map_or(rest, |above| self.concat(above, rest)))
            }
            Node::ZeroExtend { term, .. } => {
                let zeros = self.constant(low_width - self.width_of(term), 0);
                let (above, below) = self.meet(high, zeros)?;
                let rest = below.map_or(term, |below| self.concat(below, term));
                Some(above.map_or(rest, |above| self.concat(above, rest)))
            }
            _ => match self.meet(high, low)? {
                (Some(above), Some(below)) => Some(self.concat(above, below)),
                (above, below) => above.or(below),
            },
        }
    }

    /// Two neighbours that fit together: one piece of the term they are from, or a constant whose bits, or some of
    /// them, are known to be that term's next ones. Gives what is then above and below.
    fn meet(&mut self, high: Term, low: Term) -> Option<(Option<Term>, Option<Term>)> {
        let (high_width, low_width) = (self.width_of(high), self.width_of(low));
        match (self.node(high), self.node(low)) {
            (Node::Const { bits: above, .. }, Node::Const { bits: below, .. }) => {
                let both = self.constant(high_width + low_width, fold::concat(above, below, low_width));
                Some((Some(both), None))
            }
            (Node::Extract { low: i, term: x, .. }, Node::Extract { low: j, term: y, .. })
                if x == y && j + low_width == i =>
            {
                Some((Some(self.extract(x, j, high_width + low_width)), None))
            }
            (Node::Const { bits, .. }, Node::Extract { low, term, .. }) => {
                let end = low + low_width;
                let most = high_width.min(self.width_of(term) - end);
                let fits = |count| self.known_piece(term, end, count) == Some(bits & fold::mask(count));
                let count = (1..=most).take_while(|&count| fits(count)).last()?;
                let below = self.extract(term, low, low_width + count);
                let rest = high_width - count;
                Some(((rest > 0).then(|| self.constant(rest, bits >> count)), Some(below)))
            }
            (Node::Extract { low, term, .. }, Node::Const { bits, .. }) => {
                let most = low_width.min(low);
                let fits =
                    |count| self.known_piece(term, low - count, count) == Some(bits >> (low_width - count));
                let count = (1..=most).take_while(|&count| fits(count)).last()?;
                let above = self.extract(term, low - count, high_width + count);
                let rest = low_width - count;
                Some((Some(above), (rest > 0).then(|| self.constant(rest, bits & fold::mask(rest)))))
            }
            _ => None,
        }
    }

    /// The value of some bits of a term, if its range tells.
    fn known_piece(&self, term: Term, low: u8, width: u8) -> Option<u64> {
        range_of_piece(self.range(term), low, width).only()
    }

    /// Whether the first, one bit that is not constant, is the highest bit of the second.
    fn is_sign_of(&self, bit: Term, term: Term) -> bool {
        if self.width_of(bit) != 1 || self.as_constant(bit).is_some() {
            return false;
        }
        let mut term = term;
        loop {
            match self.node(term) {
                _ if bit == term => return true,
                Node::SignExtend { term: inner, .. } | Node::Concat(inner, _) => term = inner,
                Node::Extract { low, width, term: inner } => return self.is_bit(bit, inner, low + width - 1),
                _ => return self.is_bit(bit, term, self.width_of(term) - 1),
            }
        }
    }

    fn is_bit(&self, bit: Term, of: Term, at: u8) -> bool {
        matches!(self.node(bit), Node::Extract { low, width: 1, term } if term == of && low == at)
    }
}
