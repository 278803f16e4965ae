//! Products. By a constant: few shifted additions and subtractions. Else: all products of two bits, added by columns.

use super::add::Columns;
use super::gates::{Bit, Gates};
use super::word::{self, Word};

impl Gates {
    /// The lowest `width` bits of the product.
    pub(super) fn multiply(&mut self, a: &[Bit], b: &[Bit], width: usize) -> Word {
        match (word::as_constant(a), word::as_constant(b)) {
            (_, Some(factor)) => self.multiply_by(a, factor, width),
            (Some(factor), _) => self.multiply_by(b, factor, width),
            _ => {
                let mut columns = Columns::new(width);
                self.add_products(&mut columns, a, b);
                columns.sum(self)
            }
        }
    }

    /// Puts all products of two bits into their columns.
    pub(super) fn add_products(&mut self, columns: &mut Columns, a: &[Bit], b: &[Bit]) {
        for (i, &bit) in a.iter().enumerate() {
            let products = self.only_if(bit, b);
            columns.add_word(i, &products);
        }
    }

    /// By a constant: digits -1, 0 and 1 such that no two neighbours are not zero (Booth, 1951; Reitwiesner, 1960).
    fn multiply_by(&mut self, a: &[Bit], factor: u64, width: usize) -> Word {
        let mut sum = word::constant(width, 0);
        let mut rest = u128::from(factor);
        let mut at = 0;
        while rest != 0 && at < width {
            let zeros = rest.trailing_zeros() as usize;
            rest >>= zeros;
            at += zeros;
            if at >= width {
                break;
            }
            let mut shifted = word::constant(at, 0);
            shifted.extend_from_slice(a);
            let shifted = word::resized(&shifted, width);
            if rest & 3 == 3 {
                sum = self.subtract(&sum, &shifted);
                rest += 1;
            } else {
                sum = self.add(&sum, &shifted);
                rest -= 1;
            }
        }
        sum
    }
}
