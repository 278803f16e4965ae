//! The kinds that are written as WebAssembly's text.

use super::Source;
use std::fmt::Write;

/// A module with these fields, of which one is the entry with this body, which is given parameter 0 and leaves an `i32`.
fn module(fields: &str, locals: &str, body: &str) -> Source {
    Source::Wat(format!(
        "(module {fields}\n(func (export \"run\") (param i32) (result i32) {locals}\n{body}))\n"
    ))
}

/// Lines, one for each number below this.
fn lines(count: u32, mut line: impl FnMut(&mut String, u32) -> std::fmt::Result) -> String {
    let mut text = String::new();
    for number in 0..count {
        line(&mut text, number).expect("text can be written");
        text.push('\n');
    }
    text
}

pub(super) fn operators(count: u32) -> Source {
    let step = |text: &mut String, _| text.write_str("i32.const 3 i32.add local.get 0 i32.mul");
    module("", "", &format!("local.get 0\n{}", lines(count, step)))
}

pub(super) fn expression(count: u32) -> Source {
    let push = lines(count, |text, number| write!(text, "local.get 0 i32.const {number} i32.xor"));
    let pop = lines(count - 1, |text, _| text.write_str("i32.add"));
    module("", "", &(push + &pop))
}

pub(super) fn locals(count: u32) -> Source {
    let set = lines(count, |text, number| {
        write!(text, "local.get 0 i32.const {number} i32.add local.set {}", number + 1)
    });
    let get = lines(count, |text, number| write!(text, "local.get {} i32.xor", number + 1));
    module("", &format!("(local {})", "i32 ".repeat(count as usize)), &format!("{set}local.get 0\n{get}"))
}

pub(super) fn accesses(count: u32) -> Source {
    let step = |text: &mut String, number: u32| {
        let (from, to) = (number * 4 % 60_000, number * 12 % 60_000);
        write!(text, "i32.const {to} i32.const {from} i32.load local.get 0 i32.add i32.store")
    };
    module("(memory 1)", "", &format!("{}i32.const 0 i32.load", lines(count, step)))
}

pub(super) fn ifs(count: u32) -> Source {
    let step = |text: &mut String, number| {
        write!(
            text,
            "local.get 0 i32.const {number} i32.eq if local.get 1 i32.const 1 i32.add local.set 1 end"
        )
    };
    module("", "(local i32)", &format!("{}local.get 1", lines(count, step)))
}

pub(super) fn else_ifs(count: u32) -> Source {
    let step = |text: &mut String, number| {
        write!(text, "local.get 0 i32.const {number} i32.eq if i32.const {number} local.set 1 else")
    };
    let end = lines(count, |text, _| text.write_str("end"));
    module("", "(local i32)", &format!("{}{end}local.get 1", lines(count, step)))
}

pub(super) fn cases(count: u32) -> Source {
    let targets = lines(count, |text, number| write!(text, "{}", number * 7 % 16));
    let open = "block ".repeat(16);
    let close = lines(16, |text, number| write!(text, "end i32.const {number} return"));
    module("", "", &format!("{open} local.get 0 br_table {targets} 15\n{close} i32.const 99"))
}

pub(super) fn targets(count: u32) -> Source {
    let open = lines(count, |text, _| text.write_str("block"));
    let targets = lines(count, |text, number| write!(text, "{number}"));
    let close =
        lines(count, |text, number| write!(text, "end local.get 1 i32.const {number} i32.add local.set 1"));
    module("", "(local i32)", &format!("{open}local.get 0 br_table {targets} 0\n{close}local.get 1"))
}

pub(super) fn blocks(count: u32) -> Source {
    let open =
        lines(count, |text, number| write!(text, "block local.get 0 i32.const {number} i32.eq br_if 0"));
    let close = lines(count, |text, _| text.write_str("local.get 1 i32.const 1 i32.add local.set 1 end"));
    module("", "(local i32)", &format!("{open}{close}local.get 1"))
}

pub(super) fn loops(count: u32) -> Source {
    let open = lines(count, |text, _| text.write_str("loop"));
    let close = lines(count, |text, _| text.write_str("end"));
    let inner = "local.get 0 i32.const 1 i32.sub local.tee 0 i32.const 1000 i32.and br_if 0\n";
    module("", "", &format!("{open}{inner}{close}local.get 0"))
}

pub(super) fn busy_loops(count: u32) -> Source {
    let open = lines(count, |text, number| {
        write!(text, "loop local.get {} i32.const 1 i32.add local.set {}", number % 8, (number + 3) % 8)
    });
    // All loops together go back so often.
    let rounds = "local.get 8 i32.const 1 i32.add local.tee 8 i32.const 40 i32.lt_u";
    let close = lines(count, |text, number| {
        write!(text, "local.get {} i32.const 7 i32.and i32.eqz {rounds} i32.and br_if 0 end", number % 8)
    });
    module("", &format!("(local {})", "i32 ".repeat(8)), &format!("{open}{close}local.get 0"))
}

pub(super) fn loop_row(count: u32) -> Source {
    let step = |text: &mut String, number: u32| {
        let bits = number % 3;
        write!(
            text,
            "local.get 0 i32.const {bits} i32.and local.set 1 loop local.get 2 local.get 1 i32.add local.set 2 local.get 1 i32.const 1 i32.sub local.tee 1 i32.const 0 i32.gt_s br_if 0 end"
        )
    };
    module("", "(local i32 i32)", &format!("{}local.get 2", lines(count, step)))
}

fn trivial(text: &mut String, number: u32) -> std::fmt::Result {
    write!(text, "(func $f{number} (param i32) (result i32) local.get 0 i32.const {number} i32.add)")
}

pub(super) fn functions(count: u32) -> Source {
    module(
        &lines(count, trivial),
        "",
        &format!("local.get 0 if (result i32) local.get 0 call $f{} else i32.const 0 end", count / 2),
    )
}

pub(super) fn exports(count: u32) -> Source {
    let export = lines(count, |text, number| write!(text, "(export \"exported_{number}\" (func {number}))"));
    // Without names: what a function is called is looked up among exports.
    let functions = lines(count, trivial).replace("(func $f", "(func (;f").replace(" (param", ";) (param");
    module(&(functions + &export), "", "local.get 0 if (result i32) local.get 0 call 0 else i32.const 0 end")
}

pub(super) fn tree(count: u32) -> Source {
    let function = |text: &mut String, number: u32| {
        let child = |place: u32| match 2 * number + place {
            child if child < count => format!("call $f{child}"),
            child => format!("i32.const {child} i32.xor"),
        };
        let (left, right) = (child(1), child(2));
        write!(
            text,
            "(func $f{number} (param i32) (result i32) local.get 0 i32.const 1 i32.and if (result i32) local.get 0 i32.const 1 i32.shr_u {left} else local.get 0 i32.const 1 i32.shr_u {right} end)"
        )
    };
    module(&lines(count, function), "", "local.get 0 call $f0")
}

pub(super) fn indirect(count: u32) -> Source {
    let function = |text: &mut String, number: u32| match number % 2 {
        0 => trivial(text, number),
        _ => write!(
            text,
            "(func $f{number} (param i32) (result i32) local.get 0 i32.const 2 i32.div_u local.get 0 i32.const {} i32.and call_indirect (param i32) (result i32))",
            count.next_power_of_two() / 2 - 2
        ),
    };
    let elements = lines(count, |text, number| write!(text, "$f{number}"));
    let fields =
        format!("(table {count} funcref) (elem (i32.const 0) {elements})\n{}", lines(count, function));
    module(
        &fields,
        "",
        "local.get 0 i32.const 3 i32.and i32.const 1 local.get 0 i32.const 1 i32.and i32.add call_indirect (param i32) (result i32)",
    )
}

pub(super) fn chain(count: u32) -> Source {
    let function = |text: &mut String, number: u32| match number + 1 {
        next if next < count => write!(
            text,
            "(func $f{number} (param i32) (result i32) local.get 0 i32.const {number} i32.eq if (result i32) i32.const {number} else local.get 0 call $f{next} end)"
        ),
        _ => trivial(text, number),
    };
    module(&lines(count, function), "", "local.get 0 i32.const 15 i32.and call $f0")
}

pub(super) fn data(count: u32) -> Source {
    // Blocks of bytes that differ, so that nothing is zero.
    const BLOCK: u32 = 1 << 12;
    let block: String =
        (0..BLOCK - 4).map(|number| char::from(b'a' + (number * number % 26) as u8)).collect();
    let blocks = lines(count.div_ceil(BLOCK), |text, number| write!(text, "\"{number:04}{block}\""));
    let pages = count.div_ceil(1 << 16) + 1;
    let body = "local.get 0 i32.const 1023 i32.and i32.load8_u i32.const 97 i32.eq if (result i32) i32.const 1 else i32.const 2 end";
    module(&format!("(memory {pages}) (data (i32.const 0) {blocks})"), "", body)
}

pub(super) fn segments(count: u32) -> Source {
    let segment =
        lines(count, |text, number| write!(text, "(data (i32.const {}) \"{number:08}\")", number * 16));
    let pages = (count * 16).div_ceil(1 << 16) + 1;
    let body = "local.get 0 i32.const 1023 i32.and i32.load8_u i32.const 49 i32.eq if (result i32) i32.const 1 else i32.const 2 end";
    module(&format!("(memory {pages}) {segment}"), "", body)
}

pub(super) fn memory(count: u32) -> Source {
    let body = "i32.const 64 local.get 0 i32.store i32.const 64 i32.load i32.const 77 i32.eq if (result i32) i32.const 1 else i32.const 2 end";
    module(&format!("(memory {count})"), "", body)
}

pub(super) fn table(count: u32) -> Source {
    let fields = format!(
        "(table {count} funcref) (elem (i32.const 1) $one) (func $one (param i32) (result i32) i32.const 1)"
    );
    let body = "local.get 0 i32.const 5 i32.eq if (result i32) local.get 0 i32.const 1 call_indirect (param i32) (result i32) else i32.const 2 end";
    module(&fields, "", body)
}
