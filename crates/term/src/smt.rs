//! Terms as SMT-LIB 2, standard theories only: bit-vectors, functions, floats.
//!
//! A condition is a `Bool` wherever it can be, and turned into one bit where it is used as a number. Terms that are used more
//! than once or are long become definitions, in post order, so nothing nests deeply. SMT-LIB has no function from floats
//! to bits: the bits of a computed float are a new constant, and an assertion says which (see `smt/float.rs`).
//!
//! Names of ours have a `%` that is no escape, so none of the user's can be the same.

mod counts;
mod float;

use crate::{Binary, Node, Table, Term, Terms, Unary};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Longer expressions are given a name.
const LONGEST_INLINE: usize = 120;

/// A script with the declarations that the conditions need, and each condition asserted. It does not end with `(check-sat)`:
/// that, and what else to ask, is the caller's.
pub fn script(terms: &Terms, assertions: &[Term]) -> String {
    let order = terms.post_order(assertions);
    let mut writer = Writer::new(terms, &order);
    let _ = writeln!(writer.out, "(set-logic {})", logic(terms, &order));
    writer.declare(&order);
    for &term in &order {
        writer.add(term);
    }
    for &assertion in assertions {
        let condition = writer.condition(assertion);
        let _ = writeln!(writer.out, "(assert {condition})");
    }
    writer.out
}

/// The name of a symbol in a script: in bars, with `|`, `\` and `%` written as `%7c`, `%5c`, `%25`.
pub fn quote(name: &str) -> String {
    format!("|{}|", escape(name))
}

/// The symbol that a name in a script or in a solver's answer stands for, with bars or without; none if it is one of
/// the script's own names.
pub fn unquote(name: &str) -> Option<String> {
    let inner = name.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(name);
    let mut pieces = inner.split('%');
    let mut plain = pieces.next()?.to_owned();
    for piece in pieces {
        let code = piece.get(..2)?;
        plain.push(match code {
            "7c" => '|',
            "5c" => '\\',
            "25" => '%',
            _ => return None,
        });
        plain.push_str(&piece[2..]);
    }
    Some(plain)
}

fn escape(name: &str) -> String {
    name.replace('%', "%25").replace('|', "%7c").replace('\\', "%5c")
}

fn logic(terms: &Terms, order: &[Term]) -> &'static str {
    let is_float = |node| match node {
        Node::Unary(op, _) => op >= Unary::FSqrt,
        Node::Binary(op, ..) => op >= Binary::FAdd,
        _ => false,
    };
    let has_floats = order.iter().any(|&term| is_float(terms.node(term)));
    let has_functions = order.iter().any(|&term| matches!(terms.node(term), Node::Apply { .. }));
    match (has_functions, has_floats) {
        (false, false) => "QF_BV",
        (true, false) => "QF_UFBV",
        (false, true) => "QF_BVFP",
        (true, true) => "QF_UFBVFP",
    }
}

/// A constant.
fn number(width: u8, bits: u64) -> String {
    if width.is_multiple_of(4) {
        format!("#x{bits:0digits$x}", digits = usize::from(width) / 4)
    } else {
        format!("#b{bits:0digits$b}", digits = usize::from(width))
    }
}

/// How a term is written.
#[derive(Clone, Debug, Default)]
struct Written {
    text: String,
    is_bool: bool,
    /// The same as a float, if it was computed as one.
    float: Option<String>,
}

struct Writer<'a> {
    terms: &'a Terms,
    out: String,
    written: Vec<Written>,
    uses: Vec<u32>,
    names: usize,
}

impl<'a> Writer<'a> {
    fn new(terms: &'a Terms, order: &[Term]) -> Writer<'a> {
        let size = order.iter().map(|term| term.index() + 1).max().unwrap_or(0);
        let mut uses = vec![0; size];
        for &term in order {
            terms.operands(terms.node(term), |operand| uses[operand.index()] += 1);
        }
        Writer { terms, out: String::new(), written: vec![Written::default(); size], uses, names: 0 }
    }

    fn declare(&mut self, order: &[Term]) {
        let mut declared = BTreeSet::new();
        for &term in order {
            let (name, operands) = match self.terms.node(term) {
                Node::Symbol(symbol) => (quote(self.terms.symbol_name(symbol)), String::new()),
                Node::Apply { arguments, .. } => {
                    let widths = self.terms.arguments(arguments).iter().map(|&a| self.terms.width_of(a));
                    let sorts: Vec<String> = widths.map(|width| format!("(_ BitVec {width})")).collect();
                    (self.function(term), sorts.join(" "))
                }
                _ => continue,
            };
            if declared.insert(name.clone()) {
                let width = self.terms.width_of(term);
                let _ = writeln!(self.out, "(declare-fun {name} ({operands}) (_ BitVec {width}))");
            }
        }
    }

    /// The name of the function that is applied: one for each list of widths, as functions have one signature.
    fn function(&self, application: Term) -> String {
        let Node::Apply { function, arguments } = self.terms.node(application) else { return String::new() };
        let widths = self.terms.arguments(arguments).iter().map(|&a| self.terms.width_of(a).to_string());
        let widths: Vec<String> = widths.collect();
        format!("|{}%({})|", escape(self.terms.function_name(function)), widths.join(","))
    }

    /// Writes a term whose operands are written.
    fn add(&mut self, term: Term) {
        let width = self.terms.width_of(term);
        let (mut text, is_bool, float) = match self.terms.node(term) {
            Node::Const { width, bits } => (number(width, bits), false, None),
            Node::Symbol(symbol) => (quote(self.terms.symbol_name(symbol)), false, None),
            Node::Unary(op, a) => self.unary(op, a),
            Node::Binary(op, a, b) => self.binary(op, a, b),
            Node::Ite(condition, then, otherwise) => {
                let c = self.condition(condition);
                match width {
                    1 => (
                        format!("(ite {c} {} {})", self.condition(then), self.condition(otherwise)),
                        true,
                        None,
                    ),
                    _ => (format!("(ite {c} {} {})", self.bits(then), self.bits(otherwise)), false, None),
                }
            }
            Node::Extract { low, width, term } => {
                (format!("((_ extract {} {low}) {})", low + width - 1, self.bits(term)), false, None)
            }
            Node::ZeroExtend { term: a, .. } => (
                format!("((_ zero_extend {}) {})", width - self.terms.width_of(a), self.bits(a)),
                false,
                None,
            ),
            Node::SignExtend { term: a, .. } => (
                format!("((_ sign_extend {}) {})", width - self.terms.width_of(a), self.bits(a)),
                false,
                None,
            ),
            Node::Concat(high, low) => {
                (format!("(concat {} {})", self.bits(high), self.bits(low)), false, None)
            }
            Node::Lookup { index, table } => (self.lookup(index, table), false, None),
            Node::Apply { arguments, .. } => {
                let name = self.function(term);
                let list: Vec<String> =
                    self.terms.arguments(arguments).iter().map(|&a| self.bits(a)).collect();
                (if list.is_empty() { name } else { format!("({name} {})", list.join(" ")) }, false, None)
            }
        };
        let is_leaf = matches!(self.terms.node(term), Node::Const { .. } | Node::Symbol(_));
        if !is_leaf && float.is_none() && (self.uses[term.index()] > 1 || text.len() > LONGEST_INLINE) {
            let sort = if is_bool { "Bool".to_owned() } else { format!("(_ BitVec {width})") };
            text = self.define(&sort, &text);
        }
        self.written[term.index()] = Written { text, is_bool, float };
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("|%{}|", self.names)
    }

    /// Gives an expression a name.
    fn define(&mut self, sort: &str, text: &str) -> String {
        let name = self.fresh();
        let _ = writeln!(self.out, "(define-fun {name} () {sort} {text})");
        name
    }

    /// A term as a bit-vector.
    fn bits(&self, term: Term) -> String {
        let Written { text, is_bool, .. } = &self.written[term.index()];
        if *is_bool { format!("(ite {text} #b1 #b0)") } else { text.clone() }
    }

    /// A term of one bit as a `Bool`.
    fn condition(&self, term: Term) -> String {
        let Written { text, is_bool, .. } = &self.written[term.index()];
        match self.terms.as_constant(term) {
            Some(bit) => (bit == 1).to_string(),
            None if *is_bool => text.clone(),
            None => format!("(= {text} #b1)"),
        }
    }

    fn unary(&mut self, op: Unary, a: Term) -> (String, bool, Option<String>) {
        let width = self.terms.width_of(a);
        match op {
            Unary::Not if width == 1 => (format!("(not {})", self.condition(a)), true, None),
            Unary::Not => (format!("(bvnot {})", self.bits(a)), false, None),
            Unary::Clz | Unary::Ctz | Unary::Popcnt => (self.count(op, a), false, None),
            _ => self.float_unary(op, a),
        }
    }

    fn binary(&mut self, op: Binary, a: Term, b: Term) -> (String, bool, Option<String>) {
        use Binary::*;
        let is_logic = self.terms.width_of(a) == 1;
        let (name, is_bool) = match op {
            Add => ("bvadd", false),
            Sub => ("bvsub", false),
            Mul => ("bvmul", false),
            UDiv => ("bvudiv", false),
            SDiv => ("bvsdiv", false),
            URem => ("bvurem", false),
            SRem => ("bvsrem", false),
            And if is_logic => ("and", true),
            Or if is_logic => ("or", true),
            Xor if is_logic => ("xor", true),
            And => ("bvand", false),
            Or => ("bvor", false),
            Xor => ("bvxor", false),
            Shl => ("bvshl", false),
            LShr => ("bvlshr", false),
            AShr => ("bvashr", false),
            Rotl | Rotr => return (self.rotate(op, a, b), false, None),
            Eq => ("=", true),
            Ult => ("bvult", true),
            Ule => ("bvule", true),
            Slt => ("bvslt", true),
            Sle => ("bvsle", true),
            FAdd | FSub | FMul | FDiv | FMin | FMax | FEq | FLt | FLe => return self.float_binary(op, a, b),
        };
        if is_logic && matches!(op, And | Or | Xor | Eq) {
            return (format!("({name} {} {})", self.condition(a), self.condition(b)), true, None);
        }
        (format!("({name} {} {})", self.bits(a), self.bits(b)), is_bool, None)
    }

    fn lookup(&mut self, index: Term, table: Table) -> String {
        let width = self.terms.width_of(index);
        let index = self.bits(index);
        let index =
            if index.len() > 20 { self.define(&format!("(_ BitVec {width})"), &index) } else { index };
        let entries = self.terms.table_entries(table);
        let mut text = String::new();
        for &(key, value) in entries {
            let _ = write!(text, "(ite (= {index} {}) {} ", number(width, key), self.bits(value));
        }
        text + &number(self.terms.table_width(table), 0) + &")".repeat(entries.len())
    }
}
