//! What a backward search wants to know of a program: who calls whom and where, loops, and what calls may change.

use super::effects::Effects;
use super::region::Region;
use super::start::Start;
use crate::facts::{Facts, Past, Trust};
use coax_program::calls::CallGraph;
use coax_program::cfg::{Cfg, Dominators, Loop, Loops};
use coax_program::ir::{Block, Body, Terminator, Value};
use coax_program::ops::is_call;
use coax_program::{Func, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A program, seen from behind.
pub struct Graph<'p> {
    pub(super) program: &'p Program,
    /// The functions that are called from outside; the first is the entry.
    pub(super) roots: Vec<Func>,
    calls: &'p CallGraph,
    /// What all runs do at first, if that is known.
    past: Option<Past>,
    /// What is true of all runs, if that can be said: found when it is needed, for each way to trust or not.
    facts: [OnceLock<Option<Facts<'p>>>; 4],
    /// Where each function is called: the caller, the block, and how many instructions of it are before the call.
    callers: BTreeMap<Func, Vec<CallPlace>>,
    pub(super) effects: Vec<Effects>,
    shapes: Vec<OnceLock<Shape>>,
    /// The functions that each call reaches, by caller and place.
    callees: BTreeMap<CallPlace, Vec<Func>>,
    /// The global that points to the stack.
    pub(super) stack_pointer: Option<u32>,
    /// What memory and globals hold at first.
    pub(super) start: Start<'p>,
}

/// Operators within loops, counted for each loop: 2,000 loops of five operators within each other have as many. What is listed of them takes
/// some hundred megabytes; compiled programs have a hundredth of it.
const MOST_IN_LOOPS: u64 = 10_000_000;

/// Where a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CallPlace {
    pub(super) caller: Func,
    pub(super) block: Block,
    /// How many instructions of the block are before it; all of them if it is how the block ends.
    pub(super) before: usize,
}

/// The shape of a function's code.
pub(super) struct Shape {
    pub(super) cfg: Cfg,
    pub(super) dominators: Dominators,
    pub(super) loops: Loops,
    /// What lies above each block where ways join, and above each that loops are left for.
    joins: Vec<OnceLock<Option<Region>>>,
    exits: Vec<OnceLock<Option<Region>>>,
    /// What the rounds of each loop may change, and what it is given, in the order of the loops.
    pub(super) effects: Vec<Effects>,
    pub(super) given: Vec<Vec<Value>>,
}

impl Shape {
    /// The number of the loop with this header.
    pub(super) fn loop_at(&self, header: Block) -> Option<usize> {
        self.loops.loops.iter().position(|around| around.header == header)
    }
}

impl<'p> Graph<'p> {
    /// Looks at a program that is entered by these functions, the entry first.
    pub fn new(program: &'p Program, roots: &[Func]) -> Graph<'p> {
        let calls = program.calls();
        let mut callers: BTreeMap<Func, Vec<CallPlace>> = BTreeMap::new();
        let mut callees = BTreeMap::new();
        for (caller, function) in program.functions.iter() {
            let Some(defined) = function.defined() else { continue };
            let places = call_places(caller, &defined.body);
            for call in &calls.calls[caller] {
                // Code that nothing leads to has no blocks.
                let Some(&place) = places.get(&program.sites[call.site].offset) else { continue };
                let reached = call.callees.iter();
                reached.for_each(|callee| callers.entry(*callee).or_default().push(place));
                // Who may reach functions that are not known is passed over.
                callees.insert(place, if call.open { Vec::new() } else { call.callees.clone() });
            }
        }
        let stack_pointer =
            program.globals.iter().position(|global| global.name.as_deref() == Some("__stack_pointer"));
        Graph {
            program,
            roots: roots.to_vec(),
            callers,
            effects: Effects::of_functions(program, calls),
            calls,
            past: None,
            facts: Default::default(),
            shapes: program.functions.ids().map(|_| OnceLock::new()).collect(),
            callees,
            stack_pointer: stack_pointer.map(|global| global as u32),
            start: Start::of(program),
        }
    }

    /// The same, if this is what all runs do at first.
    pub fn with_past(self, past: Option<Past>) -> Graph<'p> {
        Graph { past, ..self }
    }

    /// Whether anything is known of what all runs do at first.
    pub fn has_past(&self) -> bool {
        self.past.is_some()
    }

    /// What is true of all runs, if this is assumed of them.
    pub(super) fn facts(&self, trust: Trust) -> Option<&Facts<'p>> {
        let past = self.past.as_ref().filter(|_| trust.start);
        let find =
            || Facts::of(self.program, self.calls, &self.roots, self.stack_pointer, trust.writes, past);
        let number = 2 * usize::from(past.is_some()) + usize::from(trust.writes);
        let facts = self.facts[number].get_or_init(find).as_ref();
        // What cannot be followed from there may be from the beginning.
        match (facts, past) {
            (None, Some(_)) => self.facts(Trust { start: false, ..trust }),
            _ => facts,
        }
    }

    /// The code of a function, which has some.
    pub(super) fn body(&self, func: Func) -> &'p Body {
        let program: &'p Program = self.program;
        &program.functions[func].defined().expect("only functions with code are looked at").body
    }

    /// Its shape.
    pub(super) fn shape(&self, func: Func) -> &Shape {
        self.shapes[func.0 as usize].get_or_init(|| {
            let body = self.body(func);
            let cfg = Cfg::of(body);
            let dominators = Dominators::of(&cfg);
            let loops = match self.is_tangled(func) {
                true => Loops::none(&cfg),
                false => Loops::of(&cfg, &dominators),
            };
            let of_loop = |a: &Loop| Effects::of_blocks(self, func, &a.blocks);
            let effects = loops.loops.iter().map(of_loop).collect();
            let given = loops.loops.iter().map(|around| given_to(body, around)).collect();
            let nothing = || body.blocks.ids().map(|_| OnceLock::new()).collect();
            Shape { cfg, dominators, loops, joins: nothing(), exits: nothing(), effects, given }
        })
    }

    /// Whether so many loops of a function are within each other that nobody looks for ways back through it: all blocks of each are listed.
    pub(super) fn is_tangled(&self, func: Func) -> bool {
        let size = self.program.functions[func].defined().map(|defined| defined.size);
        size.is_some_and(|size| size.in_loops > MOST_IN_LOOPS)
    }

    /// What lies above a block of a function where ways join.
    pub(super) fn above_join(&self, func: Func, join: Block) -> Option<&Region> {
        let shape = self.shape(func);
        let above = || Region::above_join(self, func, shape, join);
        shape.joins[join.0 as usize].get_or_init(above).as_ref()
    }

    /// What lies above a block of a function that loops are left for.
    pub(super) fn above_exit(&self, func: Func, exit: Block) -> Option<&Region> {
        let shape = self.shape(func);
        let above = || Region::above_exit(self, func, shape, exit);
        shape.exits[exit.0 as usize].get_or_init(above).as_ref()
    }

    /// Whether an address is one of static data, and not of the stack.
    pub(super) fn is_static(&self, address: u64) -> bool {
        self.stack_pointer.is_some_and(|stack_pointer| self.start.is_static(stack_pointer, address))
    }

    /// Where a call is in the module.
    pub(super) fn offset(&self, place: CallPlace) -> u32 {
        let body = self.body(place.caller);
        let data = &body.blocks[place.block];
        data.insts().nth(place.before).map_or(data.end_offset, |inst| body.insts[inst].offset)
    }

    /// The functions that can be called.
    pub(super) fn called(&self) -> BTreeSet<Func> {
        self.calls.reachable(self.roots.iter().copied()).into_iter().collect()
    }

    /// Where a function is called.
    pub(super) fn callers(&self, func: Func) -> &[CallPlace] {
        self.callers.get(&func).map_or(&[], Vec::as_slice)
    }

    /// The functions that a call may reach; none if they are not known.
    pub(super) fn callees(&self, place: CallPlace) -> &[Func] {
        self.callees.get(&place).map_or(&[], Vec::as_slice)
    }

    /// The blocks with which a function returns; none if it has other ways to give results.
    pub(super) fn returns(&self, func: Func) -> Option<Vec<Block>> {
        let body = self.program.functions[func].defined().map(|defined| &defined.body)?;
        let mut returns = Vec::new();
        for (block, data) in body.blocks.iter() {
            match data.end {
                Terminator::Return(_) => returns.push(block),
                Terminator::TailCall { .. } => return None,
                _ => {}
            }
        }
        Some(returns)
    }
}

/// What a loop is given when it is entered: the parameters of its header, and values from outside that it uses.
fn given_to(body: &Body, around: &Loop) -> Vec<Value> {
    let is_within = |block: &Block| around.blocks.binary_search(block).is_ok();
    let mut given = body.list(body.blocks[around.header].params).to_vec();
    let mut seen: BTreeSet<Value> = given.iter().copied().collect();
    let mut defined: BTreeSet<Value> = BTreeSet::new();
    for &block in &around.blocks {
        let data = &body.blocks[block];
        defined.extend(body.list(data.params));
        defined.extend(data.insts().flat_map(|inst| body.list(body.insts[inst].results)));
    }
    for &block in &around.blocks {
        let data = &body.blocks[block];
        let operands = data.insts().flat_map(|inst| body.list(body.insts[inst].args));
        // What leaves the loop is nobody's business here.
        let edges = data.end.edges().iter().filter(|edge| is_within(&edge.to));
        let passed = edges.flat_map(|edge| body.list(edge.args));
        let decides = match &data.end {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { index: value, .. } => {
                Some(value)
            }
            _ => None,
        };
        for &value in operands.chain(passed).chain(decides) {
            if !defined.contains(&value) && seen.insert(value) {
                given.push(value);
            }
        }
    }
    given
}

/// Where the calls of a function are, by their bytes in the module.
fn call_places(caller: Func, body: &Body) -> BTreeMap<u32, CallPlace> {
    let mut places = BTreeMap::new();
    for (block, data) in body.blocks.iter() {
        for (before, inst) in data.insts().enumerate().filter(|(_, inst)| is_call(&body.insts[*inst].op)) {
            places.insert(body.insts[inst].offset, CallPlace { caller, block, before });
        }
        if let Terminator::TailCall { .. } = data.end {
            places.insert(data.end_offset, CallPlace { caller, block, before: data.insts().len() });
        }
    }
    places
}
