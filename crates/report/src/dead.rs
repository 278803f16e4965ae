//! Dead code: functions and lines that nothing gets to, whatever the input is, as far as that is proved.
//!
//! Proofs are about directions of branches; the rest follows from control flow: what is only behind such directions is dead, and so are
//! functions that are only called there.

use crate::Report;
use coax_execute::Entry;
use coax_program::ir::{Block, Body};
use coax_program::{Func, Program, Site};
use coax_search::{Uncovered, Why};
use std::collections::{BTreeMap, BTreeSet};

/// A piece of dead code.
#[derive(Debug)]
pub struct Dead<'a> {
    /// The function that it is in, or is.
    pub func: Func,
    /// The direction that leads there and that nothing takes; nothing if the whole function is dead.
    pub behind: Option<&'a Uncovered>,
    /// Its lines, by file.
    pub lines: BTreeMap<String, BTreeSet<u32>>,
    /// Whether some of them are dead only if inputs are as assumed.
    pub is_assuming: bool,
}

/// All dead code in scope.
pub fn dead_code<'a>(report: &Report<'a>) -> Vec<Dead<'a>> {
    let program = report.program;
    // Who does not know where the program begins proves nothing.
    let Ok(entry) = Entry::find(program, Some(&report.entry)) else { return Vec::new() };
    let roots = entry.roots(program);
    let Proofs { taken_by_none: proved, not_called } = Proofs::of(report, |_| true);
    let live = live_blocks(program, roots.clone(), &proved, &not_called);
    let live_lines = lines_of_all(report, &live);
    // What is alive if nothing is assumed.
    let certain = Proofs::of(report, |it| !it.is_assuming);
    let without_assuming = live_blocks(program, roots, &certain.taken_by_none, &certain.not_called);
    let live_without_assuming = lines_of_all(report, &without_assuming);
    let mut found = Vec::new();
    for (func, function) in program.functions.iter() {
        let Some(defined) = function.defined().filter(|_| (report.in_scope)(func)) else { continue };
        let mut add = |behind: Option<&'a Uncovered>, blocks: &BTreeSet<Block>| {
            let mut lines: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
            let mut is_assuming = false;
            for place in lines_of(report, func, blocks).difference(&live_lines) {
                is_assuming |= live_without_assuming.contains(place);
                lines.entry(place.0.clone()).or_default().insert(place.1);
            }
            if !lines.is_empty() {
                found.push(Dead { func, behind, lines, is_assuming });
            }
        };
        let Some(live) = live.get(&func) else {
            add(None, &defined.body.blocks.ids().collect());
            continue;
        };
        for data in live.iter().map(|block| &defined.body.blocks[*block]) {
            let Some(site) = program.end_site(data) else { continue };
            for (edge, direction) in data.end.edges().iter().zip(0..) {
                if let Some(behind) = proved.get(&(site, direction)).filter(|_| !live.contains(&edge.to)) {
                    add(Some(behind), &blocks_from(&defined.body, edge.to, |_, _| true));
                }
            }
        }
    }
    found
}

/// What is proved of branches.
struct Proofs<'a> {
    taken_by_none: BTreeMap<(Site, u32), &'a Uncovered>,
    not_called: BTreeSet<Func>,
}

impl<'a> Proofs<'a> {
    /// Those that somebody trusts.
    fn of(report: &Report<'a>, is_trusted: impl Fn(&Uncovered) -> bool) -> Proofs<'a> {
        let mut proofs = Proofs { taken_by_none: BTreeMap::new(), not_called: BTreeSet::new() };
        for it in report.findings.uncovered.iter().filter(|it| is_trusted(it)) {
            match it.why {
                Why::Proved => {
                    proofs.taken_by_none.insert((it.site, it.direction), it);
                }
                Why::ProvedNotCalled => {
                    proofs.not_called.insert(report.program.sites[it.site].func);
                }
                _ => {}
            }
        }
        proofs
    }
}

/// The functions that may be called, each with the blocks that control may come to if nothing takes what is proved.
fn live_blocks(
    program: &Program,
    roots: Vec<Func>,
    proved: &BTreeMap<(Site, u32), &Uncovered>,
    not_called: &BTreeSet<Func>,
) -> BTreeMap<Func, BTreeSet<Block>> {
    let graph = program.calls();
    let mut live = BTreeMap::new();
    let mut waiting = roots;
    while let Some(func) = waiting.pop() {
        let Some(defined) = program.functions[func].defined() else { continue };
        if live.contains_key(&func) || not_called.contains(&func) {
            continue;
        }
        let body = &defined.body;
        let blocks = blocks_from(body, Body::ENTRY, |block, direction| {
            let site = program.end_site(&body.blocks[block]);
            !site.is_some_and(|site| proved.contains_key(&(site, direction)))
        });
        let mut offsets = BTreeSet::new();
        for &block in &blocks {
            let data = &body.blocks[block];
            offsets.extend(data.insts().map(|inst| body.insts[inst].offset).chain([data.end_offset]));
        }
        let calls = graph.calls[func].iter();
        let calls = calls.filter(|call| offsets.contains(&program.sites[call.site].offset));
        waiting.extend(calls.flat_map(|call| &call.callees));
        live.insert(func, blocks);
    }
    live
}

/// The blocks that control may come to from one, by the directions that it may go in.
fn blocks_from(body: &Body, from: Block, goes: impl Fn(Block, u32) -> bool) -> BTreeSet<Block> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(block) = waiting.pop() {
        if reached.insert(block) {
            let end = &body.blocks[block].end;
            let edges = end.edges().iter().zip(0..).filter(|(_, direction)| goes(block, *direction));
            waiting.extend(edges.map(|(edge, _)| edge.to));
            waiting.extend(end.handlers().iter().map(|handler| handler.to));
        }
    }
    reached
}

/// The lines in scope of these blocks, by function.
fn lines_of_all(report: &Report<'_>, blocks: &BTreeMap<Func, BTreeSet<Block>>) -> BTreeSet<(String, u32)> {
    blocks.iter().flat_map(|(&func, blocks)| lines_of(report, func, blocks)).collect()
}

/// The lines in scope that some blocks of a function have code of.
fn lines_of(report: &Report<'_>, func: Func, blocks: &BTreeSet<Block>) -> BTreeSet<(String, u32)> {
    let Some(defined) = report.program.functions[func].defined() else { return BTreeSet::new() };
    let body = &defined.body;
    let insts = blocks.iter().flat_map(|block| body.blocks[*block].insts());
    let ends = blocks.iter().filter_map(|block| report.program.end_operator(&body.blocks[*block]));
    let offsets: BTreeSet<u32> = insts.map(|inst| body.insts[inst].offset).chain(ends).collect();
    let code = &report.lines().code;
    let parts = code.parts(func).filter(|part| offsets.contains(&part.offset));
    parts.map(|part| (code.file(part.line).to_owned(), part.line.1)).collect()
}
