//! What a program compares with: the numbers in its code and the text in its data.

use coax_program::{Func, Program};
use std::collections::BTreeSet;
use wasmparser::{Operator, Parser, Payload};

/// How long the text of a word is.
const TEXT: std::ops::RangeInclusive<usize> = 2..=24;
/// The most words.
const MOST: usize = 4096;

/// The words of a program's functions that are in scope, and of its data.
pub(crate) fn dictionary(program: &Program, in_scope: impl Fn(Func) -> bool) -> Vec<Vec<u8>> {
    let mut words = BTreeSet::new();
    let imported = program.functions.values().filter(|function| function.defined().is_none()).count() as u32;
    let mut next = imported;
    for payload in Parser::new(0).parse_all(&program.wasm) {
        if let Ok(Payload::CodeSectionEntry(body)) = payload {
            if in_scope(Func(next)) {
                numbers(&body, &mut words);
            }
            next += 1;
        }
    }
    for segment in &program.data {
        texts(program.data_bytes(segment), &mut words);
    }
    words.into_iter().take(MOST).collect()
}

/// Numbers that are compared with something.
fn numbers(body: &wasmparser::FunctionBody<'_>, words: &mut BTreeSet<Vec<u8>>) {
    let Ok(operators) = body.get_operators_reader() else { return };
    let mut last = None;
    for operator in operators.into_iter().flatten() {
        let number = match operator {
            Operator::I32Const { value } => Some(i64::from(value)),
            Operator::I64Const { value } => Some(value),
            _ => None,
        };
        let compares = matches!(
            operator,
            Operator::I32Eq
                | Operator::I32Ne
                | Operator::I64Eq
                | Operator::I64Ne
                | Operator::I32LtS
                | Operator::I32LtU
                | Operator::I32GtS
                | Operator::I32GtU
                | Operator::I32LeS
                | Operator::I32LeU
                | Operator::I32GeS
                | Operator::I32GeU
                | Operator::I64LtS
                | Operator::I64LtU
                | Operator::I64GtS
                | Operator::I64GtU
        );
        if let (true, Some(value)) = (compares, last) {
            word_of(value, words);
        }
        last = number;
    }
}

/// The bytes of a number, as few as it needs, in both orders.
fn word_of(value: i64, words: &mut BTreeSet<Vec<u8>>) {
    let bytes = value.to_le_bytes();
    let width = match value {
        -128..=255 => 1,
        -32_768..=65_535 => 2,
        -0x8000_0000..=0xffff_ffff => 4,
        _ => 8,
    };
    let word = bytes[..width].to_vec();
    words.insert(word.iter().rev().copied().collect());
    words.insert(word);
}

/// Printable text that ends with a zero or is alone.
fn texts(data: &[u8], words: &mut BTreeSet<Vec<u8>>) {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    for part in data.split(|byte| !is_text(byte)).filter(|part| TEXT.contains(&part.len())) {
        words.insert(part.to_vec());
    }
}
