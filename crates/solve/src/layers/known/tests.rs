//! What is handed on holds exactly where the question does: on random paths, by trying all values.

use super::Known;
use super::facts::{Bits, consequences};
use super::masks::Masks;
use super::reasons::Reasons;
use super::rewriter::Rewriter;
use crate::problems::queries::{RandomPath, Theory};
use crate::random::Random;
use crate::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Algebra, Binary, Evaluator, Model, Term, Terms, mask};
use std::sync::{Arc, Mutex};

/// The conditions of the last question that came.
#[derive(Clone, Default)]
struct Last(Arc<Mutex<Option<Vec<Term>>>>);

impl Layer for Last {
    fn solve(&mut self, _: &mut Terms, query: &Query<'_>, _: &mut Budget) -> Answer {
        *self.0.lock().unwrap() = Some(query.conditions().collect());
        Answer::Unknown(Reason::NotFound("nobody"))
    }
}

/// At which of all values all conditions hold.
fn solutions(path: &RandomPath, conditions: &[Term]) -> Vec<bool> {
    let tables: Vec<Vec<u64>> = conditions.iter().map(|&condition| table(path, condition)).collect();
    (0..tables[0].len()).map(|point| tables.iter().all(|table| table[point] == 1)).collect()
}

/// Something that says a lot: how a term that there is compares with a constant, for the values of the hint.
fn comparison(path: &mut RandomPath, random: &mut Random) -> Term {
    let term = path.terms.term_at(random.below(path.terms.len()));
    let width = path.terms.width_of(term);
    let value = path.terms.eval(term, &path.hint);
    let near = value.wrapping_add(random.below(5) as u64).wrapping_sub(2) & mask(width);
    let constant = path.terms.constant(width, if random.one_in(3) { value } else { near });
    let op = random.one_of(&[Binary::Eq, Binary::Ult, Binary::Ule, Binary::Slt, Binary::Sle]);
    let (a, b) = if random.one_in(2) { (term, constant) } else { (constant, term) };
    let condition = path.terms.binary(op, a, b);
    if path.terms.eval(condition, &path.hint) == 1 { condition } else { path.terms.not(condition) }
}

#[test]
fn what_is_handed_on_holds_where_the_question_does() {
    let last = Last::default();
    let mut known = Known::new(Box::new(last.clone()));
    let (mut proved, mut smaller) = (0, 0);
    for seed in 1..1000 {
        let theory = if seed % 5 == 0 { Theory::Floats } else { Theory::BitVectors };
        let mut path = RandomPath::new(theory, seed, if seed % 2 == 0 { &[4, 4, 2] } else { &[3, 1, 5] });
        let mut random = Random::new(seed);
        for _ in 0..8 {
            let goal = path.goal(3);
            if random.one_in(2) {
                let comparison = comparison(&mut path, &mut random);
                path.assumptions.push(comparison);
            }
            let query = Query { assumptions: &path.assumptions, goal, hint: &path.hint };
            let asked: Vec<Term> = query.conditions().collect();
            *last.0.lock().unwrap() = None;
            let answer = known.solve(&mut path.terms, &query, &mut Budget::unlimited());
            if let Answer::Unsat(mut core) = answer {
                proved += 1;
                assert!(core.iter().all(|term| path.assumptions.contains(term)), "seed {seed}");
                core.push(goal);
                assert!(!solutions(&path, &core).contains(&true), "seed {seed}: wrongly unsatisfiable");
            } else {
                let left = last.0.lock().unwrap().take().expect("someone is asked");
                smaller += usize::from(left != asked);
                assert_eq!(solutions(&path, &left), solutions(&path, &asked), "seed {seed}");
            }
            path.go_on(goal);
        }
    }
    assert!(proved > 500 && smaller > 1000, "{proved} proved, {smaller} made smaller");
}

/// The values of a term at all values of the symbols.
fn table(path: &RandomPath, term: Term) -> Vec<u64> {
    let symbols = path.symbols();
    let mut evaluator = Evaluator::new();
    let widths: Vec<u8> = symbols.iter().map(|&symbol| path.terms.symbol_width(symbol)).collect();
    let at = |mut point: u64| {
        let mut model = Model::new();
        for (&symbol, &width) in symbols.iter().zip(&widths) {
            model.set(symbol, point & mask(width));
            point >>= width;
        }
        evaluator.reset();
        evaluator.eval(&path.terms, &model, term)
    };
    (0..1 << widths.iter().sum::<u8>()).map(at).collect()
}

/// A path over few values whose arena has random terms.
fn some_terms(seed: u64) -> (RandomPath, Random) {
    let mut path = RandomPath::new(Theory::BitVectors, seed, &[4, 3]);
    for _ in 0..4 {
        path.goal(4);
    }
    (path, Random::new(seed))
}

/// Bits that a term has at some values: all, the lowest, or any.
fn bits_of(random: &mut Random, width: u8, values: &[u64]) -> Bits {
    let some = match random.below(4) {
        0 => mask(width),
        1 => random.next() & random.next(),
        2 => mask(random.below(usize::from(width)) as u8 + 1) | random.next() & random.next(),
        _ => random.next(),
    };
    Bits::some(some & mask(width), values[random.below(values.len())])
}

#[test]
fn consequences_hold_wherever_the_bits_are_so() {
    let mut count = 0;
    for seed in 1..400 {
        let (mut path, mut random) = some_terms(seed);
        for index in 0..path.terms.len() {
            let term = path.terms.term_at(index);
            let values = table(&path, term);
            let bits = bits_of(&mut random, path.terms.width_of(term), &values);
            if bits.mask == 0 {
                continue;
            }
            let mut found = Vec::new();
            consequences(&mut path.terms, term, bits, &mut |other, bits| found.push((other, bits)));
            for (other, implied) in found {
                let others = table(&path, other);
                let is_so = |bits: Bits, value: u64| (value ^ bits.value) & bits.mask == 0;
                let is_wrong =
                    values.iter().zip(&others).any(|(&v, &o)| is_so(bits, v) && !is_so(implied, o));
                assert!(!is_wrong, "seed {seed}: {} {bits:?} {implied:?}", path.terms.display(term));
                count += usize::from(implied.mask != 0);
            }
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn terms_made_simpler_are_the_same_wherever_the_facts_hold() {
    let mut changed = 0;
    for seed in 1..400 {
        let (mut path, mut random) = some_terms(seed);
        let (mut masks, mut reasons) = (Masks::default(), Reasons::default());
        let mut rewriter = Rewriter::default();
        let mut holds = [true; 128];
        let place = random.below(holds.len());
        for number in 0..24 {
            let term = path.terms.term_at(random.below(path.terms.len()));
            let (values, width) = (table(&path, term), path.terms.width_of(term));
            // Facts that hold together somewhere.
            let bits = bits_of(&mut random, width, &values[place..=place]);
            let reason = reasons.assumption(number);
            if path.terms.as_constant(term).is_none() {
                if bits.mask == mask(width) {
                    let constant = path.terms.constant(width, bits.value);
                    rewriter.add_fact(&path.terms, &mut masks, term, constant, reason);
                } else {
                    rewriter.add_bits(&path.terms, &mut masks, term, bits, reason);
                }
                for (holds, value) in holds.iter_mut().zip(&values) {
                    *holds &= (value ^ bits.value) & bits.mask == 0;
                }
            }
            let root = path.terms.term_at(random.below(path.terms.len()));
            let (same, _) =
                rewriter.rewrite(&mut path.terms, &mut masks, &mut reasons, root, &Budget::unlimited());
            changed += usize::from(same != root);
            let (old, new) = (table(&path, root), table(&path, same));
            for point in (0..holds.len()).filter(|&point| holds[point]) {
                assert_eq!(old[point], new[point], "seed {seed}: {}", path.terms.display(root));
            }
        }
    }
    assert!(changed > 500, "{changed}");
}
