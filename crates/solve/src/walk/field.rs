//! The walk's variables: fields of the input. A field is one symbol or several side by side, as a load of several bytes
//! makes them, and a number of the kind that its uses show.
//!
//! A byte may be in several fields. Fields are views: the values are the symbols', and what is written to one field is read in the others.

use crate::{Budget, Looks, Spent};
use coax_term::{Binary, Node, Symbol, Term, Terms, Unary, fold, mask};

/// What the bits of a field mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Float,
    Signed,
    Unsigned,
}

/// Symbols side by side that are one number.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// The variables' numbers with their widths, the lowest bits first.
    parts: Vec<(usize, u8)>,
    /// The term that it is, if there is one: it may be used only with some bits changed, as a float without its sign.
    pub(super) term: Option<Term>,
    pub(super) width: u8,
    pub(super) kind: Kind,
}

impl Field {
    /// The bits of the field.
    pub(super) fn read(&self, values: &[u64]) -> u64 {
        let mut shift = 0;
        let mut bits = 0;
        for &(variable, width) in &self.parts {
            bits |= (values[variable] & mask(width)) << shift;
            shift += u32::from(width);
        }
        bits
    }

    /// Gives the field bits.
    pub(super) fn write(&self, values: &mut [u64], mut bits: u64) {
        for &(variable, width) in &self.parts {
            values[variable] = bits & mask(width);
            bits = bits.checked_shr(u32::from(width)).unwrap_or(0);
        }
    }

    /// The variables that it consists of.
    pub(super) fn variables(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().map(|part| part.0)
    }

    /// The bits as a number.
    pub(super) fn number(&self, bits: u64) -> f64 {
        match self.kind {
            Kind::Float if self.width == 32 => f64::from(f32::from_bits(bits as u32)),
            Kind::Float => f64::from_bits(bits),
            Kind::Signed => fold::signed(self.width, bits) as f64,
            Kind::Unsigned => bits as f64,
        }
    }

    /// The nearest bits to a number; integers wrap.
    pub(super) fn bits(&self, number: f64) -> u64 {
        match self.kind {
            Kind::Float if self.width == 32 => u64::from((number as f32).to_bits()),
            Kind::Float => number.to_bits(),
            // Twice the range, so that both kinds of integers wrap instead of stopping at their ends.
            Kind::Signed | Kind::Unsigned => number.round() as i128 as u64 & mask(self.width),
        }
    }
}

/// The fields of some terms, over variables. Every variable is in at least one.
pub(super) fn find(
    terms: &Terms,
    order: &[Term],
    variables: &[Symbol],
    budget: &Budget,
) -> Result<Vec<Field>, Spent> {
    let mut looks = Looks::default();
    let mut position = vec![None; variables.iter().map(|s| s.index() + 1).max().unwrap_or(0)];
    for (number, symbol) in variables.iter().enumerate() {
        position[symbol.index()] = Some(number);
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for &term in order {
        looks.look(budget)?;
        if let Some((symbols, is_exact)) = symbols_side_by_side(terms, term) {
            let parts = symbols.into_iter().filter_map(|symbol| position[symbol.index()]).collect();
            candidates.push(Candidate { parts, term, is_exact });
        }
    }
    let kinds = kinds(terms, order, budget)?;
    candidates.sort_by_key(|candidate| (std::cmp::Reverse(candidate.parts.len()), !candidate.is_exact));
    let mut chosen: Vec<Field> = Vec::new();
    // By variable, the fields with it.
    let mut with: Vec<Vec<usize>> = vec![Vec::new(); variables.len()];
    for Candidate { parts, term, is_exact } in candidates {
        looks.look(budget)?;
        let kind = kinds[term.index()];
        let is_in = |field: &usize| {
            let known: Vec<usize> = chosen[*field].variables().collect();
            known.windows(parts.len()).any(|some| some == parts)
        };
        if let Some(field) = with[parts[0]].iter().copied().find(is_in) {
            let field = &mut chosen[field];
            if field.parts.len() == parts.len() && field.kind == Kind::Unsigned {
                field.kind = kind;
            }
            continue;
        }
        parts.iter().for_each(|&variable| with[variable].push(chosen.len()));
        let parts: Vec<(usize, u8)> =
            parts.into_iter().map(|variable| (variable, terms.symbol_width(variables[variable]))).collect();
        let width = parts.iter().map(|part| part.1).sum();
        chosen.push(Field { parts, term: is_exact.then_some(term), width, kind });
    }
    chosen.sort_by_key(|field| field.variables().min());
    Ok(chosen)
}

/// Variables that may be a field.
struct Candidate {
    parts: Vec<usize>,
    term: Term,
    /// Whether the term is nothing but these.
    is_exact: bool,
}

/// The symbols of a term that is different symbols side by side, the lowest first, and whether it is nothing else: some of their bits may
/// be changed, or be zeros.
fn symbols_side_by_side(terms: &Terms, term: Term) -> Option<(Vec<Symbol>, bool)> {
    use Node::{Concat, Extract, ZeroExtend};
    // Most terms are none at first sight.
    if !matches!(terms.node(term), Node::Symbol(_) | Concat(..) | ZeroExtend { .. } | Extract { low: 0, .. })
    {
        return None;
    }
    let mut symbols = Vec::new();
    let mut width = 0;
    let mut is_exact = true;
    let mut stack = vec![term];
    while let Some(top) = stack.pop() {
        match terms.node(top) {
            Node::Symbol(symbol) if !symbols.contains(&symbol) => {
                width += u32::from(terms.symbol_width(symbol));
                symbols.push(symbol);
            }
            Node::Concat(high, low) => stack.extend([high, low]),
            Node::Binary(Binary::And | Binary::Or | Binary::Xor, a, b)
                if top != term && terms.as_constant(b).is_some() =>
            {
                is_exact = false;
                stack.push(a);
            }
            Node::ZeroExtend { term: inner, .. } | Node::Extract { low: 0, term: inner, .. } => {
                is_exact = false;
                stack.push(inner);
            }
            Node::Const { .. } => is_exact = false,
            _ => return None,
        }
    }
    (!symbols.is_empty() && width == u32::from(terms.width_of(term))).then_some((symbols, is_exact))
}

/// What the uses of each term say of its kind; unsigned if nothing.
fn kinds(terms: &Terms, order: &[Term], budget: &Budget) -> Result<Vec<Kind>, Spent> {
    let mut looks = Looks::default();
    let mut kinds = vec![Kind::Unsigned; order.iter().map(|term| term.index() + 1).max().unwrap_or(0)];
    let mut mark = |term: Term, kind: Kind| {
        let known = &mut kinds[term.index()];
        if *known == Kind::Unsigned || kind == Kind::Float {
            *known = kind;
        }
    };
    for &term in order.iter().rev() {
        looks.look(budget)?;
        match terms.node(term) {
            Node::Unary(op, a) => match op {
                Unary::SignedToF32 | Unary::SignedToF64 => mark(a, Kind::Signed),
                Unary::Not | Unary::Clz | Unary::Ctz | Unary::Popcnt => {}
                Unary::UnsignedToF32 | Unary::UnsignedToF64 => {}
                _ => mark(a, Kind::Float),
            },
            Node::Binary(op, a, b) => {
                use Binary::*;
                match op {
                    FAdd | FSub | FMul | FDiv | FMin | FMax | FEq | FLt | FLe => {
                        mark(a, Kind::Float);
                        mark(b, Kind::Float);
                    }
                    Slt | Sle | SDiv | SRem | AShr => {
                        mark(a, Kind::Signed);
                        mark(b, Kind::Signed);
                    }
                    _ => {}
                }
            }
            Node::SignExtend { term, .. } => mark(term, Kind::Signed),
            // A 64-bit argument of an unknown function that only gives floats is most likely one.
            Node::Apply { arguments, .. } => {
                terms.arguments(arguments).iter().for_each(|&a| {
                    if matches!(terms.width_of(a), 32 | 64) {
                        mark(a, Kind::Float);
                    }
                });
            }
            _ => {}
        }
    }
    spread(terms, order, &mut kinds, budget)?;
    Ok(kinds)
}

/// A choice, and what only moves bits, has the kind of what it is used for.
fn spread(terms: &Terms, order: &[Term], kinds: &mut [Kind], budget: &Budget) -> Result<(), Spent> {
    let mut looks = Looks::default();
    for &term in order.iter().rev() {
        looks.look(budget)?;
        let kind = kinds[term.index()];
        if kind == Kind::Unsigned {
            continue;
        }
        let give = |to: Term, kinds: &mut [Kind]| {
            if kinds[to.index()] == Kind::Unsigned {
                kinds[to.index()] = kind;
            }
        };
        match terms.node(term) {
            Node::Ite(_, a, b) => {
                give(a, kinds);
                give(b, kinds);
            }
            // The sign of a float taken away or turned.
            Node::Binary(Binary::And | Binary::Or | Binary::Xor, a, b) if kind == Kind::Float => {
                give(a, kinds);
                give(b, kinds);
            }
            Node::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b) if kind == Kind::Signed => {
                give(a, kinds);
                give(b, kinds);
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(texts: &[&str]) -> (Terms, Vec<Field>, Vec<Symbol>) {
        let mut terms = Terms::new();
        let roots: Vec<Term> = texts.iter().map(|text| terms.parse(text).expect("a condition")).collect();
        let variables: Vec<Symbol> = terms.symbols().collect();
        let order = terms.post_order(&roots);
        let found = find(&terms, &order, &variables, &Budget::unlimited()).expect("time enough");
        (terms, found, variables)
    }

    #[test]
    fn bytes_side_by_side_are_one_field_of_the_kind_that_its_use_shows() {
        let word = "(concat d:8 (concat c:8 (concat b:8 a:8)))";
        let (_, found, _) =
            fields(&[&format!("(flt {word} 1065353216:32)"), "(slt e:16 5:16)", "(ult f:8 g:8)"]);
        let kinds: Vec<(u8, Kind)> = found.iter().map(|field| (field.width, field.kind)).collect();
        assert_eq!(kinds, [(32, Kind::Float), (16, Kind::Signed), (8, Kind::Unsigned), (8, Kind::Unsigned)]);
    }

    #[test]
    fn fields_that_share_bytes_read_what_the_other_wrote() {
        let (_, found, variables) =
            fields(&["(ult (concat c:8 (concat b:8 a:8)) 5:24)", "(ult (concat d:8 (concat c b)) 7:24)"]);
        assert_eq!(found.len(), 2);
        let mut values = vec![0; variables.len()];
        found[0].write(&mut values, 0x33_2211);
        assert_eq!(found[0].read(&values), 0x33_2211);
        assert_eq!(found[1].read(&values), 0x33_22);
        found[1].write(&mut values, 0x66_5544);
        assert_eq!(found[0].read(&values), 0x55_4411);
    }

    #[test]
    fn a_float_whose_sign_is_taken_away_is_still_a_float() {
        let word = "(concat (concat d:8 c:8) (concat b:8 a:8))";
        let (terms, found, _) = fields(&[&format!("(flt (and {word} 2147483647:32) 1065353216:32)")]);
        assert_eq!((found.len(), found[0].width, found[0].kind), (1, 32, Kind::Float), "{}", terms.len());
    }

    #[test]
    fn a_part_of_a_field_is_no_field_of_its_own() {
        let (_, found, _) =
            fields(&["(ult (concat c:8 (concat b:8 a:8)) 5:24)", "(ult (concat b a) 7:16)", "(ult b 3:8)"]);
        assert_eq!(found.len(), 1);
    }
}
