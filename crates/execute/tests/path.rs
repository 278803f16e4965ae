//! Paths as text: the form, and what is said of a file that is damaged. (That every path is read as it was written is for the
//! campaign of events, on random modules.)

use coax_execute::{Concretisation, Event, EventKind, Path, Question, TrapKind};
use coax_term::{Algebra, Binary, Terms};

const TEXT: &str = "\
coax path 1
symbol param0:32
symbol param1:32
($1 (add param0 param1))
branch 0x40 1 (ult $1 7:32)
select 0x4a 0 (not (eq $1 3:32))
answer 0x4c length 1 (ule 7:32 $1)
trap 0x52 memory-out-of-bounds no (ult $1 0x10000:32)
trap 0x52 integer-divide-by-zero yes (eq param0 0:32)
concretised 0x52 address 4 $1 (eq $1 4:32)
end 6
";

#[test]
fn the_form() {
    let t = &mut Terms::new();
    let (x, y) = (t.symbol("param0", 32), t.symbol("param1", 32));
    let [zero, three, four, seven, page] = [0, 3, 4, 7, 1 << 16].map(|number| t.constant(32, number));
    let sum = t.binary(Binary::Add, x, y);
    let not_three = t.eq(sum, three);
    let events = vec![
        Event {
            at: 0x40,
            kind: EventKind::Branch { direction: 1 },
            condition: t.binary(Binary::Ult, sum, seven),
        },
        Event { at: 0x4a, kind: EventKind::Select { direction: 0 }, condition: t.not(not_three) },
        Event {
            at: 0x4c,
            kind: EventKind::World { question: Question::Length, direction: 1 },
            condition: t.binary(Binary::Ule, seven, sum),
        },
        Event {
            at: 0x52,
            kind: EventKind::Trap { kind: TrapKind::MemoryOutOfBounds, trapped: false },
            condition: t.binary(Binary::Ult, sum, page),
        },
        Event {
            at: 0x52,
            kind: EventKind::Trap { kind: TrapKind::IntegerDivideByZero, trapped: true },
            condition: t.eq(x, zero),
        },
        Event {
            at: 0x52,
            kind: EventKind::Concretised { term: sum, value: 4, reason: Concretisation::Address },
            condition: t.eq(sum, four),
        },
    ];
    let path = Path { events };
    assert_eq!(path.write(t), TEXT);
    let (read, terms) = Path::read(TEXT).unwrap();
    assert_eq!(read.events.len(), 6);
    for (one, other) in path.events.iter().zip(&read.events) {
        assert!(one.same(t, other, &terms), "{one:?} {other:?}");
    }
    let (nothing, _) = Path::read("coax path 1\nend 0\n").unwrap();
    assert_eq!(nothing, Path::default());
}

/// What is said of the text with something in it replaced.
fn fault(from: &str, to: &str) -> String {
    assert!(TEXT.contains(from), "{from:?}");
    Path::read(&TEXT.replacen(from, to, 1)).expect_err(to).to_string()
}

#[test]
fn each_damage_is_explained() {
    let cases = [
        (
            "coax path 1",
            "coax",
            "this is not a path: its first line is not `coax path 1`. Give a file that `coax dump path --format data` wrote.",
        ),
        (
            "coax path 1",
            "coax path 2",
            "this path is written in form 2, and this coax reads only form 1. Write the path again with this coax.",
        ),
        (
            "end 6\n",
            "",
            "the path is cut off: its last line is not `end` with the number of events. Write or copy it again.",
        ),
        (
            "end 6\n",
            "end 6",
            "the path is cut off: its last line is not `end` with the number of events. Write or copy it again.",
        ),
        ("end 6\n", "end 7\n", "the path has 6 events, and 7 by its last line. Write or copy it again."),
        ("end 6\n", "end\n", "line 11: `` is not the number of events. Write a number."),
        (
            "end 6\n",
            "end 6\nend 6\n",
            "line 12: The path has ended, but text follows. Remove what is behind `end`.",
        ),
        ("param1:32\n", "param1:65\n", "line 3: column 8: `65` is not a width. Widths are 1 to 64."),
        (
            "param1:32\n",
            "param1:8\n",
            "line 4: column 5: `add` has operands of 32 and 8 bits. Extend the narrower one, e.g. with `zext`.",
        ),
        (
            "symbol param1:32\n",
            "symbol 7:32\n",
            "line 3: After `symbol` comes a name with its width. Write e.g. `symbol param0:32`.",
        ),
        (
            "symbol param1:32\n",
            "",
            "line 3: column 17: The symbol `param1` is not known. Give it a width, e.g. `param1:32`.",
        ),
        ("($1 (add", "($2 (add", "line 5: column 20: `$1` has no meaning yet. Name it in a `let` before."),
        (
            "($1 (add param0 param1))",
            "($1 (add $2 param1))",
            "line 4: column 10: `$2` has no meaning yet. Name it in a `let` before.",
        ),
        ("branch 0x40", "branch 64", "line 5: `64` is not the place of an operator. Write e.g. `0x40`."),
        ("branch 0x40 1", "branch 0x40 one", "line 5: `one` is not a direction. Write a number."),
        (
            "branch",
            "jump",
            "line 5: `jump` is no kind of line. Write `branch`, `select`, `answer`, `assumption`, `assertion`, `trap` or `concretised`.",
        ),
        ("(ult $1 7:32)", "$1", "line 5: The condition has 32 bits instead of 1. Write e.g. `(eq x y)`."),
        ("(ult $1 7:32)", "", "line 5: The line ends with 0 terms instead of 1. Write as many as it needs."),
        (
            "memory-out-of-bounds",
            "bad-luck",
            "line 8: There is no such kind of trap. Write e.g. `unreachable`.",
        ),
        ("bounds no", "bounds maybe", "line 8: It is not said whether it trapped. Write `yes` or `no`."),
        ("address 4", "luck 4", "line 10: There is no such reason. Write e.g. `address`."),
        (
            "address 4",
            "address 4294967296",
            "line 10: 4294967296 has more bits than its term, 32. Write a smaller value.",
        ),
    ];
    for (from, to, expected) in cases {
        assert_eq!(fault(from, to), expected, "{from:?} -> {to:?}");
    }
}

#[test]
fn no_part_of_a_path_is_taken_for_the_whole() {
    for end in 0..TEXT.len() {
        assert!(Path::read(&TEXT[..end]).is_err(), "the first {end} bytes");
    }
    let without = |line: usize| -> String {
        TEXT.split_inclusive('\n')
            .enumerate()
            .filter(|(index, _)| *index != line)
            .map(|(_, line)| line)
            .collect()
    };
    for line in 0..TEXT.lines().count() {
        assert!(Path::read(&without(line)).is_err(), "without line {}", line + 1);
    }
}

/// Whatever the text, reading it ends with a path that can be written and read again, or with an error.
#[test]
fn damaged_text_does_no_harm() {
    let mut state = 7u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let text = TEXT.replace("(ult $1 7:32)", "(ult (lookup $1 (0 3:32) (9 (apply f:32 param0))) 7:32)");
    let mut read = 0;
    for _ in 0..20_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=below(3) {
            let at = below(bytes.len());
            match below(3) {
                0 => bytes[at] = b"() :$\"019x\\\n"[below(12)],
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"() :$\"019x\n"[below(11)]),
            }
        }
        if let Ok((path, terms)) = Path::read(&String::from_utf8_lossy(&bytes)) {
            read += 1;
            let written = path.write(&terms);
            let (again, others) = Path::read(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
            assert_eq!(again.write(&others), written);
        }
    }
    assert!(read > 300, "only {read} texts said something");
}
