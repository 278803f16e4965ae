//! Sums of fractions, with a sign that is kept above the line.
//!
//!     coax cover examples/small/fraction.rs --entry add

pub struct Fraction {
    above: i16,
    below: i16,
}

pub enum Sum {
    Whole(i32),
    Proper(i32, i32),
    Improper(i32, i32),
    NotAFraction,
}

fn signed(it: &Fraction) -> Option<(i32, i32)> {
    let (above, below) = (i32::from(it.above), i32::from(it.below));
    match below {
        0 => None,
        i32::MIN..0 => Some((-above, -below)),
        _ => Some((above, below)),
    }
}

/// The sum of two fractions over the same number.
pub fn add(one: &Fraction, two: &Fraction) -> Sum {
    let (Some((a, below)), Some((b, other))) = (signed(one), signed(two)) else {
        return Sum::NotAFraction;
    };
    if below != other {
        return Sum::NotAFraction;
    }
    let above = a + b;
    if below <= 0 {
        unreachable!("the sign is above the line");
    }
    if above % below == 0 {
        return Sum::Whole(above / below);
    }
    if above.abs() < below { Sum::Proper(above, below) } else { Sum::Improper(above, below) }
}

fn main() {
    let third = Fraction { above: 1, below: 3 };
    if let Sum::Proper(above, below) = add(&third, &third) {
        println!("{above}/{below}");
    }
}
