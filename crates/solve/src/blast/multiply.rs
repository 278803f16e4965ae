//! Products. By a constant: few shifted additions and subtractions. A square: all products of two bits by columns, where each
//! pair occurs twice and counts once in the next column. Else row by row, which took a third less time than by columns to find
//! factors of 32-bit products.

use super::add::Columns;
use super::gates::{Bit, Gates};
use super::word::{self, Word};

impl Gates {
    /// The lowest `width` bits of the product.
    pub(super) fn multiply(&mut self, a: &[Bit], b: &[Bit], width: usize) -> Word {
        match (word::as_constant(a), word::as_constant(b)) {
            (_, Some(factor)) => self.multiply_by(a, factor, width),
            (Some(factor), _) => self.multiply_by(b, factor, width),
            _ if a == b => self.square(a, width),
            _ => {
                let mut sum = word::constant(width, 0);
                for (at, &bit) in a.iter().enumerate().take(width) {
                    let row = self.only_if(bit, b);
                    sum = self.add(&sum, &shifted(&row, at, width));
                }
                sum
            }
        }
    }

    fn square(&mut self, a: &[Bit], width: usize) -> Word {
        let mut columns = Columns::new(width);
        for (at, &bit) in a.iter().enumerate() {
            let row = self.only_if(bit, a);
            columns.add_word(at, &row);
        }
        columns.sum(self)
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
            let shifted = shifted(a, at, width);
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

/// So many places up, and of this width.
fn shifted(word: &[Bit], places: usize, width: usize) -> Word {
    let mut shifted = word::constant(places, 0);
    shifted.extend_from_slice(word);
    word::resized(&shifted, width)
}
