//! `coax reach` on programs whose branches mostly have nothing to do with the place: how much of them does it look at, and how long does it take?

use super::searched::{Searched, search};
use anyhow::Result;
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// How many branches do not matter.
const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// Where they are, seen from the two conditions that do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Before,
    Between,
    After,
}

/// What they are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Branches,
    /// Each in a loop of its own.
    Loops,
    /// A hundred each in functions of their own.
    Calls,
}

/// Branches of one function, if they are in functions of their own.
const IN_FUNCTION: usize = 100;
/// The most in one function: it would be compiled for a minute with ten times as many.
const MOST_IN_FUNCTION: usize = 1_000;

/// Prints the table; a search may take so many seconds.
pub fn run(coax: &Path, seconds: u32) -> Result<()> {
    println!(
        "| branches that do not matter | where | how many | place | verdict | segments | ms |\n|-|-|-:|-|-|-:|-:|"
    );
    let (mut searches, mut decided, mut most, mut slowest) = (0, 0, 0, 0);
    for what in [What::Branches, What::Loops, What::Calls] {
        for place in [Where::Before, Where::Between, Where::After] {
            for size in SIZES.into_iter().filter(|&size| what == What::Calls || size <= MOST_IN_FUNCTION) {
                for is_possible in [false, true] {
                    let text = program(what, place, size, is_possible);
                    let Searched { verdict, segments, milliseconds, .. } = search_in(coax, &text, seconds)?;
                    let target = if is_possible { "possible" } else { "impossible" };
                    println!(
                        "| {what:?} | {place:?} | {size} | {target} | {verdict} | {segments} | {milliseconds} |"
                    );
                    searches += 1;
                    decided += u32::from(verdict == if is_possible { "reached" } else { "unreachable" });
                    most = most.max(segments);
                    slowest = slowest.max(milliseconds);
                }
            }
        }
    }
    let json = json!({
        "bench": "reach", "searches": searches, "decided": decided, "most_segments": most, "slowest_ms": slowest, "seconds": seconds,
    });
    println!("\n{json}");
    Ok(())
}

/// Searches for the function `error` of a program.
fn search_in(coax: &Path, text: &str, seconds: u32) -> Result<Searched> {
    let place = tempfile::tempdir()?;
    let file = place.path().join("program.wat");
    std::fs::write(&file, text)?;
    let mut command = Command::new(coax);
    command.arg("reach").arg(&file).args(["--entry", "f"]);
    search(command, "error", &[], seconds, &place.path().join("out"))
}

/// A program whose `error` is called under two conditions, which hold for some inputs or for none.
fn program(what: What, place: Where, size: usize, is_possible: bool) -> String {
    let (body, functions) = match what {
        What::Branches => ((0..size).map(branch).collect(), String::new()),
        What::Loops => ((0..size).map(looped).collect(), String::new()),
        What::Calls => calls(size),
    };
    let at = |here: Where| if here == place { body.as_str() } else { "" };
    let second = if is_possible {
        "(i32.eq (local.get $b) (i32.const 77))"
    } else {
        "(i32.lt_s (local.get $b) (i32.const 5))"
    };
    format!(
        "(module\n(func $error (result i32) (i32.const 7))\n{functions}\
         (func (export \"f\") (param $a i32) (param $b i32) (result i32) (local $z i32) (local $i i32)\n{}\
         (if (i32.gt_s (local.get $b) (i32.const 10)) (then\n{}\
         (if {second} (then (return (call $error))))))\n{}(local.get $z)))\n",
        at(Where::Before),
        at(Where::Between),
        at(Where::After),
    )
}

/// A branch that looks at a bit of the other parameter.
fn branch(number: usize) -> String {
    format!(
        "(if (i32.and (i32.shr_u (local.get $a) (i32.const {})) (i32.const 1)) (then (local.set $z (i32.add (local.get $z) (i32.const {number})))) \
         (else (local.set $z (i32.xor (local.get $z) (i32.const {number})))))\n",
        number % 32
    )
}

/// The same, up to three times.
fn looped(number: usize) -> String {
    format!(
        "(local.set $i (i32.and (local.get $a) (i32.const 3)))\n(loop $again{number}\n{}\
         (br_if $again{number} (i32.gt_s (local.tee $i (i32.sub (local.get $i) (i32.const 1))) (i32.const 0))))\n",
        branch(number)
    )
}

/// Calls of functions that have so many branches together, and these functions.
fn calls(size: usize) -> (String, String) {
    let (mut body, mut functions) = (String::new(), String::new());
    for first in (0..size).step_by(IN_FUNCTION) {
        let branches: String = (first..size.min(first + IN_FUNCTION)).map(branch).collect();
        body += &format!("(local.set $z (call $g{first} (local.get $a) (local.get $z)))\n");
        functions += &format!(
            "(func $g{first} (param $a i32) (param $z i32) (result i32)\n{branches}(local.get $z))\n"
        );
    }
    (body, functions)
}
