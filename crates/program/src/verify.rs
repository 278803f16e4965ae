//! Checks the invariants of [`crate::ir`] on every function of a program.
//!
//! It shares nothing with the lifter but the types, so that it can judge it. What a wasm operator
//! takes and gives is wasm's business and was validated there; here, uses must be dominated by their
//! definitions, edges must fit their targets, and calls must fit their callees.

use crate::cfg::{Cfg, Dominators};
use crate::entity::Id;
use crate::ir::{Block, Body, Def, Edge, Handler, Inst, Op, Terminator, ValType, Value};
use crate::ops;
use crate::program::{Defined, Func, Program};
use crate::site::{Site, SiteKind};
use std::collections::BTreeSet;

/// The first broken invariant.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{func}, {block}: {what}")]
pub struct Broken {
    /// In which function.
    pub func: Func,
    /// In which block.
    pub block: Block,
    /// What is wrong.
    pub what: String,
}

/// Checks a whole program.
pub fn verify(program: &Program) -> Result<(), Broken> {
    for (func, function) in program.functions.iter() {
        if let Some(defined) = function.defined() {
            Check::new(program, func, defined).run().map_err(|(block, what)| Broken { func, block, what })?;
        }
    }
    verify_sites(program)
}

type Verdict = Result<(), (Block, String)>;

struct Check<'a> {
    program: &'a Program,
    func: Func,
    body: &'a Body,
    cfg: Cfg,
    dominators: Dominators,
    /// The block of each instruction.
    home: Vec<Option<Block>>,
}

impl<'a> Check<'a> {
    fn new(program: &'a Program, func: Func, defined: &'a Defined) -> Self {
        let body = &defined.body;
        let cfg = Cfg::of(body);
        let dominators = Dominators::of(&cfg);
        let mut home = vec![None; body.insts.len()];
        for (block, data) in body.blocks.iter() {
            data.insts().for_each(|inst| home[inst.index()] = Some(block));
        }
        Check { program, func, body, cfg, dominators, home }
    }

    fn run(&self) -> Verdict {
        let entry = self.types(self.body.list(self.body.blocks[Body::ENTRY].params));
        ensure(Body::ENTRY, entry == self.program.signature(self.func).params, || {
            "the entry block's parameters are not the function's".into()
        })?;
        let entered = !self.cfg.predecessors(Body::ENTRY).is_empty();
        ensure(Body::ENTRY, !entered, || "the entry block has a predecessor".into())?;
        self.home.iter().enumerate().try_for_each(|(index, home)| {
            ensure(Body::ENTRY, home.is_some(), || format!("{} is in no block", Inst::new(index)))
        })?;
        self.definitions()?;
        self.body.blocks.ids().try_for_each(|block| self.block(block))
    }

    /// Each value is defined exactly once, where it says.
    fn definitions(&self) -> Verdict {
        let params = self.body.blocks.iter().flat_map(|(block, data)| {
            let places = self.body.list(data.params).iter().zip(0..);
            places.map(move |(&value, index)| (value, Def::Param(block, index)))
        });
        let results = self.body.insts.iter().flat_map(|(inst, data)| {
            let places = self.body.list(data.results).iter().zip(0..);
            places.map(move |(&value, index)| (value, Def::Result(inst, index)))
        });
        let mut defined = 0;
        for (value, def) in params.chain(results) {
            defined += 1;
            let says = self.body.values.get(value).map(|data| data.def);
            ensure(Body::ENTRY, says == Some(def), || format!("{value} is not where it says"))?;
        }
        ensure(Body::ENTRY, defined == self.body.values.len(), || "a value is defined nowhere".into())
    }

    fn block(&self, block: Block) -> Verdict {
        ensure(block, self.cfg.is_reachable(block), || "it cannot be reached".into())?;
        let data = &self.body.blocks[block];
        for inst in data.insts() {
            let data = &self.body.insts[inst];
            let args = self.body.list(data.args);
            args.iter().try_for_each(|&arg| self.usable(block, Some(inst), arg))?;
            let moves_control = ops::is_tail_call(&data.op)
                || matches!(data.op, Op::Throw { .. } | Op::ThrowRef | Op::Unreachable);
            ensure(block, !moves_control, || format!("{inst} is a terminator"))?;
            if ops::is_call(&data.op) {
                self.call(block, &data.op, args, Some(self.body.list(data.results)))?;
            }
        }
        self.end(block, &data.end)
    }

    fn end(&self, block: Block, end: &Terminator) -> Verdict {
        for edge in end.edges() {
            self.edge(block, edge)?;
        }
        end.handlers().iter().try_for_each(|handler| self.handler(block, handler))?;
        let uses = |value: Value| self.usable(block, None, value);
        match end {
            Terminator::Jump(_) | Terminator::Unreachable => Ok(()),
            Terminator::Branch { condition, .. } => {
                uses(*condition)?;
                self.is_i32(block, *condition)
            }
            Terminator::Switch { index, targets, cases, default } => {
                uses(*index)?;
                self.is_i32(block, *index)?;
                let in_range = cases.iter().chain([default]).all(|&case| (case as usize) < targets.len());
                ensure(block, in_range, || "a case has no target".into())?;
                let used: BTreeSet<u32> = cases.iter().chain([default]).copied().collect();
                ensure(block, used.len() == targets.len(), || "a target has no case".into())
            }
            Terminator::Invoke { normal, handlers } => {
                let last = self.body.blocks[block].insts().next_back();
                let is_call = last.is_some_and(|inst| ops::is_call(&self.body.insts[inst].op));
                ensure(block, is_call && !handlers.is_empty(), || "it invokes no call".into())?;
                // So that what this block dominates through `normal` was reached by a return.
                let alone = self.cfg.predecessors(normal.to) == [block];
                ensure(block, alone, || format!("{} is also reached without the call", normal.to))
            }
            Terminator::Throw { op, args, .. } => {
                let args = self.body.list(*args);
                args.iter().try_for_each(|&arg| uses(arg))?;
                match *op {
                    Op::Throw { tag_index } => self.fits(block, args, self.payload(tag_index), "payload"),
                    _ => self.fits(block, args, &[ValType::EXNREF], "exception"),
                }
            }
            Terminator::Return(results) => {
                let results = self.body.list(*results);
                results.iter().try_for_each(|&result| uses(result))?;
                self.fits(block, results, &self.program.signature(self.func).results, "results")
            }
            Terminator::TailCall { op, args } => {
                let args = self.body.list(*args);
                args.iter().try_for_each(|&arg| uses(arg))?;
                self.call(block, op, args, None)
            }
        }
    }

    fn call(&self, block: Block, op: &Op, args: &[Value], results: Option<&[Value]>) -> Verdict {
        let (ty, indirect) = match *op {
            Op::Call { function_index } | Op::ReturnCall { function_index } => {
                (self.program.functions[Func(function_index)].type_index, 0)
            }
            Op::CallIndirect { type_index, .. } | Op::ReturnCallIndirect { type_index, .. } => {
                (type_index, 1)
            }
            _ => return ensure(block, false, || "not a call".into()),
        };
        let signature = &self.program.types[ty as usize];
        self.fits(block, &args[..args.len() - indirect], &signature.params, "arguments")?;
        match results {
            Some(results) => self.fits(block, results, &signature.results, "results"),
            None => ensure(block, signature.results == self.program.signature(self.func).results, || {
                "a tail call returns something else than the function".into()
            }),
        }
    }

    fn edge(&self, block: Block, edge: &Edge) -> Verdict {
        let args = self.body.list(edge.args);
        args.iter().try_for_each(|&arg| self.usable(block, None, arg))?;
        self.fits(block, args, &self.types(self.params(edge.to)), "edge arguments")
    }

    fn handler(&self, block: Block, handler: &Handler) -> Verdict {
        let payload = handler.tag.map_or(&[][..], |tag| self.payload(tag));
        let params = self.types(self.params(handler.to));
        let fits =
            params.starts_with(payload) && params.len() == payload.len() + usize::from(handler.with_ref);
        ensure(block, fits, || format!("the handler {} does not take the payload", handler.to))?;
        let alone = self.cfg.predecessors(handler.to) == [block];
        ensure(block, alone, || format!("the handler {} has other predecessors", handler.to))
    }

    /// Whether a value is defined before its use by `inst`, or by the terminator.
    fn usable(&self, block: Block, inst: Option<Inst>, value: Value) -> Verdict {
        let usable = match self.body.values.get(value).map(|data| data.def) {
            None => false,
            Some(Def::Param(home, _)) => self.dominators.dominates(home, block),
            Some(Def::Result(def, _)) => match self.home[def.index()] {
                Some(home) if home == block => inst.is_none_or(|inst| def < inst),
                Some(home) => self.dominators.dominates(self.defined_from(home, def), block),
                None => false,
            },
        };
        ensure(block, usable, || format!("{value} is used but not defined on every way there"))
    }

    /// The block from which on the results of an instruction are defined: a call that throws has none, so
    /// those of an invoked call are there only where it returned to.
    fn defined_from(&self, home: Block, inst: Inst) -> Block {
        let data = &self.body.blocks[home];
        match &data.end {
            Terminator::Invoke { normal, .. } if data.insts().next_back() == Some(inst) => normal.to,
            _ => home,
        }
    }

    /// The types that a tag's exceptions carry.
    fn payload(&self, tag: u32) -> &[ValType] {
        &self.program.types[self.program.tags[tag as usize] as usize].params
    }

    fn params(&self, block: Block) -> &[Value] {
        self.body.list(self.body.blocks[block].params)
    }

    fn types(&self, values: &[Value]) -> Vec<ValType> {
        values.iter().map(|&value| self.body.values[value].ty).collect()
    }

    fn is_i32(&self, block: Block, value: Value) -> Verdict {
        ensure(block, self.body.values[value].ty == ValType::I32, || format!("{value} is not an i32"))
    }

    fn fits(&self, block: Block, values: &[Value], types: &[ValType], what: &str) -> Verdict {
        let given = self.types(values);
        ensure(block, given == types, || format!("{what} are {given:?} where {types:?} is wanted"))
    }
}

/// The sites are exactly the branches, selects, calls and possible traps of the code, in its order.
fn verify_sites(program: &Program) -> Result<(), Broken> {
    let mut next = Site(0);
    for (func, function) in program.functions.iter() {
        let Some(defined) = function.defined() else { continue };
        let mut expected: Vec<(u32, SiteKind)> = sites_of(&defined.body).collect();
        expected.sort_unstable();
        let given: Vec<(u32, SiteKind)> = (defined.sites.start.0..defined.sites.end.0)
            .map(|site| &program.sites[Site(site)])
            .map(|site| (site.offset, site.kind))
            .collect();
        let inside = given.iter().all(|(offset, _)| defined.range.contains(offset));
        if defined.sites.start != next || expected != given || !inside {
            let what = format!("its sites are {given:?} where the code has {expected:?}");
            return Err(Broken { func, block: Body::ENTRY, what });
        }
        next = defined.sites.end;
    }
    Ok(())
}

fn sites_of(body: &Body) -> impl Iterator<Item = (u32, SiteKind)> + '_ {
    let insts = body.insts.values().filter_map(|inst| Some((inst.offset, inst_site(&inst.op)?)));
    let ends = body.blocks.values().filter_map(|block| {
        let kind = match &block.end {
            Terminator::Branch { .. } => SiteKind::Branch,
            Terminator::Switch { targets, .. } => SiteKind::Switch(targets.len() as u32),
            Terminator::TailCall { .. } => SiteKind::Call,
            Terminator::Unreachable | Terminator::Throw { op: Op::ThrowRef, .. } => SiteKind::Trap,
            _ => return None,
        };
        Some((block.end_offset, kind))
    });
    insts.chain(ends)
}

fn inst_site(op: &Op) -> Option<SiteKind> {
    if ops::is_call(op) {
        Some(SiteKind::Call)
    } else if ops::is_select(op) {
        Some(SiteKind::Select)
    } else {
        ops::may_trap(op).then_some(SiteKind::Trap)
    }
}

fn ensure(block: Block, holds: bool, what: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err((block, what())) }
}
