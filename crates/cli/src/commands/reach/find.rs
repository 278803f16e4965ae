//! Finds the places that users name.

mod line;

use super::aim::{Aim, Standing};
use super::malformed;
use crate::args::Target as LoadedProgram;
use crate::commands::stored_report;
use crate::names::{functions_named, no_such_function};
use anyhow::{Context, Result, bail};
use coax_execute::semantics::Scalar;
use coax_execute::{Entry, Labels};
use coax_program::ir::{Body, Op, Terminator};
use coax_program::{Func, Program, Site, SiteKind};
use coax_report::summary::Uncovered;
use coax_search::{Goal, Target, What};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How many lines or files are named if the one that was asked for is not there.
const NAMED: usize = 4;

/// The place that a text names.
pub fn aim(target: &LoadedProgram, text: &str) -> Result<Aim> {
    let program = &*target.program;
    if let Some(wrong) = malformed::lacks(text) {
        bail!(wrong);
    }
    if let Some(label) = text.strip_prefix("label:") {
        return of_label(program, text, label);
    }
    if let Some(number) = text.strip_prefix("site:") {
        return site(program, text, number);
    }
    if let Some(name) = text.strip_suffix(":trap") {
        return trap(target, text, name);
    }
    if let Some(place) = line::Named::parse(text) {
        return Ok(of_operators(program, text, place.operators(target)?));
    }
    if let Some((name, offset)) = text.rsplit_once('+')
        && let Some(offset) = number(offset)
    {
        return of_offset(target, text, name, offset);
    }
    if functions_named(program, text).is_empty()
        && let Some(wrong) = malformed::is_none(text).or_else(|| line::is_only_file(program, text))
    {
        bail!(wrong);
    }
    let func = function(target, text)?;
    Ok(new(text, What::Called(func), vec![Goal::Point(func, Body::ENTRY, 0)]))
}

fn new(text: &str, what: What, goals: Vec<Goal>) -> Aim {
    Aim::new(text, Target { what, goals })
}

/// All branches that an earlier search did not cover.
pub fn uncovered(program: &Program, entry: &Entry, directory: &Path) -> Result<Vec<Aim>> {
    let path = directory.join("report.json");
    let report = stored_report::read(directory)?;
    let odd = || {
        format!("{} is of another program, version or entry; let `coax cover` run once more", path.display())
    };
    let module = blake3::hash(&program.wasm);
    if *report.module != *module.to_hex() || *report.entry != entry.name() {
        bail!(odd());
    }
    let branches = &report.uncovered;
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    branches.iter().for_each(|branch| *names.entry(name(branch)).or_default() += 1);
    let mut aims = Vec::new();
    for branch in branches {
        let (site, direction) = (Site(branch.site), branch.direction);
        let has_it = |data: &&coax_program::SiteData| direction < data.kind.directions();
        let data = program.sites.get(site).filter(has_it).with_context(odd)?;
        let defined = program.functions[data.func].defined().with_context(odd)?;
        let is_it = |block: &coax_program::ir::BlockData| {
            block.end_offset == data.offset
                && matches!(block.end, Terminator::Branch { .. } | Terminator::Switch { .. })
        };
        let block = defined.body.blocks.iter().find(|(_, block)| is_it(block)).map(|(block, _)| block);
        let text = match names[&name(branch)] {
            1 => name(branch),
            // Parts of one condition may share their place and where they lead.
            _ => format!("{} (site:{}, direction {direction})", name(branch), site.0),
        };
        let goals = block.map(|block| Goal::Direction(data.func, block, direction)).into_iter().collect();
        let aim = new(&text, What::Direction(site, direction), goals);
        aims.push(if block.is_some() { aim } else { aim.never_behind(", for nothing leads to its code") });
    }
    Ok(aims)
}

/// A branch and its direction, in the words of a report.
fn name(branch: &Uncovered) -> String {
    format!("{} {}", branch.location, branch.branch.as_deref().unwrap_or_default())
}

fn function(target: &LoadedProgram, name: &str) -> Result<Func> {
    let program = &*target.program;
    let found = functions_named(program, name);
    match found.as_slice() {
        [] => bail!(no_such_function(program, name, |func| target.in_scope(func))),
        [func] if program.functions[*func].defined().is_none() => {
            bail!("`{name}` has no code in the program, it is imported; name a function that calls it")
        }
        [func] => Ok(*func),
        several => {
            let mut places: Vec<String> = several.iter().map(|func| place(program, *func)).collect();
            places.truncate(NAMED);
            let places = places.join(" or ");
            bail!(
                "there are {} functions `{name}`; name a line of the one that you mean: {places}",
                several.len()
            )
        }
    }
}

/// Where a function is, in words.
fn place(program: &Program, func: Func) -> String {
    let name = &program.functions[func].name;
    match program.declared_at(func).and_then(|frame| frame.file.zip(frame.line)) {
        Some((file, line)) => format!("{file}:{line} (`{name}`)"),
        None => format!("`{name}`"),
    }
}

fn site(program: &Program, text: &str, number: &str) -> Result<Aim> {
    let site = number.parse().ok().map(Site).filter(|site| program.sites.get(*site).is_some());
    let Some(site) = site else {
        match program.sites.len().checked_sub(1) {
            Some(last) => bail!("there is no site `{number}`; name a number from 0 to {last}"),
            None => bail!("there is no site `{number}`, for the program has none; name a function"),
        }
    };
    let data = &program.sites[site];
    Ok(of_operators(program, text, BTreeMap::from([(data.func, BTreeSet::from([data.offset]))])))
}

fn of_label(program: &Program, text: &str, label: &str) -> Result<Aim> {
    let labels = Labels::of(program);
    if !labels.names.contains(label) && !labels.has_others {
        let mut names: Vec<&str> = labels.names.iter().map(String::as_str).collect();
        names.sort_by_key(|name| (Reverse(in_common(name, label)), *name));
        names.truncate(NAMED);
        match names.is_empty() {
            true => bail!("the program has no labels, so none is `{label}`; name a line or a function"),
            false => bail!("the program has no label `{label}`; name one like `{}`", names.join("` or `")),
        }
    }
    // So nothing is proved of labels.
    let why = ", for a program may change the text of a label while it runs";
    Ok(new(text, What::Label(label.to_owned()), Vec::new()).never_behind(why))
}

/// How many letters two texts share, as pairs of neighbours.
fn in_common(one: &str, other: &str) -> usize {
    let pairs = |text: &str| -> BTreeSet<(char, char)> {
        let letters = || text.chars().flat_map(char::to_lowercase);
        letters().zip(letters().skip(1)).collect()
    };
    pairs(one).intersection(&pairs(other)).count()
}

fn of_offset(target: &LoadedProgram, text: &str, name: &str, offset: u32) -> Result<Aim> {
    let (program, func) = (&*target.program, function(target, name)?);
    let defined = program.functions[func].defined().expect("it has code");
    let length = defined.range.end - defined.range.start;
    if offset >= length {
        bail!("`{name}` has {length} bytes of code; name an offset below that");
    }
    let at = defined.range.start + offset;
    let starts: BTreeSet<u32> = program.operator_starts(func).into_iter().collect();
    // Before the first are the function's locals.
    if let (Some(before), false) = (starts.range(..at).next_back(), starts.contains(&at)) {
        let near = [Some(before), starts.range(at..).next()].into_iter().flatten();
        let near: Vec<String> = near.map(|at| format!("{name}+{:#x}", at - defined.range.start)).collect();
        bail!("{offset:#x} is in the middle of an operator of `{name}`; name {}", near.join(" or "));
    }
    let operators = program.operators(&defined.body);
    // Operators that only move values, and ends of blocks, are part of what comes next.
    let Some(&operator) = operators.range(at..).next() else {
        bail!("there is no operator at {offset:#x} of `{name}`; `coax dump ir` shows where they are");
    };
    Ok(of_operators(program, text, BTreeMap::from([(func, BTreeSet::from([operator]))])))
}

/// A function that is to trap, or something that it calls.
fn trap(target: &LoadedProgram, text: &str, name: &str) -> Result<Aim> {
    let (program, func) = (&*target.program, function(target, name)?);
    let body = &program.functions[func].defined().expect("it has code").body;
    let mut goals = Vec::new();
    let mut is_all = true;
    for (block, data) in body.blocks.iter() {
        for inst in data.insts() {
            let op = &body.insts[inst].op;
            match Scalar::of(op) {
                Some(scalar) if scalar.can_trap() => goals.push(Goal::Trap(func, block, inst)),
                Some(_) => {}
                // Accesses and calls trap, too, and nobody looks for these backwards; nor for a stack that is used up, which is noticed where its pointer is set.
                None => {
                    is_all &=
                        !may_trap(program, body.insts[inst].offset) && !matches!(op, Op::GlobalSet { .. })
                }
            }
        }
        match data.end {
            Terminator::Unreachable => goals.push(Goal::Point(func, block, data.insts().len())),
            // Calls as well, and what is thrown may be null.
            Terminator::Invoke { .. } | Terminator::TailCall { .. } | Terminator::Throw { .. } => {
                is_all = false
            }
            _ => {}
        }
    }
    let is_none = is_all && goals.is_empty();
    let mut aim = new(text, What::Trap(func), if is_all { goals } else { Vec::new() });
    if is_none {
        aim.standing = Standing::unreachable("nothing in it can trap");
    } else if !is_all {
        aim = aim.never_behind(": accesses or calls in it may trap, which only runs show");
    }
    Ok(aim)
}

/// Whether an operator that does more than compute may trap, or something that it calls.
fn may_trap(program: &Program, offset: u32) -> bool {
    let is_one = |site| matches!(program.sites[site].kind, SiteKind::Call | SiteKind::Trap);
    program.site_at(offset).is_some_and(is_one)
}

/// Operators, one of which is to be executed.
fn of_operators(program: &Program, text: &str, operators: BTreeMap<Func, BTreeSet<u32>>) -> Aim {
    let mut goals = Vec::new();
    for (&func, offsets) in &operators {
        let Some(defined) = program.functions[func].defined() else { continue };
        for (block, data) in defined.body.blocks.iter() {
            let mut insts = data.insts();
            let first = insts.position(|inst| offsets.contains(&defined.body.insts[inst].offset));
            let at_end = program.end_operator(data).filter(|offset| offsets.contains(offset));
            let before = first.or_else(|| at_end.map(|_| data.insts().len()));
            goals.extend(before.map(|before| Goal::Point(func, block, before)));
        }
    }
    new(text, What::Operators(operators), goals)
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
