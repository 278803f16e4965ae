//! The forms that compilers produce collapse to what was meant.

use coax_term::{Algebra, Binary, Node, Term, Terms, Unary};

fn number(terms: &mut Terms, bits: u64) -> Term {
    terms.constant(32, bits)
}

fn with(terms: &mut Terms, op: Binary, a: Term, bits: u64) -> Term {
    let constant = terms.constant(terms.width_of(a), bits);
    terms.binary(op, a, constant)
}

/// A condition, and it as the i32 that wasm makes of it.
fn condition(terms: &mut Terms) -> (Term, Term) {
    let (x, y) = (terms.symbol("x", 32), terms.symbol("y", 32));
    let condition = terms.binary(Binary::Slt, x, y);
    let wide = terms.zero_extend(condition, 32);
    (condition, wide)
}

#[test]
fn conditions_survive_as_numbers() {
    let t = &mut Terms::new();
    let (condition, wide) = condition(t);
    let negation = t.not(condition);
    let zero = number(t, 0);

    let eqz = t.eq(wide, zero);
    assert_eq!(eqz, negation);
    let eqz = t.zero_extend(eqz, 32);
    let twice = t.eq(eqz, zero);
    assert_eq!(twice, condition);
    let ne = t.not(twice);
    assert_eq!(ne, negation);
    assert_eq!(with(t, Binary::And, wide, 1), wide);
    let flipped = with(t, Binary::Xor, wide, 1);
    assert_eq!(flipped, t.zero_extend(negation, 32));
    assert_eq!(with(t, Binary::Eq, wide, 1), condition);
    assert_eq!(with(t, Binary::Ult, wide, 1), negation);
    assert_eq!(with(t, Binary::Slt, wide, 1), negation);
    let (one, zero) = (number(t, 1), number(t, 0));
    assert_eq!(t.ite(condition, one, zero), wide);
    assert_eq!(t.ite(negation, zero, one), wide);
    assert_eq!(with(t, Binary::Eq, wide, 2), t.falsity());
}

#[test]
fn logic_of_wide_conditions_is_logic() {
    let t = &mut Terms::new();
    let (first, wide) = condition(t);
    let z = t.symbol("z", 32);
    let second = with(t, Binary::Eq, z, 7);
    let other = t.zero_extend(second, 32);
    let both = t.and(wide, other);
    let zero = number(t, 0);
    let none = t.eq(both, zero);
    let narrow = t.and(first, second);
    assert_eq!(none, t.not(narrow));
    // `a && b` as a select.
    let selected = t.ite(first, other, zero);
    assert_eq!(selected, both);
}

#[test]
fn bytes_in_any_order_are_the_word_again() {
    let t = &mut Terms::new();
    let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
    let byte = t.symbol("b", 8);
    let small = with(t, Binary::URem, x, 1000);
    let samples = [
        x,
        t.binary(Binary::Add, x, y),
        t.sign_extend(byte, 32),
        t.zero_extend(byte, 32),
        with(t, Binary::Shl, x, 3),
        with(t, Binary::And, x, 0x00ff_ff00),
        with(t, Binary::AShr, x, 12),
        with(t, Binary::Add, small, 0x1234_0000),
        small,
    ];
    for term in samples {
        let bytes: Vec<Term> = (0..4).map(|i| t.extract(term, 8 * i, 8)).collect();
        // By concat, from either end.
        let rising = bytes[1..].iter().fold(bytes[0], |low, &high| t.concat(high, low));
        let falling = bytes[..3].iter().rfold(bytes[3], |high, &low| t.concat(high, low));
        assert_eq!((rising, falling), (term, term), "{:?}", t.node(term));
        // By shifts and or, and by shifts and addition, in two orders.
        for order in [[0, 1, 2, 3], [2, 0, 3, 1]] {
            for op in [Binary::Or, Binary::Add] {
                // A constant that is added stays a sum: addresses are a term plus a constant.
                let has_constant =
                    bytes.iter().any(|&byte| t.as_constant(byte).is_some_and(|bits| bits != 0));
                if op == Binary::Add && has_constant {
                    continue;
                }
                let mut word = number(t, 0);
                for i in order {
                    let wide = t.zero_extend(bytes[i], 32);
                    let shifted = with(t, Binary::Shl, wide, 8 * i as u64);
                    word = t.binary(op, word, shifted);
                }
                assert_eq!(word, term, "{:?} by {op:?} in order {order:?}", t.node(term));
            }
        }
    }
}

#[test]
fn extensions_by_shifts_are_extensions() {
    let t = &mut Terms::new();
    let x = t.symbol("x", 32);
    let low = t.extract(x, 0, 8);
    let up = with(t, Binary::Shl, x, 24);
    assert_eq!(with(t, Binary::AShr, up, 24), t.sign_extend(low, 32));
    assert_eq!(with(t, Binary::LShr, up, 24), t.zero_extend(low, 32));
    assert_eq!(with(t, Binary::And, x, 255), t.zero_extend(low, 32));
    assert_eq!(with(t, Binary::URem, x, 256), t.zero_extend(low, 32));
    let sum = with(t, Binary::Add, x, 5);
    let sum = with(t, Binary::Add, sum, 0xffff_fffb);
    assert_eq!(sum, x);
    let masked = with(t, Binary::And, x, 0xff0f);
    assert_eq!(with(t, Binary::And, masked, 0xf0ff), with(t, Binary::And, x, 0xf00f));
}

#[test]
fn equations_are_solved() {
    let t = &mut Terms::new();
    let x = t.symbol("x", 32);
    let product = with(t, Binary::Mul, x, 31);
    let sum = with(t, Binary::Add, product, 7);
    let flipped = t.unary(Unary::Not, sum);
    let value = !(100u32.wrapping_mul(31).wrapping_add(7));
    assert_eq!(with(t, Binary::Eq, flipped, value.into()), with(t, Binary::Eq, x, 100));
    let index = with(t, Binary::And, x, 7);
    let address = with(t, Binary::Mul, index, 12);
    assert_eq!(with(t, Binary::Eq, address, 13), t.falsity());
    assert_eq!(with(t, Binary::Ult, address, 85), t.truth());
}

#[test]
fn floats_are_only_folded() {
    let t = &mut Terms::new();
    let x = t.symbol("x", 64);
    let zero = t.constant(64, 0);
    assert_ne!(t.binary(Binary::FAdd, x, zero), x, "-0 + 0 is 0, and a NaN becomes the canonical one");
    assert_ne!(t.binary(Binary::FEq, x, x), t.truth(), "a NaN differs from itself");
}

#[test]
fn lookups_shrink() {
    let t = &mut Terms::new();
    let x = t.symbol("x", 32);
    let values: Vec<Term> = (0..8).map(|i| t.constant(8, i * i)).collect();
    let table = t.table((0..8).map(|i| (100 + 4 * i, values[i as usize])).collect());
    let index = with(t, Binary::And, x, 12);
    let address = with(t, Binary::Add, index, 100);
    let found = t.lookup(address, table);
    assert_eq!(t.possible_values(found, 4), Some(vec![0, 1, 4, 9]));
    let pair = with(t, Binary::And, x, 4);
    let address = with(t, Binary::Add, pair, 100);
    let found = t.lookup(address, table);
    let bit = t.extract(x, 2, 1);
    assert_eq!(found, t.zero_extend(bit, 8), "entries 0 and 1 are 0 and 1");
    let outside = with(t, Binary::Add, index, 1000);
    assert_eq!(t.lookup(outside, table), t.constant(8, 0));
}

#[test]
fn scattered_values_are_found() {
    let t = &mut Terms::new();
    let x = t.symbol("x", 32);
    let is_odd = t.extract(x, 0, 1);
    let (near, far) = (t.constant(32, 0x1000), t.constant(32, 0x8_0010));
    let pointer = t.ite(is_odd, near, far);
    let masked = with(t, Binary::And, x, 0x101);
    let address = t.binary(Binary::Add, pointer, masked);
    let expected: Vec<u64> =
        [0x1000, 0x8_0010].iter().flat_map(|p| [0, 1, 256, 257].map(|o| p + o)).collect();
    assert_eq!(t.possible_values(address, 8), Some(expected));
    assert_eq!(t.possible_values(address, 7), None);
    assert_eq!(t.possible_values(x, 1 << 20), None);
}

#[test]
fn remainders_are_nearer_to_zero_and_squares_are_not_negative() {
    let t = &mut Terms::new();
    let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
    let zero = number(t, 0);
    let is_positive = t.binary(Binary::Slt, zero, y);
    let rest = t.binary(Binary::SRem, x, y);
    let reaches = t.binary(Binary::Sle, y, rest);
    let both = t.and(is_positive, reaches);
    let rest = t.binary(Binary::URem, x, y);
    let (is_zero, is_less) = (t.eq(y, zero), t.binary(Binary::Ult, rest, y));
    assert_eq!(is_less, t.not(is_zero));
    // Whether the rest of the rule is seen through is up to the solvers; no remainder is left for them.
    let has_remainder = |term| {
        t.post_order(&[term]).into_iter().any(|it| matches!(t.node(it), Node::Binary(Binary::SRem, ..)))
    };
    assert!(!has_remainder(both));
    let wide = t.sign_extend(x, 64);
    let square = t.binary(Binary::Mul, wide, wide);
    let zero = t.constant(64, 0);
    assert_eq!(t.binary(Binary::Slt, square, zero), t.falsity());
}
