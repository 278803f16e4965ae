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
        for (value, data) in self.body.values.iter() {
            let defined = match data.def {
                Def::Param(block, index) => self.params(block).get(index as usize),
                Def::Result(inst, index) => self.body.list(self.body.insts[inst].results).get(index as usize),
            };
            ensure(Body::ENTRY, defined == Some(&value), || format!("{value} is not where it says"))?;
        }
        self.body.blocks.ids().try_for_each(|block| self.block(block))
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
                let all_used = (0..targets.len() as u32).all(|t| t == *default || cases.contains(&t));
                ensure(block, all_used, || "a target has no case".into())
            }
            Terminator::Invoke { handlers, .. } => {
                let last = self.body.blocks[block].insts().next_back();
                let is_call = last.is_some_and(|inst| ops::is_call(&self.body.insts[inst].op));
                ensure(block, is_call && !handlers.is_empty(), || "it invokes no call".into())
            }
            Terminator::Throw { args, .. } => self.body.list(*args).iter().try_for_each(|&arg| uses(arg)),
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
        let payload = match handler.tag {
            Some(tag) => self.program.types[self.program.tags[tag as usize] as usize].params.as_slice(),
            None => &[],
        };
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
                Some(home) => self.dominators.dominates(home, block) && !self.thrown_over(home, def, block),
                None => false,
            },
        };
        ensure(block, usable, || format!("{value} is used but not defined on every way there"))
    }

    /// Whether `block` may be reached by an exception of `call`, whose results are then not defined.
    fn thrown_over(&self, home: Block, call: Inst, block: Block) -> bool {
        let Terminator::Invoke { handlers, .. } = &self.body.blocks[home].end else { return false };
        let is_the_call = self.body.blocks[home].insts().next_back() == Some(call);
        is_the_call && handlers.iter().any(|handler| self.dominators.dominates(handler.to, block))
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

/// Sites are in the order of the code, inside their functions, and no operator has two.
fn verify_sites(program: &Program) -> Result<(), Broken> {
    let mut before = 0;
    for (site, data) in program.sites.iter() {
        let defined = program.functions[data.func].defined();
        let inside = defined
            .is_some_and(|defined| defined.range.contains(&data.offset) && defined.sites.contains(&site));
        if data.offset <= before || !inside {
            let what = format!("{site} at byte {} is out of order", data.offset);
            return Err(Broken { func: data.func, block: Body::ENTRY, what });
        }
        before = data.offset;
    }
    Ok(())
}

fn ensure(block: Block, holds: bool, what: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err((block, what())) }
}
