//! Terms as text and back.

mod support;

use coax_term::{Algebra, Binary, Term, Terms};
use support::{Expr, Random, Shape};

#[test]
fn what_is_written_is_read() {
    let mut random = Random(4);
    let shape = Shape { symbols: &[8, 32, 64, 1], widest: 64 };
    let mut shared = 0;
    for round in 0..5_000 {
        let width = random.pick(&[1, 8, 32, 64]);
        let depth = 3 + round % 5;
        let expr = Expr::random(&mut random, &shape, width, depth);
        let mut terms = Terms::new();
        let term = expr.build(&mut terms);
        let text = terms.display(term).to_string();
        shared += u32::from(text.starts_with("(let"));
        assert_eq!(terms.parse(&text), Ok(term), "{text}");
        // In an arena that knows the symbols only.
        let mut other = Terms::new();
        for symbol in terms.symbols() {
            other.symbol(terms.symbol_name(symbol), terms.symbol_width(symbol));
        }
        let read = other.parse(&text).unwrap();
        assert!(other.same(read, &terms, term), "{text}");
    }
    assert!(shared > 100, "only {shared} terms had something to share");
}

#[test]
fn the_form() {
    let t = &mut Terms::new();
    let x = t.symbol("in[0]", 32);
    let one = t.constant(32, 1);
    let sum = t.binary(Binary::Add, x, one);
    assert_eq!(t.display(sum).to_string(), "(add in[0] 1:32)");
    let odd = t.symbol("a \"name\" (1):2\\", 8);
    let low = t.extract(x, 0, 8);
    let f = t.function("f", 16);
    let applied = t.apply(f, &[odd, low]);
    let text = t.display(applied).to_string();
    assert_eq!(text, r#"(apply f:16 "a \"name\" (1):2\\" (extract 0 8 in[0]))"#);
    assert_eq!(t.parse(&text), Ok(applied));
    let table = t.table(vec![(3, odd), (70_000, low)]);
    let found = t.lookup(sum, table);
    let text = t.display(found).to_string();
    assert_eq!(text, r#"(lookup (add in[0] 1:32) (3 "a \"name\" (1):2\\") (70000 (extract 0 8 in[0])))"#);
    assert_eq!(t.parse(&text), Ok(found));
    assert!(Terms::new().parse("(eq x:8 (zext 8 0x3:2))").is_ok());
}

#[test]
fn sharing_keeps_text_short() {
    let t = &mut Terms::new();
    let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
    let mut term = t.binary(Binary::Mul, x, y);
    for _ in 0..60 {
        let quotient = t.binary(Binary::UDiv, term, y);
        term = t.binary(Binary::Mul, quotient, term);
    }
    let text = t.display(term).to_string();
    assert!(text.len() < 4000, "{} characters", text.len());
    assert_eq!(t.parse(&text), Ok(term));
}

/// Writes terms with shared definitions and reads them into another arena.
fn written_and_read(terms: &Terms, roots: &[Term]) -> (String, Terms, Vec<Term>) {
    let mut shared = terms.share(roots);
    let mut text = String::new();
    let mut other = Terms::new();
    for symbol in terms.symbols() {
        other.symbol(terms.symbol_name(symbol), terms.symbol_width(symbol));
    }
    let mut parser = other.parser();
    let mut read = Vec::new();
    for &root in roots {
        for definition in shared.definitions(root) {
            parser.define(&definition).unwrap_or_else(|error| panic!("{definition}: {error}"));
            text += &(definition + "\n");
        }
        let line = shared.text(root);
        read.push(parser.term(&line).unwrap_or_else(|error| panic!("{line}: {error}")));
        text += &(line + "\n");
    }
    (text, other, read)
}

#[test]
fn what_several_terms_share_is_written_once() {
    let mut random = Random(6);
    let shape = Shape { symbols: &[8, 32, 64, 1], widest: 64 };
    for round in 0..1_000 {
        let mut terms = Terms::new();
        let roots: Vec<Term> = (0..1 + round % 8)
            .map(|_| {
                let width = random.pick(&[1, 8, 32]);
                Expr::random(&mut random, &shape, width, 3 + round % 4).build(&mut terms)
            })
            .collect();
        let (text, other, read) = written_and_read(&terms, &roots);
        for (&root, &read) in roots.iter().zip(&read) {
            assert!(other.same(read, &terms, root), "{text}");
        }
        let again = written_and_read(&other, &read).0;
        assert_eq!(again, text, "the text depends on the structure alone");
    }
}

#[test]
fn shared_text_is_as_long_as_there_are_nodes() {
    let t = &mut Terms::new();
    let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
    let entries = (0..256).map(|key| (key, t.constant(32, key * key))).collect();
    let table = t.table(entries);
    let mut roots = vec![t.binary(Binary::Mul, x, y)];
    for _ in 0..200 {
        let last = roots[roots.len() - 1];
        let quotient = t.binary(Binary::UDiv, last, y);
        let index = t.extract(quotient, 0, 8);
        let found = t.lookup(index, table);
        roots.push(t.binary(Binary::Mul, quotient, found));
    }
    let (text, other, read) = written_and_read(t, &roots);
    assert!(text.len() < 40_000, "{} characters", text.len());
    assert_eq!(text.matches("(table").count(), 1);
    assert!(other.same(read[200], t, roots[200]));
}

#[test]
fn definitions_are_checked() {
    let terms = &mut Terms::new();
    let mut parser = terms.parser();
    parser.define("($1 (add x:32 1:32))").unwrap();
    parser.define("($2 (table (0 1:8) (4 2:8)))").unwrap();
    assert!(parser.term("(lookup $1 $2)").is_ok());
    for (text, expected) in [
        ("($1 x)", "line 1, column 1: `$1` has a meaning already. Use another name."),
        ("x", "line 1, column 1: This gives no name to a term. Write e.g. `($1 (add x y))`."),
        ("($3 x) x", "line 1, column 8: The definition ended before this. Remove what follows."),
        ("($4 (add $5 x))", "line 1, column 10: `$5` has no meaning yet. Name it in a `let` before."),
        ("($4 (add $2 x))", "line 1, column 5: `add` does not take these operands. Give it two terms."),
        (
            "($4 (lookup x $1))",
            "line 1, column 5: A table does not consist of this. Give it entries, as in `(lookup x (0 1:8) (4 2:8))`.",
        ),
    ] {
        assert_eq!(parser.define(text).unwrap_err().to_string(), expected, "for {text:?}");
    }
    assert!(parser.term("$2").is_err(), "a table is no term");
}

#[test]
fn a_name_stays_on_its_line() {
    let t = &mut Terms::new();
    let x = t.symbol("two\nlines\\n", 8);
    let text = t.display(x).to_string();
    assert!(!text.contains('\n'), "{text}");
    assert_eq!(t.parse(&text), Ok(x));
}

#[test]
fn deep_terms_are_written_and_read() {
    let t = &mut Terms::new();
    let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
    let term = (0..100_000).fold(x, |term, _| t.binary(Binary::UDiv, term, y));
    let text = t.display(term).to_string();
    assert_eq!(t.parse(&text), Ok(term));
}

#[test]
fn faults_are_explained() {
    let cases = [
        ("", "line 1, column 1: There is no term. Write one."),
        ("(add x:32", "line 1, column 10: A `)` is missing. Add it."),
        ("1:32)", "line 1, column 5: There is nothing that this `)` closes. Remove it."),
        ("1:32 1:32", "line 1, column 6: The term ended before this. Remove what follows."),
        (")", "line 1, column 1: There is nothing that this `)` closes. Remove it."),
        ("()", "line 1, column 1: After `(` there is no operator. Write one, e.g. `(add x 1:32)`."),
        ("7", "line 1, column 1: This is not a term. Give a constant its width, as in `1:32`."),
        ("300:8", "line 1, column 1: 300 has more than 8 bits. Write a greater width or a smaller number."),
        ("1:65", "line 1, column 1: `65` is not a width. Widths are 1 to 64."),
        ("x", "line 1, column 1: The symbol `x` is not known. Give it a width, e.g. `x:32`."),
        ("(add x:32\n  x:8)", "line 2, column 3: The symbol `x` has 32 bits. Write that width, or none."),
        (
            "(add x:32 1:8)",
            "line 1, column 1: `add` has operands of 32 and 8 bits. Extend the narrower one, e.g. with `zext`.",
        ),
        (
            "(plus x:32 x)",
            "line 1, column 1: There is no operator `plus`. Write one that there is, e.g. `add`.",
        ),
        ("(add x:32)", "line 1, column 1: `add` does not take these operands. Give it two terms."),
        ("(fadd x:8 x)", "line 1, column 1: Floats have 32 or 64 bits. Change the operands or their widths."),
        (
            "(extract 30 8 x:32)",
            "line 1, column 1: `extract` takes bits that the term has. Change the operands or their widths.",
        ),
        (
            "(concat x:64 x)",
            "line 1, column 1: A term has at most 64 bits. Change the operands or their widths.",
        ),
        (
            "(lookup x:8 (3 1:8) (2 1:8))",
            "line 1, column 1: The keys of a table ascend. Change the operands or their widths.",
        ),
        (
            "(ite x:2 x x)",
            "line 1, column 1: The condition of `ite` has 1 bit. Change the operands or their widths.",
        ),
        ("(not $1)", "line 1, column 6: `$1` has no meaning yet. Name it in a `let` before."),
        ("\"x", "line 1, column 1: A quoted name does not end. Add a `\"`."),
        (
            "(add 99999999999999999999:64 1:64)",
            "line 1, column 6: `99999999999999999999` is not a number of at most 64 bits. Write e.g. `7:32` or `0xff:8`.",
        ),
    ];
    for (text, expected) in cases {
        let found = Terms::new().parse(text).unwrap_err().to_string();
        assert_eq!(found, expected, "for {text:?}");
    }
}

/// Whatever the text, reading it ends with a term or an error.
#[test]
fn damaged_text_does_no_harm() {
    let mut random = Random(5);
    let text =
        r#"(let ($1 (mul x:32 y:32)) (lookup (sub $1 (not $1)) (3 (fadd x 1:32)) (9 (apply "f g":32 z:8))))"#;
    assert!(Terms::new().parse(text).is_ok());
    for _ in 0..20_000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u64) as usize;
            match random.below(3) {
                0 => bytes[at] = random.pick(b"() :$\"019x\\"),
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, random.pick(b"() :$\"019x")),
            }
        }
        let damaged = String::from_utf8_lossy(&bytes).into_owned();
        let terms = &mut Terms::new();
        if let Ok(term) = terms.parse(&damaged) {
            assert!((1..=64).contains(&terms.width_of(term)));
        }
    }
}
