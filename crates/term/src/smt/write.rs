//! The writer: one term after the other, operands first.
//!
//! A condition is a `Bool` wherever it can be, and turned into one bit where it is used as a number. Terms that are used more
//! than once or are long become definitions, so nothing nests deeply.

use super::{Session, escape, number, quote};
use crate::{Binary, Node, Table, Term, Terms, Unary};
use std::fmt::Write;

/// Longer expressions are given a name.
const LONGEST_INLINE: usize = 120;
/// So many entries of a table are written in one expression.
const ENTRIES_PER_DEFINITION: usize = 32;

/// How a term is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// Empty: it was computed as a float, and nobody has asked for its bits yet.
    pub(super) text: String,
    pub(super) is_bool: bool,
    /// The same as a float, if it was computed as one.
    pub(super) float: Option<Float>,
}

/// The name of a float that was computed.
#[derive(Clone, Debug)]
pub(super) struct Float {
    pub(super) name: String,
    pub(super) width: u8,
}

impl Written {
    pub(super) fn bits(text: String) -> Written {
        Written { text, is_bool: false, float: None }
    }

    pub(super) fn condition(text: String) -> Written {
        Written { text, is_bool: true, float: None }
    }
}

/// Writes what a session has not written yet.
pub(super) struct Writer<'a> {
    pub(super) terms: &'a Terms,
    pub(super) session: &'a mut Session,
    pub(super) out: &'a mut String,
}

impl Writer<'_> {
    /// Declares a symbol or a function, if the term is one or applies one.
    pub(super) fn declare(&mut self, term: Term) {
        let (name, operands) = match self.terms.node(term) {
            Node::Symbol(symbol) => (quote(self.terms.symbol_name(symbol)), String::new()),
            Node::Apply { arguments, .. } => {
                let widths = self.terms.arguments(arguments).iter().map(|&a| self.terms.width_of(a));
                let sorts: Vec<String> = widths.map(|width| format!("(_ BitVec {width})")).collect();
                (self.function(term), sorts.join(" "))
            }
            _ => return,
        };
        if self.session.declared.insert(name.clone()) {
            let width = self.terms.width_of(term);
            let _ = writeln!(self.out, "(declare-fun {name} ({operands}) (_ BitVec {width}))");
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
    pub(super) fn add(&mut self, term: Term) {
        let width = self.terms.width_of(term);
        let mut written = self.expression(term, width);
        let is_leaf = matches!(self.terms.node(term), Node::Const { .. } | Node::Symbol(_));
        let is_long = written.text.len() > LONGEST_INLINE;
        if !is_leaf && written.float.is_none() && (is_long || self.session.uses[term.index()] > 1) {
            let sort = if written.is_bool { "Bool".to_owned() } else { format!("(_ BitVec {width})") };
            written.text = self.define(&sort, &written.text);
        }
        self.session.written[term.index()] = Some(written);
    }

    fn expression(&mut self, term: Term, width: u8) -> Written {
        let text = match self.terms.node(term) {
            Node::Const { width, bits } => number(width, bits),
            Node::Symbol(symbol) => quote(self.terms.symbol_name(symbol)),
            Node::Unary(op, a) => return self.unary(op, a),
            Node::Binary(op, a, b) => return self.binary(op, a, b),
            Node::Ite(condition, then, otherwise) => {
                let c = self.condition(condition);
                if width == 1 {
                    let (then, otherwise) = (self.condition(then), self.condition(otherwise));
                    return Written::condition(format!("(ite {c} {then} {otherwise})"));
                }
                format!("(ite {c} {} {})", self.bits(then), self.bits(otherwise))
            }
            Node::Extract { low, width, term } => {
                format!("((_ extract {} {low}) {})", low + width - 1, self.bits(term))
            }
            Node::ZeroExtend { term: a, .. } => {
                format!("((_ zero_extend {}) {})", width - self.terms.width_of(a), self.bits(a))
            }
            Node::SignExtend { term: a, .. } => {
                format!("((_ sign_extend {}) {})", width - self.terms.width_of(a), self.bits(a))
            }
            Node::Concat(high, low) => format!("(concat {} {})", self.bits(high), self.bits(low)),
            Node::Lookup { index, table } => self.lookup(index, table),
            Node::Apply { arguments, .. } => {
                let name = self.function(term);
                let terms = self.terms;
                let list: Vec<String> = terms.arguments(arguments).iter().map(|&a| self.bits(a)).collect();
                if list.is_empty() { name } else { format!("({name} {})", list.join(" ")) }
            }
        };
        Written::bits(text)
    }

    pub(super) fn fresh(&mut self) -> String {
        self.session.names += 1;
        format!("|%{}|", self.session.names)
    }

    /// Gives an expression a name.
    pub(super) fn define(&mut self, sort: &str, text: &str) -> String {
        let name = self.fresh();
        let _ = writeln!(self.out, "(define-fun {name} () {sort} {text})");
        name
    }

    /// A term as a bit-vector.
    pub(super) fn bits(&mut self, term: Term) -> String {
        let Some(Written { text, is_bool, float }) = self.session.written(term) else { return String::new() };
        match float {
            Some(_) if text.is_empty() => self.bits_of_computed(term),
            _ if *is_bool => format!("(ite {text} #b1 #b0)"),
            _ => text.clone(),
        }
    }

    /// A term of one bit as a `Bool`.
    fn condition(&self, term: Term) -> String {
        self.session.condition(self.terms, term)
    }

    fn unary(&mut self, op: Unary, a: Term) -> Written {
        let width = self.terms.width_of(a);
        match op {
            Unary::Not if width == 1 => Written::condition(format!("(not {})", self.condition(a))),
            Unary::Not => Written::bits(format!("(bvnot {})", self.bits(a))),
            Unary::Clz | Unary::Ctz | Unary::Popcnt => Written::bits(self.count(op, a)),
            _ => self.float_unary(op, a),
        }
    }

    fn binary(&mut self, op: Binary, a: Term, b: Term) -> Written {
        use Binary::*;
        let is_logic = self.terms.width_of(a) == 1;
        let name = match op {
            Add => "bvadd",
            Sub => "bvsub",
            Mul => "bvmul",
            UDiv => "bvudiv",
            SDiv => "bvsdiv",
            URem => "bvurem",
            SRem => "bvsrem",
            And if is_logic => "and",
            Or if is_logic => "or",
            Xor if is_logic => "xor",
            And => "bvand",
            Or => "bvor",
            Xor => "bvxor",
            Shl => "bvshl",
            LShr => "bvlshr",
            AShr => "bvashr",
            Rotl | Rotr => return Written::bits(self.rotate(op, a, b)),
            Eq => "=",
            Ult => "bvult",
            Ule => "bvule",
            Slt => "bvslt",
            Sle => "bvsle",
            FAdd | FSub | FMul | FDiv | FMin | FMax | FEq | FLt | FLe => return self.float_binary(op, a, b),
        };
        if is_logic && matches!(op, And | Or | Xor | Eq) {
            let (a, b) = (self.condition(a), self.condition(b));
            return Written::condition(format!("({name} {a} {b})"));
        }
        let text = format!("({name} {} {})", self.bits(a), self.bits(b));
        Written { text, is_bool: op.is_comparison(), float: None }
    }

    /// A chain of `ite`, in definitions of a few entries each, the last entries first.
    fn lookup(&mut self, index: Term, table: Table) -> String {
        let width = self.terms.width_of(index);
        let index = self.bits(index);
        let index =
            if index.len() > 20 { self.define(&format!("(_ BitVec {width})"), &index) } else { index };
        let terms = self.terms;
        let value_width = terms.table_width(table);
        let mut rest = number(value_width, 0);
        for entries in terms.table_entries(table).rchunks(ENTRIES_PER_DEFINITION) {
            if rest.len() > LONGEST_INLINE {
                rest = self.define(&format!("(_ BitVec {value_width})"), &rest);
            }
            let mut text = String::new();
            for &(key, value) in entries {
                let _ = write!(text, "(ite (= {index} {}) {} ", number(width, key), self.bits(value));
            }
            rest = text + &rest + &")".repeat(entries.len());
        }
        rest
    }
}
