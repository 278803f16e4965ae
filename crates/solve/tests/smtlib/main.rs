//! Scripts: a folder of them with what they answer, errors with their places, and z3 as a judge where it is installed.

#[path = "../every_value/mod.rs"]
mod every_value;
mod judged;
mod random;
#[path = "../../../term/tests/support/mod.rs"]
mod support;
mod written;

use coax_solve::smtlib::{Outcome, RunError, Solvers, Verdict, run_script};
use coax_solve::{Answer, Budget, Child, ChildOptions, Layer, Query, Reason};
use coax_term::Terms;
use every_value::EveryValue;
use std::process::Command;
use support::Random;

fn run_with(
    text: &str,
    layer: &mut dyn Layer,
    child: Option<&mut Child>,
) -> (Result<Outcome, RunError>, String) {
    let mut out = Vec::new();
    let solvers = Solvers { layer, child, budget: &mut || Budget::effort(60_000_000) };
    let outcome = run_script(text, solvers, &mut out);
    (outcome, String::from_utf8(out).unwrap())
}

/// What a script prints; an error is a line with `;!`.
fn run(text: &str, layer: &mut dyn Layer) -> String {
    let (outcome, mut out) = run_with(text, layer, None);
    if let Err(error) = outcome {
        out += &format!(";! {error}\n");
    }
    out
}

fn is_z3_here() -> bool {
    let is_here = Command::new("z3").arg("--version").output().is_ok();
    if !is_here {
        eprintln!("SKIPPED: z3 is not installed, so it judges nothing here");
    }
    is_here
}

fn z3_child() -> Child {
    Child::new(ChildOptions { command: vec!["z3".to_owned()], ..ChildOptions::default() })
}

/// Every `.smt2` in the folder; `;=` are the lines it prints, `;!` is the error it ends with.
#[test]
fn scripts_print_what_they_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 9);
    let is_z3_here = is_z3_here();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let expected: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix(";= ").or_else(|| line.starts_with(";! ").then_some(line)))
            .collect();
        // Arrays with long indices are more than can be tried.
        if !name.starts_with("arrays") {
            let printed = run(&text, &mut EveryValue);
            assert_eq!(printed.lines().collect::<Vec<_>>(), expected, "{name}");
        }
        if is_z3_here {
            let printed = run(&text, &mut z3_child());
            assert_eq!(printed.lines().collect::<Vec<_>>(), expected, "{name}, by z3 as a layer");
        }
    }
}

#[test]
fn errors_say_what_and_where() {
    let declared =
        "(declare-const x (_ BitVec 8))\n(declare-const y (_ BitVec 16))\n(declare-const p Bool)\n";
    let cases = [
        ("(assert p", "4:1: This `(` is never closed. Is the end of the text missing?"),
        ("(assert p))", "4:11: This `)` closes nothing. Remove it, or add the `(`."),
        ("(assert |p)", "4:9: This name never ends. Add the `|`."),
        ("(echo \"p)", "4:7: This string never ends. Add the `\"`."),
        (
            "(assert é)",
            "4:9: `é` is no number and no name. Names with such characters are written in bars, `|like this|`.",
        ),
        (
            "(assert 1x)",
            "4:9: `1x` is no number and no name. Names with such characters are written in bars, `|like this|`.",
        ),
        ("p", "4:1: This is no command. A script consists of `(command …)`."),
        ("(asert p)", "4:1: There is no command `asert`. See whether its name is right."),
        ("(assert x)", "4:9: This is a (_ BitVec 8), but a Bool is needed. Compare it with something."),
        ("(assert q)", "4:9: There is nothing with the name `q`. Declare it before it is used."),
        (
            "(assert\n  (foo p))",
            "5:3: There is no function `foo`. Declare it, or see whether its name is right.",
        ),
        (
            "(assert (fp.foo p))",
            "4:9: There is no function `fp.foo`. Declare it, or see whether its name is right.",
        ),
        ("(assert (= x y))", "4:9: `=` cannot be applied to ((_ BitVec 8) (_ BitVec 16))."),
        ("(assert (= (bvadd x y) x))", "4:12: `bvadd` cannot be applied to ((_ BitVec 8) (_ BitVec 16))."),
        ("(assert (and p x))", "4:9: `and` cannot be applied to (Bool (_ BitVec 8))."),
        ("(assert (not p p))", "4:9: `not` cannot be applied to (Bool Bool)."),
        ("(assert (= ((_ extract 8 0) x) x))", "4:12: There are no such bits: the operand has 8, from 0 on."),
        ("(assert (p x))", "4:9: `p` is no function and takes no arguments."),
        ("(assert ())", "4:9: A function and its arguments are missing between these parentheses."),
        ("(assert (let (p) p))", "4:15: A binding is written `(name term)`."),
        (
            "(assert (= 3 x))",
            "4:12: Integers and reals are not supported. Bit-vectors are written `#x0f` or `(_ bv15 8)`.",
        ),
        ("(assert (= (_ bv256 8) x))", "4:12: This number has more than 8 bits."),
        (
            "(assert (= #x00000000000000000 x))",
            "4:12: This has 68 bits; at most 64 are supported. Split it into parts.",
        ),
        (
            "(declare-const z (_ BitVec 65))",
            "4:18: This has 65 bits; at most 64 are supported. Split it into parts.",
        ),
        (
            "(assert (= ((_ zero_extend 60) x) x))",
            "4:12: This has 68 bits; at most 64 are supported. Split it into parts.",
        ),
        ("(declare-const z (_ BitVec 0))", "4:28: A bit-vector has at least one bit. Write `(_ BitVec 8)`."),
        (
            "(declare-const z Byte)",
            "4:18: There is no sort `Byte`. Known are Bool, (_ BitVec n), Float32, Float64 and arrays of bit-vectors.",
        ),
        (
            "(declare-const z Int)",
            "4:18: The sort Int is not supported. Known are Bool, (_ BitVec n), Float32, Float64 and arrays of bit-vectors.",
        ),
        (
            "(declare-const z Float16)",
            "4:18: The sort Float16 is not supported. Known are Bool, (_ BitVec n), Float32, Float64 and arrays of bit-vectors.",
        ),
        ("(declare-const x Bool)", "4:16: The name `x` is taken. Choose another."),
        ("(declare-fun f)", "4:1: A declaration is written `(declare-fun name (sort …) sort)`."),
        ("(define-fun f () Bool x)", "4:23: This is a (_ BitVec 8), but is declared to be a Bool."),
        (
            "(define-fun f ((a Bool)) Bool (not a))\n(assert (f x))",
            "5:9: `f` takes (Bool), but is given ((_ BitVec 8)).",
        ),
        ("(declare-fun f (Bool) Bool)\n(assert f)", "5:9: The function `f` needs arguments."),
        (
            "(set-logic QF_LIA)",
            "4:1: The logic is not supported. Supported are ALL and what consists of BV, A, UF and FP, like QF_ABV; this is QF_LIA.",
        ),
        ("(pop 1)", "4:1: There are only 0 levels to pop."),
        (
            "(declare-const f Float32)\n(assert (fp.eq f (fp.add RTZ f f)))",
            "5:18: Only rounding to the nearest, ties to even (RNE), is supported here.",
        ),
        ("(declare-const f Float32)\n(assert (fp.eq f (fp.rem f f)))", "5:18: `fp.rem` is not supported."),
        (
            "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))\n(declare-const b (Array (_ BitVec 32) (_ BitVec 8)))\n(assert (not (= a b)))",
            "6:14: The equality of arrays that are made of different ones is not supported. Compare elements.",
        ),
        (
            "(declare-const a (Array (Array Bool Bool) Bool))",
            "4:25: Arrays of arrays are not supported. Use one with longer indices.",
        ),
        ("(declare-datatypes () ())", "4:1: `declare-datatypes` is not supported."),
    ];
    for (text, expected) in cases {
        let printed = run(&format!("{declared}{text}"), &mut EveryValue);
        assert_eq!(printed, format!(";! {expected}\n"), "{text}");
    }
}

#[test]
fn damaged_scripts_do_no_harm() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts");
    let texts: Vec<String> = ["bits", "float_values", "levels", "cores"]
        .iter()
        .map(|name| std::fs::read_to_string(format!("{folder}/{name}.smt2")).unwrap())
        .collect();
    let mut random = Random(5);
    let mut errors = 0;
    for round in 0..400 {
        let text = &texts[round % texts.len()];
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len() as u64) as usize;
            match random.below(4) {
                0 => bytes.truncate(at.max(1)),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, random.pick(b"()|\"#x0b1_ ;\n")),
                _ => bytes[at] = random.pick(b"()|\"#x0b1_ ;\n"),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        errors += usize::from(run_with(&text, &mut NeverKnows, None).0.is_err());
    }
    assert!(errors > 100, "{errors}");
}

struct NeverKnows;

impl Layer for NeverKnows {
    fn solve(&mut self, _: &mut Terms, _: &Query<'_>, _: &mut Budget) -> Answer {
        Answer::Unknown(Reason::NotFound("nobody"))
    }
}

#[test]
fn deep_nesting_is_no_problem() {
    const DEEP: usize = 100_000;
    let nested = |open: &str, core: &str, close: &str| open.repeat(DEEP) + core + &close.repeat(DEEP);
    let start = "(declare-const p Bool)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))";
    for term in [
        nested("(not ", "p", ")"),
        format!("(= x {})", nested("(bvudiv y ", "x", ")")),
        nested("(let ((p (not p))) ", "p", ")"),
        nested("(! ", "p", " :named a)"),
        nested("(ite p p ", "(not p)", ")"),
    ] {
        let text = format!("{start}(assert {term})(check-sat)");
        assert_eq!(run(&text, &mut NeverKnows), "unknown\n");
    }
    for text in [
        nested("(", "", ")"),
        nested("(", "", ""),
        format!("(assert {})", nested("(fp ", "p", ")")),
        format!("(assert {})", nested("((_ to_fp 8 24) ", "p", ")")),
        format!("(declare-const z {})", nested("(Array ", "Bool", " Bool)")),
        format!("(define-sort z () {})", nested("(_ BitVec ", "8", ")")),
        format!("(assert {})", nested("(forall ", "p", ")")),
        format!("(get-value {})", nested("(", "p", ")")),
    ] {
        let printed = run(&format!("{start}{text}"), &mut NeverKnows);
        assert!(printed.len() < 500, "{printed}");
    }
}

#[test]
fn what_is_beyond_us_is_told_to_a_child() {
    if !is_z3_here() {
        return;
    }
    let cases = [
        (
            "(set-logic UFBV)(declare-fun f ((_ BitVec 8)) (_ BitVec 8))(assert (forall ((x (_ BitVec 8))) (= (f x) (bvadd x #x01))))(assert (= (f #x03) #x05))(check-sat)",
            "unsat\n",
        ),
        (
            "(declare-const x (_ BitVec 128))(push 1)(assert (= x (_ bv3 128)))(check-sat)(get-value (x))(pop 1)(assert (distinct x x))(check-sat)",
            "sat\n((x #x00000000000000000000000000000003))\nunsat\n",
        ),
        (
            "(set-logic QF_LIA)(declare-const x Int)(assert (< 2 x 4))(check-sat)(get-value (x))",
            "sat\n((x 3))\n",
        ),
        (
            "(declare-const x (_ BitVec 8))(push 1)(declare-const y Real)(pop 1)(assert (= x #x03))(check-sat)(get-value (x))",
            "sat\n((x #x03))\n",
        ),
    ];
    for (text, expected) in cases {
        let (outcome, printed) = run_with(text, &mut z3_child(), Some(&mut z3_child()));
        assert_eq!(printed, expected, "{text}\n{outcome:?}");
    }
    let nonsense = "(declare-const x Real)(assert (foo x))(check-sat)";
    let (outcome, printed) = run_with(nonsense, &mut NeverKnows, Some(&mut z3_child()));
    assert_eq!(printed, "unknown\n");
    let verdicts = outcome.unwrap().verdicts;
    let [Verdict::Unknown(reason)] = verdicts.as_slice() else { panic!("{verdicts:?}") };
    assert!(reason.contains("error"), "{reason}");
}
