//! Sums of squares: one equation that is many, since a sum of squares is zero only where every base is.

use coax_term::{Binary, Node, Term, Terms, Unary};

/// A sum of more is left as it is.
const MOST_SQUARES: usize = 256;

/// The bases of a sum of squares, each with the root of its weight. None if it is something else.
pub(super) fn sum_of_squares(terms: &Terms, term: Term) -> Option<Vec<(Term, f64)>> {
    let number = |term: Term| {
        let bits = terms.as_constant(term)?;
        Some(if terms.width_of(term) == 32 {
            f64::from(f32::from_bits(bits as u32))
        } else {
            f64::from_bits(bits)
        })
    };
    let mut bases = Vec::new();
    let mut stack = vec![(term, 1.0)];
    while let Some((top, weight)) = stack.pop() {
        if bases.len() + stack.len() > MOST_SQUARES {
            return None;
        }
        match terms.node(top) {
            Node::Binary(Binary::FAdd, a, b) => stack.extend([(a, weight), (b, weight)]),
            Node::Binary(Binary::FMul, a, b) if a == b => {
                // A square of a square is zero where the inner one is.
                let mut base = a;
                while let Node::Binary(Binary::FMul, x, y) = terms.node(base)
                    && x == y
                {
                    base = x;
                }
                bases.push((base, f64::sqrt(weight)));
            }
            Node::Binary(Binary::FMul, a, b) => match (number(a), number(b)) {
                (Some(c), _) if c > 0.0 => stack.push((b, weight * c)),
                (_, Some(c)) if c > 0.0 => stack.push((a, weight * c)),
                _ => return None,
            },
            Node::Binary(Binary::FDiv, a, b) => stack.push((a, weight / number(b).filter(|&c| c > 0.0)?)),
            Node::Unary(Unary::FSqrt, a) if stack.is_empty() && bases.is_empty() => stack.push((a, weight)),
            _ => return None,
        }
    }
    Some(bases)
}
