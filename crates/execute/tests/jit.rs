//! Terms that were compiled to wasm have the values that evaluation says: every operator at every width, floats, tables, functions.

use coax_execute::Jit;
use coax_term::{
    Algebra, Binary, Compiler, Evaluator, Function, Functions, Model, Symbol, Term, Terms, Unary, mask,
};

/// The same numbers for the same seed (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Often one at an edge, of integers or of floats.
    fn number(&mut self, width: u8) -> u64 {
        let bit = 1u64 << self.below(width.into());
        let float =
            [0.0, -0.0, 1.5, -2.5, 1e300, 3e9, -1e19, 1e-310, f64::NAN, f64::INFINITY, -f64::INFINITY]
                [self.below(11)];
        let float = if width == 32 { u64::from((float as f32).to_bits()) } else { float.to_bits() };
        let number = match self.below(9) {
            0 => 0,
            1 => u64::MAX,
            2 => mask(width) >> 1,
            3 => bit,
            4 => bit - 1,
            5 => self.next() % (2 * u64::from(width)),
            6 | 7 if width >= 32 => float,
            _ => self.next(),
        };
        number & mask(width)
    }
}

/// Every function adds its number and its arguments.
struct Sums;

impl Functions for Sums {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        Some(arguments.iter().fold(function.index() as u64 + 1, |sum, &a| sum.wrapping_add(a)))
    }
}

/// Compares at some points.
fn check(terms: &Terms, roots: &[Term], random: &mut Random, points: usize) {
    let variables: Vec<Symbol> = terms.symbols().collect();
    let mut compiled = Jit::eager().compile(terms, roots, &variables).expect("all symbols are variables");
    let mut out = vec![0; roots.len()];
    let mut evaluator = Evaluator::new();
    for _ in 0..points {
        let values: Vec<u64> =
            variables.iter().map(|&symbol| random.number(terms.symbol_width(symbol))).collect();
        compiled.run(&mut Sums, &values, &mut out);
        let model: Model = variables.iter().copied().zip(values.iter().copied()).collect();
        evaluator.reset();
        for (&root, &value) in roots.iter().zip(&out) {
            let expected = evaluator.eval_with(terms, &model, &mut Sums, root);
            assert_eq!(Some(value), expected, "{} at {values:x?}", terms.display(root));
        }
    }
}

const FLOAT_BINARY: [Binary; 9] = {
    use Binary::*;
    [FAdd, FSub, FMul, FDiv, FMin, FMax, FEq, FLt, FLe]
};
const FLOAT_UNARY: [Unary; 13] = {
    use Unary::*;
    [
        FSqrt,
        FCeil,
        FFloor,
        FTrunc,
        FNearest,
        SignedToF32,
        SignedToF64,
        UnsignedToF32,
        UnsignedToF64,
        FToSigned32,
        FToSigned64,
        FToUnsigned32,
        FToUnsigned64,
    ]
};

#[test]
fn every_operator_has_its_meaning_at_every_width() {
    let mut random = Random(5);
    for width in 1..=64 {
        let mut terms = Terms::new();
        let (x, y, c) = (terms.symbol("x", width), terms.symbol("y", width), terms.symbol("c", 1));
        let mut roots = vec![terms.ite(c, x, y)];
        for op in [Unary::Not, Unary::Clz, Unary::Ctz, Unary::Popcnt] {
            roots.push(terms.unary(op, x));
        }
        for op in Binary::INTEGER.into_iter().chain(Binary::INTEGER_COMPARISONS) {
            roots.push(terms.binary(op, x, y));
        }
        if width == 32 || width == 64 {
            roots.extend(FLOAT_UNARY.map(|op| terms.unary(op, x)));
            roots.extend(FLOAT_BINARY.map(|op| terms.binary(op, x, y)));
            let op = if width == 32 { Unary::FPromote } else { Unary::FDemote };
            roots.push(terms.unary(op, x));
        }
        if width < 64 {
            let wider = width + 1 + random.below(usize::from(64 - width)) as u8;
            roots.extend([terms.sign_extend(x, wider), terms.zero_extend(x, wider)]);
        }
        if width > 1 {
            let low = random.below(width.into()) as u8;
            roots.push(terms.extract(x, low, 1 + random.below(usize::from(width - low)) as u8));
        }
        if width <= 32 {
            roots.push(terms.concat(x, y));
        }
        check(&terms, &roots, &mut random, 600);
    }
}

#[test]
fn tables_have_their_entries() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", 8), terms.symbol("y", 32));
    let dense: Vec<(u64, Term)> =
        (3..90).filter(|key| key % 5 > 0).map(|key| (key, terms.constant(32, key * key))).collect();
    let sparse: Vec<(u64, Term)> = [1, 77, 200].map(|key| (key, terms.constant(32, key + 1))).to_vec();
    let computed: Vec<(u64, Term)> = (0..40)
        .map(|key| {
            let number = terms.constant(32, key);
            (key, terms.binary(Binary::Mul, y, number))
        })
        .collect();
    let roots = [dense, sparse, computed].map(|entries| {
        let table = terms.table(entries);
        terms.lookup(x, table)
    });
    check(&terms, &roots, &mut Random(2), 2_000);
}

#[test]
fn functions_are_asked_in_stages() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", 64), terms.symbol("y", 64));
    let (f, g) = (terms.function("f", 64), terms.function("g", 32));
    let sum = terms.binary(Binary::FAdd, x, y);
    let inner = terms.apply(f, &[sum, x]);
    let outer = terms.apply(g, &[inner]);
    let less = terms.binary(Binary::FLt, inner, y);
    let half = terms.extract(y, 16, 32);
    let chosen = terms.ite(less, outer, half);
    let again = terms.apply(g, &[chosen]);
    check(&terms, &[inner, outer, chosen, again, x], &mut Random(3), 600);
}

/// Long enough for several functions of the module, which share values.
#[test]
fn values_go_from_chunk_to_chunk() {
    let mut random = Random(11);
    for _ in 0..4 {
        let mut terms = Terms::new();
        let mut made: Vec<Term> = (0..6).map(|number| terms.symbol(&format!("x{number}"), 32)).collect();
        for _ in 0..3_000 {
            let [a, b] = [0, 0].map(|_| made[made.len() - 1 - random.below(made.len().min(900))]);
            let op = Binary::INTEGER[random.below(Binary::INTEGER.len())];
            made.push(terms.binary(op, a, b));
        }
        let roots: Vec<Term> = made.iter().rev().step_by(97).copied().collect();
        check(&terms, &roots, &mut random, 40);
    }
}

/// Interpreted first, compiled later: nobody notices.
#[test]
fn the_change_to_compiled_code_is_not_seen() {
    let mut terms = Terms::new();
    let mut sum = terms.symbol("x", 64);
    let y = terms.symbol("y", 64);
    for number in 0..200 {
        let product = terms.binary(Binary::Mul, sum, y);
        let number = terms.constant(64, number);
        sum = terms.binary(Binary::Xor, product, number);
    }
    let variables: Vec<Symbol> = terms.symbols().collect();
    let mut compiled = Jit::default().compile(&terms, &[sum], &variables).expect("all symbols are variables");
    let mut random = Random(1);
    for _ in 0..20_000 {
        let values = [random.next(), random.next()];
        let mut out = [0];
        compiled.run(&mut Sums, &values, &mut out);
        let mut expected = values[0];
        for number in 0..200 {
            expected = expected.wrapping_mul(values[1]) ^ number;
        }
        assert_eq!(out[0], expected);
    }
}
