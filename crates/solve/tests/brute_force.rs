//! The layers that need no solver, on random questions that are small enough to try all values.

use coax_solve::{Answer, Budget, Layer, Nothing, Query, Stack};
use coax_term::{Algebra, Binary, Evaluator, Model, Symbol, Term, Terms, Unary};

/// A generator of numbers (xorshift by Marsaglia, 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const BINARY: [Binary; 15] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::UDiv,
    Binary::SDiv,
    Binary::URem,
    Binary::SRem,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Shl,
    Binary::LShr,
    Binary::AShr,
    Binary::Rotl,
    Binary::Rotr,
];
const COMPARISONS: [Binary; 5] = [Binary::Eq, Binary::Ult, Binary::Ule, Binary::Slt, Binary::Sle];

/// A random term of a width.
fn value(terms: &mut Terms, random: &mut Random, symbols: &[Term], width: u8, depth: usize) -> Term {
    if depth == 0 || random.below(6) == 0 {
        let leaf = match random.below(3) {
            0 => {
                let bits = random.next() & coax_term::mask(width);
                return terms.constant(width, bits);
            }
            _ => random.one_of(symbols),
        };
        return fit(terms, random, leaf, width);
    }
    match random.below(10) {
        0 => {
            let a = value(terms, random, symbols, width, depth - 1);
            terms.unary(random.one_of(&[Unary::Not, Unary::Clz, Unary::Ctz, Unary::Popcnt]), a)
        }
        1 => {
            let c = condition(terms, random, symbols, depth - 1);
            let a = value(terms, random, symbols, width, depth - 1);
            let b = value(terms, random, symbols, width, depth - 1);
            terms.ite(c, a, b)
        }
        2 => {
            let other = random.one_of(&[3, 8, 16, 32, 64]);
            let a = value(terms, random, symbols, other, depth - 1);
            fit(terms, random, a, width)
        }
        3 => {
            let index = value(terms, random, symbols, 4, depth - 1);
            let mut entries = Vec::new();
            for key in 0..16 {
                if random.below(3) > 0 {
                    entries.push((key, value(terms, random, symbols, width, 0)));
                }
            }
            if entries.is_empty() {
                return value(terms, random, symbols, width, 0);
            }
            let table = terms.table(entries);
            terms.lookup(index, table)
        }
        _ => {
            let a = value(terms, random, symbols, width, depth - 1);
            let b = value(terms, random, symbols, width, depth - 1);
            terms.binary(random.one_of(&BINARY), a, b)
        }
    }
}

/// A term as one of another width.
fn fit(terms: &mut Terms, random: &mut Random, term: Term, width: u8) -> Term {
    let own = terms.width_of(term);
    match own.cmp(&width) {
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Greater => {
            let low = random.below(usize::from(own - width) + 1) as u8;
            terms.extract(term, low, width)
        }
        std::cmp::Ordering::Less => match random.below(3) {
            0 => terms.sign_extend(term, width),
            1 => {
                let bits = random.next() & coax_term::mask(width - own);
                let rest = terms.constant(width - own, bits);
                terms.concat(rest, term)
            }
            _ => terms.zero_extend(term, width),
        },
    }
}

fn condition(terms: &mut Terms, random: &mut Random, symbols: &[Term], depth: usize) -> Term {
    if depth > 0 && random.below(5) == 0 {
        let a = condition(terms, random, symbols, depth - 1);
        let b = condition(terms, random, symbols, depth - 1);
        return match random.below(3) {
            0 => terms.and(a, b),
            1 => terms.or(a, b),
            _ => terms.not(a),
        };
    }
    let width = random.one_of(&[1, 3, 8, 8, 8, 13, 32, 64]);
    let a = value(terms, random, symbols, width, depth);
    let b = value(terms, random, symbols, width, depth / 2);
    terms.binary(random.one_of(&COMPARISONS), a, b)
}

/// Whether some values make all conditions hold.
fn is_satisfiable(terms: &Terms, symbols: &[Symbol], conditions: &[Term]) -> bool {
    let widths: Vec<u8> = symbols.iter().map(|&symbol| terms.symbol_width(symbol)).collect();
    let mut evaluator = Evaluator::new();
    (0..1_u64 << widths.iter().sum::<u8>()).any(|mut point| {
        let mut model = Model::new();
        for (&symbol, &width) in symbols.iter().zip(&widths) {
            model.set(symbol, point & coax_term::mask(width));
            point >>= width;
        }
        evaluator.reset();
        conditions.iter().all(|&condition| evaluator.eval(terms, &model, condition) == 1)
    })
}

/// A random path and all questions along it, as a search would ask them.
fn judge_path(stack: &mut Stack, seed: u64, widths: &[u8]) -> (usize, usize) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut terms = Terms::new();
    let names: Vec<Term> =
        widths.iter().enumerate().map(|(i, &width)| terms.symbol(&format!("s{i}"), width)).collect();
    let symbols: Vec<Symbol> = terms.symbols().collect();
    let hint: Model = symbols.iter().map(|&symbol| (symbol, random.next() & 0xff)).collect();
    let mut assumptions: Vec<Term> = Vec::new();
    let (mut answered, mut open) = (0, 0);
    for _ in 0..8 {
        let mut goal = condition(&mut terms, &mut random, &names, 3);
        // Mostly as in a search: the hint makes the assumptions hold, and not the goal.
        if terms.eval(goal, &hint) == 1 && random.below(8) > 0 {
            goal = terms.not(goal);
        }
        let query = Query { assumptions: &assumptions, goal, hint: &hint };
        let conditions: Vec<Term> = query.conditions().collect();
        match stack.solve(&mut terms, &query, &mut Budget::unlimited()) {
            Answer::Sat(model) => {
                answered += 1;
                for &condition in &conditions {
                    assert_eq!(terms.eval(condition, &model), 1, "seed {seed}");
                }
            }
            Answer::Unsat(mut core) => {
                answered += 1;
                assert!(core.iter().all(|term| assumptions.contains(term)), "seed {seed}: a core of others");
                core.push(goal);
                assert!(!is_satisfiable(&terms, &symbols, &core), "seed {seed}: wrongly unsatisfiable");
            }
            Answer::Unknown(_) => open += 1,
        }
        let next = if random.below(10) == 0 { goal } else { terms.not(goal) };
        assumptions.push(next);
    }
    for (name, counts) in stack.counts() {
        assert_eq!(counts.wrong, 0, "seed {seed}: {name} gave a wrong model");
    }
    (answered, open)
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut stack = Stack::above(Box::new(Nothing));
    let (mut answered, mut open) = (0, 0);
    for seed in 1..1500 {
        let widths: &[u8] = match seed % 4 {
            0 => &[8],
            1 => &[5, 5],
            2 => &[3, 4, 4],
            _ => &[8, 3],
        };
        let (yes, no) = judge_path(&mut stack, seed, widths);
        answered += yes;
        open += no;
    }
    // All of these are about few values.
    assert!(answered > 30 * open, "{answered} answered, {open} left open");
}

#[test]
fn larger_symbols_get_no_wrong_answers() {
    let mut stack = Stack::above(Box::new(Nothing));
    let mut answered = 0;
    for seed in 1..300 {
        answered += judge_path(&mut stack, seed, if seed % 2 == 0 { &[12] } else { &[9, 2] }).0;
    }
    assert!(answered > 0);
}
