//! The ways to a place, from behind.
//!
//! A way is gone against the control flow: from a block to the directions that lead to it, from a direction to the block that it is of, and from there
//! up to the callers or back into functions that were called. What a direction goes by is looked at where it is a parameter of the block or what a call gave: only those who
//! pass something that may lead in that direction are on a way ([`Decider`]).

use super::super::graph::CallPlace;
use super::super::{Goal, Graph};
use super::decider::Decider;
use coax_program::cfg::Cfg;
use coax_program::ir::{Block, Body, Def, Edge, Terminator, Value};
use coax_program::{Func, Site};
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// What a call counts for.
const CALL: u32 = 1;
/// So deep are functions looked into that give back what others gave them.
const DEEPEST: u32 = 4;

/// A place on a way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    /// The beginning of a block.
    At(Func, Block),
    /// The end of a block, in a direction.
    Going(Func, Block, u32),
    /// A function has come back, to any of its callers.
    Back(Func),
}

/// What a value must be so that it leads on: constants tell.
#[derive(Clone, Copy)]
struct Wanted<'w> {
    may_lead: &'w dyn Fn(&Body, Value) -> bool,
    /// How deep functions are that give back what others gave them.
    depth: u32,
}

impl<'w> Wanted<'w> {
    fn by(may_lead: &'w dyn Fn(&Body, Value) -> bool) -> Wanted<'w> {
        Wanted { may_lead, depth: 0 }
    }

    fn deeper(self) -> Option<Wanted<'w>> {
        (self.depth < DEEPEST).then_some(Wanted { depth: self.depth + 1, ..self })
    }
}

/// The ways, from behind.
pub(super) struct Ways<'a, 'p> {
    graph: &'a Graph<'p>,
    shapes: Vec<OnceCell<Cfg>>,
    /// The functions that the calls of each block reach, by how many of its instructions are before the call.
    calls: BTreeMap<(Func, Block), BTreeMap<usize, Vec<Func>>>,
    /// Where each function is called by others that can be called themselves.
    callers: BTreeMap<Func, Vec<CallPlace>>,
    /// See [`Ways::judged_calls`].
    judged: BTreeMap<CallPlace, Vec<Block>>,
    /// How far it is from the calls that were looked into for one decision.
    asked: BTreeMap<CallPlace, u32>,
    known: BTreeMap<Spot, u32>,
    heap: BinaryHeap<Reverse<(u32, Spot)>>,
    /// Whether functions come back.
    is_up: bool,
}

impl<'a, 'p> Ways<'a, 'p> {
    /// All ways to these.
    pub(super) fn to(graph: &'a Graph<'p>, goals: &BTreeSet<Goal>) -> Ways<'a, 'p> {
        let mut ways = Ways::new(graph);
        for goal in goals {
            let spot = match *goal {
                Goal::Direction(func, block, direction) => Spot::Going(func, block, direction),
                _ => Spot::At(goal.func(), goal.block()),
            };
            ways.add(spot, 0);
        }
        ways.follow();
        ways.begin_up(goals);
        ways.follow();
        ways
    }

    /// Whether one begins at the beginning of a function.
    pub(super) fn begin_in(&self, func: Func) -> bool {
        self.known.contains_key(&Spot::At(func, Body::ENTRY))
    }

    /// How far it is from the directions of all branches; nothing if no way leads there.
    pub(super) fn distances(&self) -> BTreeMap<Site, Vec<Option<u32>>> {
        let mut distances = BTreeMap::new();
        for (func, function) in self.graph.program.functions.iter() {
            let Some(defined) = function.defined() else { continue };
            for (block, data) in defined.body.blocks.iter() {
                let is_decision = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
                let Some(site) = self.graph.program.end_site(data).filter(|_| is_decision) else { continue };
                let far = |direction| self.known.get(&Spot::Going(func, block, direction)).copied();
                distances.insert(site, (0..data.end.edges().len() as u32).map(far).collect());
            }
        }
        distances
    }

    fn new(graph: &'a Graph<'p>) -> Ways<'a, 'p> {
        let called = graph.called();
        let mut calls: BTreeMap<(Func, Block), BTreeMap<usize, Vec<Func>>> = BTreeMap::new();
        let mut callers: BTreeMap<Func, Vec<CallPlace>> = BTreeMap::new();
        for func in graph.program.functions.ids() {
            for place in graph.callers(func).iter().filter(|place| called.contains(&place.caller)) {
                let of_block = calls.entry((place.caller, place.block)).or_default();
                of_block.entry(place.before).or_default().push(func);
                callers.entry(func).or_default().push(*place);
            }
        }
        let shapes = graph.program.functions.ids().map(|_| OnceCell::new()).collect();
        let (known, heap) = (BTreeMap::new(), BinaryHeap::new());
        let mut ways = Ways {
            graph,
            shapes,
            calls,
            callers,
            judged: BTreeMap::new(),
            asked: BTreeMap::new(),
            known,
            heap,
            is_up: false,
        };
        ways.judged = ways.judged_calls(&called);
        ways
    }

    /// The calls by which a decision of the same function goes, or whose result is given back, with the blocks that end so: of what they give it depends whether that leads on.
    fn judged_calls(&self, called: &BTreeSet<Func>) -> BTreeMap<CallPlace, Vec<Block>> {
        let mut judged: BTreeMap<CallPlace, Vec<Block>> = BTreeMap::new();
        for &func in called {
            let Some(defined) = self.graph.program.functions[func].defined() else { continue };
            let deciders =
                defined.body.blocks.ids().filter_map(|it| Some((it, Decider::of(&defined.body, it)?)));
            let by_deciders = deciders.flat_map(|(block, decider)| {
                self.givers(func, block, decider.root).into_iter().map(move |place| (block, place))
            });
            for (block, place) in by_deciders.chain(self.passed_on(func)) {
                judged.entry(place).or_default().push(block);
            }
        }
        judged
    }

    /// The calls whose result a function gives back, and where.
    fn passed_on(&self, func: Func) -> Vec<(Block, CallPlace)> {
        let body = self.graph.body(func);
        let mut passed = Vec::new();
        for (block, data) in body.blocks.iter() {
            let Terminator::Return(results) = data.end else { continue };
            let Some(&result) = body.list(results).first() else { continue };
            passed.extend(self.givers(func, block, result).into_iter().map(|place| (block, place)));
        }
        passed
    }

    /// Whether a call is judged on a way: its function's other decisions do not count.
    fn is_judged(&self, place: CallPlace) -> bool {
        let func = place.caller;
        let is_known = |block: &Block| {
            let edges = 0..self.graph.body(func).blocks[*block].end.edges().len() as u32;
            let is_left = |direction| self.known.contains_key(&Spot::Going(func, *block, direction));
            let is_entered = |(before, direction): (Block, Option<u32>)| {
                direction.is_some_and(|it| self.known.contains_key(&Spot::Going(func, before, it)))
            };
            match edges.is_empty() {
                true => {
                    self.known.contains_key(&Spot::At(func, *block))
                        || self.edges_to(func, *block).into_iter().any(is_entered)
                }
                false => edges.clone().any(is_left),
            }
        };
        self.judged.get(&place).is_some_and(|blocks| blocks.iter().any(is_known))
    }

    /// The calls that gave what a value is in a block: itself, or what is passed for it if it is a parameter of the block.
    fn givers(&self, func: Func, block: Block, value: Value) -> Vec<CallPlace> {
        let passed = match self.graph.body(func).values[value].def {
            Def::Param(of, number) if of == block && block != Body::ENTRY => {
                let edges = self.edges_to(func, block).into_iter();
                edges.filter_map(|edge| self.argument(func, edge, number)).collect()
            }
            _ => vec![value],
        };
        passed.into_iter().filter_map(|value| self.call_of(func, value)).collect()
    }

    /// What a direction passes for a parameter.
    fn argument(&self, func: Func, (from, direction): (Block, Option<u32>), number: u32) -> Option<Value> {
        let body = self.graph.body(func);
        let Edge { args, .. } = body.blocks[from].end.edges()[direction? as usize];
        body.list(args).get(number as usize).copied()
    }

    /// The call that gave a value.
    fn call_of(&self, func: Func, value: Value) -> Option<CallPlace> {
        let body = self.graph.body(func);
        let Def::Result(inst, 0) = body.values[value].def else { return None };
        let block = Block(body.blocks.partition_point(|block| block.insts.1.0 <= inst.0) as u32);
        let before = (inst.0 - body.blocks[block].insts.0.0) as usize;
        let is_known = self.calls.get(&(func, block)).is_some_and(|calls| calls.contains_key(&before));
        is_known.then_some(CallPlace { caller: func, block, before })
    }

    fn add(&mut self, spot: Spot, far: u32) {
        let known = self.known.entry(spot).or_insert(u32::MAX);
        if far < *known {
            *known = far;
            self.heap.push(Reverse((far, spot)));
        }
    }

    /// The nearest first (Dijkstra 1959).
    fn follow(&mut self) {
        while let Some(Reverse((far, spot))) = self.heap.pop() {
            if self.known[&spot] != far {
                continue;
            }
            match spot {
                Spot::At(func, block) => self.before_block(func, block, far),
                Spot::Going(func, block, direction) => self.before_direction(func, block, direction, far),
                Spot::Back(func) => self.before_return(func, far),
            }
        }
    }

    fn before_block(&mut self, func: Func, block: Block, far: u32) {
        for (before, direction) in self.edges_to(func, block) {
            match direction {
                Some(direction) => self.add(Spot::Going(func, before, direction), far),
                // An exception leads there.
                None => self.come_to_end(func, before, far),
            }
        }
        // Who was called before it comes back does not go back to callers.
        if block == Body::ENTRY && !self.is_up {
            for place in self.callers.get(&func).cloned().unwrap_or_default() {
                self.add(Spot::At(place.caller, place.block), far + CALL);
            }
        }
    }

    /// A direction is gone: by whom depends on what the decision goes by.
    fn before_direction(&mut self, func: Func, block: Block, direction: u32, far: u32) {
        let body = self.graph.body(func);
        let far = far + u32::from(body.blocks[block].end.edges().len() > 1);
        let decider = Decider::of(body, block);
        self.asked.clear();
        let may_lead =
            |body: &Body, value| decider.as_ref().is_none_or(|it| it.may_lead(body, value, direction));
        match decider.as_ref().map(|decider| body.values[decider.root].def) {
            Some(Def::Param(of, number)) if of == block && block != Body::ENTRY => {
                self.come_by_param(func, block, number, Wanted::by(&may_lead), far);
                self.come_back(func, block, far);
            }
            Some(Def::Result(..)) => {
                self.come_to_end(func, block, far);
                if let Some(place) = decider.as_ref().and_then(|decider| self.call_of(func, decider.root)) {
                    self.come_back_with(place, Wanted::by(&may_lead), far);
                }
            }
            _ => self.come_to_end(func, block, far),
        }
    }

    /// A block is come to by those who pass a parameter that may lead on.
    fn come_by_param(&mut self, func: Func, block: Block, number: u32, wanted: Wanted<'_>, far: u32) {
        let body = self.graph.body(func);
        for edge in self.edges_to(func, block) {
            let (before, Some(direction)) = edge else {
                self.come_to_end(func, edge.0, far);
                continue;
            };
            let passed = self.argument(func, edge, number);
            if passed.is_none_or(|value| (wanted.may_lead)(body, value)) {
                self.add(Spot::Going(func, before, direction), far);
            }
            if let Some(call) = passed.and_then(|value| self.call_of(func, value)) {
                self.come_back_with(call, wanted, far);
            }
        }
    }

    /// It is so far from the end of a block.
    fn come_to_end(&mut self, func: Func, block: Block, far: u32) {
        self.add(Spot::At(func, block), far);
        self.come_back(func, block, far);
    }

    /// It is so far from the end of a block: so the functions that it calls may come back to it, except where it depends on what they give whether that leads on.
    fn come_back(&mut self, func: Func, block: Block, far: u32) {
        let Some(calls) = self.calls.get(&(func, block)).filter(|_| self.is_up) else { return };
        let places = calls.keys().map(|&before| CallPlace { caller: func, block, before });
        let places: Vec<CallPlace> = places.filter(|place| !self.is_judged(*place)).collect();
        places.into_iter().for_each(|place| self.come_back_from(place, far));
    }

    /// The functions that are called there come back with something that may lead on.
    fn come_back_with(&mut self, place: CallPlace, wanted: Wanted<'_>, far: u32) {
        let is_asked = self.asked.get(&place).is_some_and(|asked| *asked <= far);
        if !self.is_up || is_asked {
            return;
        }
        self.asked.insert(place, far);
        let Some(wanted) = wanted.deeper() else { return self.come_back_from(place, far) };
        for callee in self.callees(place) {
            let far = far + self.back_from(callee);
            let Some(defined) = self.graph.program.functions[callee].defined() else { continue };
            let body = &defined.body;
            for (block, data) in body.blocks.iter().filter(|(_, data)| is_end(&data.end)) {
                let result = match data.end {
                    Terminator::Return(results) => body.list(results).first().copied(),
                    _ => None,
                };
                if result.is_some_and(|result| !(wanted.may_lead)(body, result)) {
                    continue;
                }
                match result.map(|result| body.values[result].def) {
                    Some(Def::Param(of, number)) if of == block && block != Body::ENTRY => {
                        self.come_by_param(callee, block, number, wanted, far);
                        self.come_back(callee, block, far);
                    }
                    _ => self.come_to_end(callee, block, far),
                }
                if let Some(inner) = result.and_then(|result| self.call_of(callee, result)) {
                    self.come_back_with(inner, wanted, far);
                }
            }
        }
    }

    /// The functions that are called there come back with anything.
    fn come_back_from(&mut self, place: CallPlace, far: u32) {
        for callee in self.callees(place) {
            self.add(Spot::Back(callee), far + self.back_from(callee));
        }
    }

    /// The functions that are called there.
    fn callees(&self, place: CallPlace) -> Vec<Func> {
        let calls = self.calls.get(&(place.caller, place.block));
        calls.and_then(|calls| calls.get(&place.before)).cloned().unwrap_or_default()
    }

    /// A function has come back, whatever it gave.
    fn before_return(&mut self, func: Func, far: u32) {
        let Some(defined) = self.graph.program.functions[func].defined() else { return };
        for (block, _) in defined.body.blocks.iter().filter(|(_, data)| is_end(&data.end)) {
            self.come_to_end(func, block, far);
        }
        for place in self.passed_on(func).into_iter().map(|(_, place)| place) {
            self.come_back_from(place, far);
        }
    }

    /// From where functions come back, all ways lead down: to a goal in the block of the call, or to what is called there later.
    fn begin_up(&mut self, goals: &BTreeSet<Goal>) {
        self.is_up = true;
        self.heap.extend(self.known.iter().map(|(spot, far)| Reverse((*far, *spot))));
        let mut back = Vec::new();
        for (&(func, block), calls) in &self.calls {
            let of_block = goals.iter().filter(|goal| (goal.func(), goal.block()) == (func, block));
            let mut ends: Vec<(usize, u32)> =
                of_block.filter_map(|goal| Some((self.place(*goal)?, 0))).collect();
            for (&before, callees) in calls.iter().rev() {
                let rest = ends.iter().filter(|(place, _)| *place > before).map(|(_, far)| *far).min();
                back.extend(
                    rest.into_iter().flat_map(|far| callees.iter().map(move |callee| (*callee, far))),
                );
                let down =
                    callees.iter().filter_map(|func| self.known.get(&Spot::At(*func, Body::ENTRY))).min();
                ends.extend(down.map(|far| (before, far + CALL)));
            }
        }
        for (callee, far) in back {
            self.add(Spot::Back(callee), far + self.back_from(callee));
        }
    }

    /// How many instructions of its block are before a goal; none if it is a direction, which is a spot of its own.
    fn place(&self, goal: Goal) -> Option<usize> {
        let data = &self.graph.body(goal.func()).blocks[goal.block()];
        match goal {
            Goal::Point(_, _, before) => Some(before),
            Goal::Direction(..) => None,
            Goal::Trap(_, _, inst) => data.insts().position(|it| it == inst),
        }
    }

    /// The blocks before one, with the directions in which they lead there; none if only exceptions do.
    fn edges_to(&self, func: Func, block: Block) -> Vec<(Block, Option<u32>)> {
        let body = self.graph.body(func);
        let shape = self.shapes[func.0 as usize].get_or_init(|| Cfg::of(body));
        let mut edges = Vec::new();
        for &before in shape.predecessors(block) {
            let end = &body.blocks[before].end;
            let leads = (0..).zip(end.edges()).filter(|(_, edge)| edge.to == block);
            edges.extend(leads.map(|(direction, _)| (before, Some(direction))));
            edges.extend(end.handlers().iter().any(|it| it.to == block).then_some((before, None)));
        }
        edges
    }

    /// What it counts for that a function comes back to a certain one of its callers: the more there are, the less likely it is this one.
    fn back_from(&self, func: Func) -> u32 {
        2 + 2 * self.callers.get(&func).map_or(0, Vec::len) as u32
    }
}

/// Whether a function ends there, and comes back.
fn is_end(end: &Terminator) -> bool {
    matches!(end, Terminator::Return(_) | Terminator::TailCall { .. } | Terminator::Throw { .. })
}
