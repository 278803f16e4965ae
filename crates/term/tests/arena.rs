//! The arena: interning, clearing, hashes, deep terms, substitution, functions.

use std::collections::BTreeSet;

use coax_term::{Algebra, Binary, Evaluator, Function, Functions, Model, Term, Terms, Unary};

#[test]
fn the_same_term_is_made_once() {
    let t = &mut Terms::new();
    let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
    let sum = t.binary(Binary::Add, x, y);
    let count = t.len();
    assert_eq!(t.binary(Binary::Add, y, x), sum);
    assert_eq!(t.symbol("x", 32), x);
    assert_eq!(t.len(), count);
    assert_eq!(t.symbols().map(|s| t.symbol_name(s).to_owned()).collect::<Vec<_>>(), ["x", "y"]);
}

#[test]
#[should_panic(expected = "`x` has width 32 and was asked for with width 8")]
fn a_name_has_one_width() {
    let t = &mut Terms::new();
    t.symbol("x", 32);
    t.symbol("x", 8);
}

/// A chain over two symbols, of any length.
fn chain(t: &mut Terms, length: u64) -> Term {
    let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
    (0..length).fold(x, |term, i| {
        let op = if i % 2 == 0 { Binary::Mul } else { Binary::Sub };
        t.binary(op, term, y)
    })
}

#[test]
fn a_cleared_arena_is_a_new_one() {
    let t = &mut Terms::new();
    let mut fresh = Terms::new();
    let expected = chain(&mut fresh, 1000);
    for round in 0..50 {
        t.clear();
        assert!(t.is_empty() && t.symbols().next().is_none() && t.functions().next().is_none());
        // Another content each time, then a known one.
        for i in 0..round * 20 {
            let noise = t.symbol(&format!("noise{i}"), 8);
            let f = t.function("f", 8);
            let applied = t.apply(f, &[noise]);
            let table = t.table(vec![(i, noise), (i + 1, applied)]);
            t.lookup(applied, table);
        }
        t.clear();
        let term = chain(t, 1000);
        assert_eq!((t.len(), term), (fresh.len(), expected));
        assert_eq!(chain(t, 1000), term);
        assert!(t.same(term, &fresh, expected));
    }
}

#[test]
fn a_chain_of_a_million_operators() {
    let t = &mut Terms::new();
    let length = 1_000_000;
    let term = chain(t, length);
    assert_eq!(t.size(term), length as usize + 2);
    let (x, y) = (t.find_symbol("x").unwrap(), t.find_symbol("y").unwrap());
    let model: Model = [(x, 7), (y, 11)].into_iter().collect();
    let expected = (0..length)
        .fold(7u32, |value, i| if i % 2 == 0 { value.wrapping_mul(11) } else { value.wrapping_sub(11) });
    assert_eq!(t.eval(term, &model), u64::from(expected));
    assert_eq!(t.symbols_of(term).len(), 2);

    let mut other = Terms::new();
    let imported = other.import(t, term);
    assert!(other.same(imported, t, term));
    let seven = t.constant(32, 7);
    let eleven = t.constant(32, 11);
    let value = t.substitute(term, &mut |symbol| Some(if symbol == x { seven } else { eleven }));
    assert_eq!(t.as_constant(value), Some(u64::from(expected)));
    assert!(t.possible_values(term, 10).is_none());
}

/// Rules must not follow chains by recursion, whatever the operators.
#[test]
fn deep_chains_of_every_operator() {
    use Binary::*;
    for op in [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Rotl, Rotr] {
        let t = &mut Terms::new();
        let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
        let (one, three) = (t.constant(32, 1), t.constant(32, 3));
        let is_small = t.binary(Ult, y, three);
        let mut term = x;
        for i in 0..100_000u64 {
            let number = t.constant(32, (i * 12345) & 0xffff_ffff);
            let operand = [y, number, three, one][i as usize % 4];
            term = t.binary(op, term, operand);
            term = match i % 5 {
                0 => t.unary(Unary::Not, term),
                1 => t.binary(Xor, term, number),
                2 => t.ite(is_small, number, term),
                3 => t.binary(Sub, number, term),
                _ => t.binary(Mul, term, three),
            };
        }
        let five = t.constant(32, 5);
        for comparison in [Eq, Ult, Ule, Slt, Sle] {
            let condition = t.binary(comparison, term, five);
            let wide = t.zero_extend(condition, 32);
            t.binary(comparison, wide, term);
        }
        t.eval(term, &Model::new());
    }
}

#[test]
fn hashes_do_not_depend_on_the_order_of_creation() {
    let (mut one, mut other) = (Terms::new(), Terms::new());
    let build = |t: &mut Terms, swapped: bool| {
        let names = if swapped { ["y", "x"] } else { ["x", "y"] };
        for name in names {
            t.symbol(name, 16);
        }
        let (x, y) = (t.symbol("x", 16), t.symbol("y", 16));
        let f = t.function("f", 16);
        let (a, b) = if swapped { (y, x) } else { (x, y) };
        let sum = t.binary(Binary::Add, a, b);
        let applied = t.apply(f, &[x, sum]);
        let table = t.table(vec![(3, x), (9, applied), (100, sum)]);
        let found = t.lookup(y, table);
        t.binary(Binary::Mul, found, sum)
    };
    let (a, b) = (build(&mut one, false), build(&mut other, true));
    assert_eq!(one.hash(a), other.hash(b));
    assert!(one.same(a, &other, b));
    let x = other.symbol("x", 16);
    let c = other.binary(Binary::Mul, b, x);
    assert!(!one.same(a, &other, c) && one.hash(a) != other.hash(c));
}

#[test]
fn hashes_of_different_terms_differ() {
    let t = &mut Terms::new();
    for name in ["", "\0", "a", "a\0", "in[0]", "in[1]", "a name of more than eight bytes"] {
        let symbol = t.symbol(name, 64);
        for number in 0..5000 {
            let constant = t.constant(64, number);
            for op in [Binary::Add, Binary::Mul, Binary::UDiv, Binary::FDiv, Binary::FMin] {
                t.binary(op, symbol, constant);
            }
        }
    }
    let hashes: BTreeSet<u64> = (0..t.len()).map(|index| t.hash(t.term_at(index))).collect();
    assert!(t.len() > 170_000);
    assert_eq!(hashes.len(), t.len(), "each term of the arena has a hash of its own");
}

#[test]
fn substitution_simplifies() {
    let t = &mut Terms::new();
    let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
    let difference = t.binary(Binary::Sub, x, y);
    let x_symbol = t.find_symbol("x").unwrap();
    let zero = t.substitute(difference, &mut |symbol| (symbol == x_symbol).then_some(y));
    assert_eq!(zero, t.constant(32, 0));
    assert_eq!(t.substitute(difference, &mut |_| None), difference);
}

/// Knows one sample.
struct Sample(Function, u64, u64);

impl Functions for Sample {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        (function == self.0 && arguments == [self.1]).then_some(self.2)
    }
}

#[test]
fn functions_are_evaluated_by_their_samples() {
    let t = &mut Terms::new();
    let x = t.symbol("x", 8);
    let f = t.function("f", 8);
    let applied = t.apply(f, &[x]);
    assert_eq!(t.apply(f, &[x]), applied);
    let twice = t.apply(f, &[applied]);
    let symbol = t.find_symbol("x").unwrap();
    let model: Model = [(symbol, 3)].into_iter().collect();
    let mut evaluator = Evaluator::new();
    assert_eq!(evaluator.eval_with(t, &model, &mut Sample(f, 3, 42), applied), Some(42));
    assert_eq!(evaluator.eval_with(t, &model, &mut Sample(f, 3, 42), twice), None);
    assert_eq!(evaluator.eval_with(t, &model, &mut Sample(f, 42, 1), twice), Some(1));
    assert_eq!(t.eval(twice, &model), 0);
}

#[test]
fn parts_are_counted_up_to_a_limit_however_deep_a_term_is() {
    let mut terms = Terms::new();
    let input = terms.symbol("x", 32);
    let mut deep = input;
    for number in 0..100_000 {
        let odd = terms.constant(32, 2 * number + 3);
        let product = terms.binary(Binary::Mul, deep, odd);
        deep = terms.binary(Binary::Xor, product, input);
    }
    for most in [0, 1, 2, 7, 100] {
        assert_eq!(terms.count_parts(&[deep], most), most);
        assert_eq!(terms.count_parts(&[input, input, deep], most), most);
        assert_eq!(terms.count_parts(&[input, input], most), most.min(1));
    }
    let all = terms.in_post_order(&[deep]).count();
    assert_eq!(terms.count_parts(&[deep, input], usize::MAX), all);
}
