//! How far it is to a place: what a forward search goes by that is to get there, and not everywhere.
//!
//! The distance of a block is what the nearest way from it counts for: one for each decision and each call on the way down, and more for coming back from a
//! function. Whether runs can go that way nobody knows; those that come close find out.

use super::{Goal, Graph};
use coax_execute::Coverage;
use coax_program::cfg::Cfg;
use coax_program::ir::{Block, Body, Edge, Terminator};
use coax_program::{Func, Site};
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// What a call counts for.
const CALL: u32 = 1;

/// How far it is from every direction of every branch.
#[derive(Debug)]
pub struct Toward {
    goals: BTreeSet<Goal>,
    /// By site and direction; nothing if no way leads there.
    distances: BTreeMap<Site, Vec<Option<u32>>>,
    /// The same in order, the nearest first.
    in_order: Vec<(u32, Site, u32)>,
    /// The operators that are to trap, by their bytes in the module.
    traps: BTreeSet<u32>,
}

/// A place on a way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    /// The beginning of a block.
    At(Func, Block),
    /// A function has come back, to any of its callers.
    Back(Func),
}

/// The ways, from behind.
struct Ways<'a, 'p> {
    graph: &'a Graph<'p>,
    shapes: Vec<OnceCell<Cfg>>,
    /// The functions that the calls of each block reach, by how many of its instructions are before the call.
    calls: BTreeMap<(Func, Block), BTreeMap<usize, Vec<Func>>>,
    known: BTreeMap<Spot, u32>,
    heap: BinaryHeap<Reverse<(u32, Spot)>>,
}

impl Toward {
    /// How far it is to the nearest of these; none if nothing is known to lead there.
    pub fn new(graph: &Graph<'_>, goals: &[Goal]) -> Option<Toward> {
        let goals: BTreeSet<Goal> = goals.iter().copied().collect();
        let mut ways = Ways::new(graph);
        for goal in &goals {
            // Before a direction there is a decision.
            let decision = u32::from(matches!(goal, Goal::Direction(..)));
            ways.add(Spot::At(goal.func(), goal.block()), decision);
        }
        ways.follow(Ways::down);
        ways.begin_up(&goals);
        ways.follow(Ways::up);
        let is_begun = |root: &Func| ways.known.contains_key(&Spot::At(*root, Body::ENTRY));
        if !graph.roots.iter().any(is_begun) {
            return None;
        }
        let distances = ways.distances(&goals);
        let all = distances.iter().flat_map(|(site, far)| {
            (0..).zip(far).filter_map(|(direction, far)| Some(((*far)?, *site, direction)))
        });
        let mut in_order: Vec<(u32, Site, u32)> = all.collect();
        in_order.sort_unstable();
        let trap = |goal: &Goal| match goal {
            Goal::Trap(func, _, inst) => Some(graph.body(*func).insts[*inst].offset),
            _ => None,
        };
        Some(Toward { in_order, traps: goals.iter().filter_map(trap).collect(), distances, goals })
    }

    /// The places.
    pub fn goals(&self) -> &BTreeSet<Goal> {
        &self.goals
    }

    /// How far it is from a direction of a branch; nothing if no way leads there.
    pub(crate) fn from(&self, site: Site, direction: u32) -> Option<u32> {
        *self.distances.get(&site)?.get(direction as usize)?
    }

    /// Whether an operator is to trap.
    pub(crate) fn is_trap(&self, at: u32) -> bool {
        self.traps.contains(&at)
    }

    /// How near runs came that covered this; nothing if they were never on a way.
    pub(crate) fn nearest(&self, coverage: &Coverage) -> Option<u32> {
        let is_taken =
            |(_, site, direction): &&(u32, Site, u32)| coverage.directions(*site)[*direction as usize];
        self.in_order.iter().find(is_taken).map(|(far, ..)| *far)
    }
}

impl<'a, 'p> Ways<'a, 'p> {
    fn new(graph: &'a Graph<'p>) -> Ways<'a, 'p> {
        let mut calls: BTreeMap<(Func, Block), BTreeMap<usize, Vec<Func>>> = BTreeMap::new();
        for func in graph.program.functions.ids() {
            for place in graph.callers(func) {
                let of_block = calls.entry((place.caller, place.block)).or_default();
                of_block.entry(place.before).or_default().push(func);
            }
        }
        let shapes = graph.program.functions.ids().map(|_| OnceCell::new()).collect();
        Ways { graph, shapes, calls, known: BTreeMap::new(), heap: BinaryHeap::new() }
    }

    fn add(&mut self, spot: Spot, far: u32) {
        let known = self.known.entry(spot).or_insert(u32::MAX);
        if far < *known {
            *known = far;
            self.heap.push(Reverse((far, spot)));
        }
    }

    /// The nearest first (Dijkstra 1959).
    fn follow(&mut self, before: fn(&mut Ways<'a, 'p>, Spot, u32)) {
        while let Some(Reverse((far, spot))) = self.heap.pop() {
            if self.known[&spot] == far {
                before(self, spot, far);
            }
        }
    }

    /// What comes before, if nothing comes back.
    fn down(&mut self, spot: Spot, far: u32) {
        let Spot::At(func, block) = spot else { return };
        for (before, decisions) in self.before(func, block) {
            self.add(Spot::At(func, before), far + decisions);
        }
        if block == Body::ENTRY {
            for place in self.graph.callers(func) {
                self.add(Spot::At(place.caller, place.block), far + CALL);
            }
        }
    }

    /// From where functions come back, all ways lead down: to a goal in the block of the call, or to what is called there later.
    fn begin_up(&mut self, goals: &BTreeSet<Goal>) {
        self.heap.extend(self.known.iter().map(|(spot, far)| Reverse((*far, *spot))));
        let mut back = Vec::new();
        for (&(func, block), calls) in &self.calls {
            let of_block = goals.iter().filter(|goal| (goal.func(), goal.block()) == (func, block));
            let mut ends: Vec<(usize, u32)> = of_block
                .map(|goal| (self.place(*goal), u32::from(matches!(goal, Goal::Direction(..)))))
                .collect();
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

    /// How many instructions of its block are before a goal.
    fn place(&self, goal: Goal) -> usize {
        let data = &self.graph.body(goal.func()).blocks[goal.block()];
        match goal {
            Goal::Point(_, _, before) => before,
            Goal::Direction(..) => usize::MAX,
            Goal::Trap(_, _, inst) => data.insts().position(|it| it == inst).unwrap_or(usize::MAX),
        }
    }

    /// What comes before, if functions come back.
    fn up(&mut self, spot: Spot, far: u32) {
        match spot {
            Spot::At(func, block) => {
                for (before, decisions) in self.before(func, block) {
                    self.add(Spot::At(func, before), far + decisions);
                    self.come_back(func, before, far + decisions);
                }
            }
            Spot::Back(func) => {
                let Some(defined) = self.graph.program.functions[func].defined() else { return };
                for (block, data) in defined.body.blocks.iter() {
                    if let Terminator::Return(_) | Terminator::TailCall { .. } | Terminator::Throw { .. } =
                        data.end
                    {
                        self.add(Spot::At(func, block), far);
                        self.come_back(func, block, far);
                    }
                }
            }
        }
    }

    /// The blocks before one, with how many decisions they end in.
    fn before(&self, func: Func, block: Block) -> Vec<(Block, u32)> {
        let body = self.graph.body(func);
        let shape = self.shapes[func.0 as usize].get_or_init(|| Cfg::of(body));
        let decisions = |block: &Block| u32::from(body.blocks[*block].end.edges().len() > 1);
        shape.predecessors(block).iter().map(|block| (*block, decisions(block))).collect()
    }

    /// It is so far from the end of a block: so the functions that it calls may come back to it.
    fn come_back(&mut self, func: Func, block: Block, far: u32) {
        let called: Vec<Func> = self
            .calls
            .get(&(func, block))
            .into_iter()
            .flat_map(|calls| calls.values().flatten())
            .copied()
            .collect();
        for callee in called {
            self.add(Spot::Back(callee), far + self.back_from(callee));
        }
    }

    /// What it counts for that a function comes back to a certain one of its callers: the more there are, the less likely it is this one.
    fn back_from(&self, func: Func) -> u32 {
        2 + 2 * self.graph.callers(func).len() as u32
    }

    /// What was found, by branches.
    fn distances(&self, goals: &BTreeSet<Goal>) -> BTreeMap<Site, Vec<Option<u32>>> {
        let mut distances = BTreeMap::new();
        for (func, function) in self.graph.program.functions.iter() {
            let Some(defined) = function.defined() else { continue };
            for (block, data) in defined.body.blocks.iter() {
                let is_decision = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
                let Some(site) = self.graph.program.end_site(data).filter(|_| is_decision) else { continue };
                let of_edge = |(direction, edge): (u32, &Edge)| {
                    let is_goal = goals.contains(&Goal::Direction(func, block, direction));
                    is_goal.then_some(0).or_else(|| self.known.get(&Spot::At(func, edge.to)).copied())
                };
                distances.insert(site, (0..).zip(data.end.edges()).map(of_edge).collect());
            }
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_program::Program;

    const ASKS: Func = Func(0);
    const HAS: Func = Func(1);
    const BEGINS: Func = Func(2);

    fn program() -> Program {
        let text = r#"(module
            (func $asks (param i32) (result i32)
                (if (local.get 0) (then (return (i32.const 1))))
                (i32.const 0))
            (func $has (param i32)
                (if (local.get 0) (then (unreachable))))
            (func $begins (export "main") (param i32 i32)
                (if (call $asks (local.get 0)) (then (call $has (local.get 1)))))
            (func $nobody_calls))"#;
        Program::parse(wat::parse_str(text).expect("it is right")).expect("it is a module")
    }

    /// How far it is from both directions of the only branch of a function.
    fn from(program: &Program, toward: &Toward, func: Func) -> [Option<u32>; 2] {
        let mut sites = program.sites.iter();
        let (site, _) = sites
            .find(|(_, data)| data.func == func && data.kind.directions() == 2)
            .expect("it has a branch");
        [0, 1].map(|direction| toward.from(site, direction))
    }

    #[test]
    fn what_leads_down_is_near_what_comes_back_is_farther_and_the_rest_leads_nowhere() {
        let program = program();
        let body = &program.functions[HAS].defined().expect("it has code").body;
        let mut blocks = body.blocks.iter();
        let (block, _) =
            blocks.find(|(_, data)| matches!(data.end, Terminator::Unreachable)).expect("it traps");
        let graph = Graph::new(&program, &[BEGINS]);
        let toward = Toward::new(&graph, &[Goal::Point(HAS, block, 0)]).expect("there is a way");
        assert_eq!(from(&program, &toward, HAS), [None, Some(0)]);
        // The branch of the function that is called, and the call.
        assert_eq!(from(&program, &toward, BEGINS), [None, Some(2)]);
        // Whatever it gives back: that, the branch on it, and coming back to its only caller.
        assert_eq!(from(&program, &toward, ASKS), [Some(7), Some(7)]);
    }

    #[test]
    fn what_is_called_right_before_a_direction_leads_to_it() {
        let program = program();
        let graph = Graph::new(&program, &[BEGINS]);
        let toward = Toward::new(&graph, &[Goal::Direction(BEGINS, Body::ENTRY, 1)]).expect("there is a way");
        assert_eq!(from(&program, &toward, BEGINS), [None, Some(0)]);
        assert_eq!(from(&program, &toward, ASKS), [Some(5), Some(5)]);
    }

    #[test]
    fn what_nothing_leads_to_is_nothing_to_go_by() {
        let program = program();
        let graph = Graph::new(&program, &[BEGINS]);
        assert!(Toward::new(&graph, &[]).is_none());
        assert!(Toward::new(&graph, &[Goal::Point(Func(3), Body::ENTRY, 0)]).is_none());
    }
}
