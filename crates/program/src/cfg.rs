//! The control-flow graph of a body: predecessors, an order, dominators, loops.

use crate::entity::Id;
use crate::ir::{Block, Body};

/// The control-flow graph of one function.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Vec<Vec<Block>>,
    predecessors: Vec<Vec<Block>>,
    /// All blocks; but for loops, each comes after its predecessors.
    pub reverse_postorder: Vec<Block>,
    /// Place of each block in `reverse_postorder`.
    place: Vec<u32>,
}

impl Cfg {
    /// The graph of a body.
    pub fn of(body: &Body) -> Self {
        let mut successors = Vec::with_capacity(body.blocks.len());
        let mut predecessors = vec![Vec::new(); body.blocks.len()];
        for (block, data) in body.blocks.iter() {
            let mut next: Vec<Block> = data.end.successors().collect();
            next.sort_unstable();
            next.dedup();
            next.iter().for_each(|to| predecessors[to.index()].push(block));
            successors.push(next);
        }
        let reverse_postorder = reverse_postorder(&successors);
        let mut place = vec![u32::MAX; body.blocks.len()];
        for (index, block) in reverse_postorder.iter().enumerate() {
            place[block.index()] = index as u32;
        }
        Cfg { successors, predecessors, reverse_postorder, place }
    }

    /// The blocks that control may go to from this one, each once, ascending.
    pub fn successors(&self, block: Block) -> &[Block] {
        &self.successors[block.index()]
    }

    /// The blocks that control may come from, each once, ascending.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        &self.predecessors[block.index()]
    }

    /// Whether control can get to the block from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.place[block.index()] != u32::MAX
    }

    /// Place of a reachable block in the reverse postorder.
    pub fn place(&self, block: Block) -> u32 {
        self.place[block.index()]
    }

    /// For each block that is on a cycle, the first block of all that are on cycles with it (Kosaraju's algorithm).
    pub fn cycles(&self) -> Vec<Option<Block>> {
        let mut first = vec![None; self.place.len()];
        for &header in &self.reverse_postorder {
            let mut waiting = vec![header];
            while let Some(block) = waiting.pop() {
                if self.is_reachable(block) && first[block.index()].is_none() {
                    first[block.index()] = Some(header);
                    waiting.extend(self.predecessors(block));
                }
            }
        }
        let mut is_cycle = vec![false; self.place.len()];
        for &block in &self.reverse_postorder {
            let is_within = |to: &Block| first[to.index()] == first[block.index()];
            if let Some(header) =
                first[block.index()].filter(|_| self.successors(block).iter().any(is_within))
            {
                is_cycle[header.index()] = true;
            }
        }
        first.into_iter().map(|header| header.filter(|header: &Block| is_cycle[header.index()])).collect()
    }
}

fn reverse_postorder(successors: &[Vec<Block>]) -> Vec<Block> {
    let mut visited = vec![false; successors.len()];
    let mut order = Vec::with_capacity(successors.len());
    let mut stack = vec![(Body::ENTRY, 0)];
    visited[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        match successors[block.index()].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut visited[to.index()], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The dominator tree (Cooper, Harvey, Kennedy 2001, "A Simple, Fast Dominance Algorithm").
#[derive(Clone, Debug)]
pub struct Dominators {
    /// Immediate dominator of each block; the entry's is itself, an unreachable block has none.
    immediate: Vec<Option<Block>>,
    /// First and last visit in a walk of the tree: `a` dominates `b` if its interval contains `b`'s.
    interval: Vec<(u32, u32)>,
}

impl Dominators {
    /// The dominators of a graph.
    pub fn of(cfg: &Cfg) -> Self {
        let mut immediate = vec![None; cfg.place.len()];
        immediate[Body::ENTRY.index()] = Some(Body::ENTRY);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.reverse_postorder.iter().skip(1) {
                let known =
                    cfg.predecessors(block).iter().copied().filter(|p| immediate[p.index()].is_some());
                let dominator = known.reduce(|a, b| intersect(cfg, &immediate, a, b));
                changed |= immediate[block.index()] != dominator;
                immediate[block.index()] = dominator;
            }
        }
        let interval = intervals(cfg, &immediate);
        Dominators { immediate, interval }
    }

    /// The closest strict dominator; none for the entry.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.immediate[block.index()].filter(|&dominator| dominator != block)
    }

    /// Whether every way to `below` passes through `above` (a block dominates itself).
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        let (first, last) = self.interval[above.index()];
        let (visit, _) = self.interval[below.index()];
        first <= visit && visit <= last
    }
}

fn intersect(cfg: &Cfg, immediate: &[Option<Block>], mut a: Block, mut b: Block) -> Block {
    let up = |block: Block| immediate[block.index()].expect("blocks before have dominators");
    while a != b {
        while cfg.place(a) > cfg.place(b) {
            a = up(a);
        }
        while cfg.place(b) > cfg.place(a) {
            b = up(b);
        }
    }
    a
}

fn intervals(cfg: &Cfg, immediate: &[Option<Block>]) -> Vec<(u32, u32)> {
    let mut size = vec![1u32; immediate.len()];
    for &block in cfg.reverse_postorder.iter().skip(1).rev() {
        let parent = immediate[block.index()].expect("reachable");
        size[parent.index()] += size[block.index()];
    }
    // Parents come before children in this order, so each child can take the next part of its parent's.
    let mut interval = vec![(u32::MAX, 0); immediate.len()];
    let mut next = vec![0u32; immediate.len()];
    for &block in &cfg.reverse_postorder {
        let parent = immediate[block.index()].expect("reachable");
        let first = if block == parent { 0 } else { next[parent.index()] };
        next[parent.index()] = first + size[block.index()];
        next[block.index()] = first + 1;
        interval[block.index()] = (first, first + size[block.index()] - 1);
    }
    interval
}

/// The natural loops of a function, outer ones before those they contain.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The loops.
    pub loops: Vec<Loop>,
    innermost: Vec<Option<u32>>,
}

/// A natural loop: a block that dominates a jump back to it. (Wasm has no other cycles.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where it is entered.
    pub header: Block,
    /// Its blocks, those of inner loops included, ascending.
    pub blocks: Vec<Block>,
    /// The loop around it, by index.
    pub parent: Option<u32>,
}

impl Loops {
    /// The loops of a graph.
    pub fn of(cfg: &Cfg, dominators: &Dominators) -> Self {
        let mut loops: Vec<Loop> = Vec::new();
        let mut innermost: Vec<Option<u32>> = vec![None; cfg.place.len()];
        for &header in &cfg.reverse_postorder {
            let is_back = |&from: &Block| cfg.is_reachable(from) && dominators.dominates(header, from);
            let back: Vec<Block> = cfg.predecessors(header).iter().copied().filter(is_back).collect();
            if !back.is_empty() {
                let parent = innermost[header.index()];
                let blocks = blocks_of_loop(cfg, header, back);
                blocks.iter().for_each(|block| innermost[block.index()] = Some(loops.len() as u32));
                loops.push(Loop { header, blocks, parent });
            }
        }
        Loops { loops, innermost }
    }

    /// None, whatever the graph has: for who does not look at loops.
    pub fn none(cfg: &Cfg) -> Self {
        Loops { loops: Vec::new(), innermost: vec![None; cfg.place.len()] }
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: Block) -> Option<&Loop> {
        self.innermost[block.index()].map(|index| &self.loops[index as usize])
    }

    /// The loops around a block, the innermost first.
    pub fn around(&self, block: Block) -> impl Iterator<Item = &Loop> {
        let parents = |&index: &u32| self.loops[index as usize].parent;
        std::iter::successors(self.innermost[block.index()], parents).map(|index| &self.loops[index as usize])
    }

    /// How many loops are around a block.
    pub fn depth(&self, block: Block) -> usize {
        self.around(block).count()
    }
}

/// The header and all that reaches one of the jumps back without passing it.
fn blocks_of_loop(cfg: &Cfg, header: Block, back: Vec<Block>) -> Vec<Block> {
    let mut blocks = std::collections::BTreeSet::from([header]);
    let mut stack = back;
    while let Some(block) = stack.pop() {
        if blocks.insert(block) {
            stack.extend_from_slice(cfg.predecessors(block));
        }
    }
    blocks.into_iter().collect()
}
