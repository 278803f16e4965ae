//! Terms as SMT-LIB 2, standard theories only: bit-vectors, functions, floats.
//!
//! One writer serves whole scripts ([`script`]) and sessions with a solver that is asked again and again ([`Session`]): the
//! second is the first in pieces. Names of ours have a `%` that is no escape, so none of the user's can be the same.

mod counts;
mod float;
mod session;
mod write;

pub use session::Session;

use crate::{Binary, Node, Term, Terms, Unary};
use std::fmt::Write;

/// A script with the declarations that the conditions need, and each condition asserted. It does not end with `(check-sat)`:
/// that, and what else to ask, is the caller's.
pub fn script(terms: &Terms, assertions: &[Term]) -> String {
    let order = terms.post_order(assertions);
    let mut out = format!("(set-logic {})\n", logic(terms, &order));
    let mut session = Session::new();
    session.write(terms, &order, &mut out);
    for condition in order.iter().filter_map(|&term| session.side_condition(term)) {
        let _ = writeln!(out, "(assert {condition})");
    }
    for &assertion in assertions {
        let _ = writeln!(out, "(assert {})", session.condition(terms, assertion));
    }
    out
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
