//! From nearly to exactly: numbers with few digits first, since programs are full of them, then single floats up and down.

use crate::random::Random;
use crate::walk::field::Kind;
use crate::walk::moves;
use crate::walk::space::{Point, Space, Stop};

/// Beyond this score it is not worth while: nothing is nearly right.
const NEAR: f64 = 1.0;

/// The best point near another one, with its score.
pub(super) fn finish(
    space: &mut Space,
    end: Point,
    score: f64,
    random: &mut Random,
) -> Result<(f64, Point), Stop> {
    let mut best = (score, end);
    let start = best.1.clone();
    // Decimals of floats; of integers, zeros at the end as a binary number.
    for (decimals, zeros) in [(0, 20), (1, 16), (2, 12), (3, 8), (4, 6), (6, 4), (8, 2), (10, 1)] {
        let mut point = start.clone();
        for field in &space.shape.fields {
            let x = field.number(field.read(&point));
            let round = match field.kind {
                Kind::Float => moves::rounded(x, decimals),
                _ => (x / f64::from(1 << zeros)).round() * f64::from(1 << zeros),
            };
            field.write(&mut point, field.bits(round));
        }
        take_better(space, point, &mut best)?;
    }
    if best.0 > NEAR {
        return Ok(best);
    }
    let tries = 40 + 40 * space.shape.fields.len();
    for _ in 0..tries {
        let mut point = best.1.clone();
        for _ in 0..1 + random.below(3) {
            let field = &space.shape.fields[random.below(space.shape.fields.len())];
            let bits = field.read(&point);
            let moved = match field.kind {
                Kind::Float => moves::nearby_float(field.width, bits, 10, random),
                _ => bits.wrapping_add(random.below(5) as u64).wrapping_sub(2) & coax_term::mask(field.width),
            };
            field.write(&mut point, moved);
        }
        take_better(space, point, &mut best)?;
    }
    Ok(best)
}

fn take_better(space: &mut Space, point: Point, best: &mut (f64, Point)) -> Result<(), Stop> {
    let score = space.score(&point)?;
    if score <= best.0 {
        *best = (score, point);
    }
    Ok(())
}
