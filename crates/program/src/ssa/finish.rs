//! From a draft to a body: trivial parameters go, blocks and values are numbered in the order of the code.

use super::{Builder, Draft, DraftBlock, DraftEdge, DraftInst, EdgeId, Predecessor};
use crate::entity::{Arena, Id};
use crate::ir::{
    Block, BlockData, Body, Def, Edge, Handler, Inst, InstData, Op, Terminator, Value, ValueData, Values,
};
use std::collections::BTreeMap;

impl Builder {
    /// Removes what is superfluous and lays out the body.
    pub(crate) fn finish(mut self) -> Body {
        let zeros = std::mem::take(&mut self.zeros);
        self.blocks[Body::ENTRY].insts.splice(0..0, zeros);
        let reachable = self.reachable();
        let alias = self.trivial_params(&reachable);
        Layout::new(self, reachable, alias).run()
    }

    fn reachable(&self) -> Vec<bool> {
        let mut reachable = vec![false; self.blocks.len()];
        let mut stack = vec![Body::ENTRY];
        while let Some(block) = stack.pop() {
            if std::mem::replace(&mut reachable[block.index()], true) {
                continue;
            }
            let (end, _) = self.blocks[block].end.as_ref().expect("reachable blocks are finished");
            stack.extend(end.edges().iter().map(|&edge| self.edges[edge].to));
            stack.extend(end.handlers().iter().map(|handler| handler.to));
        }
        reachable
    }

    /// Finds the parameters that always have one and the same value, to be replaced by it.
    fn trivial_params(&self, reachable: &[bool]) -> Aliases {
        let mut alias = Aliases((0..self.values.len()).map(Value::new).collect());
        let mut users: BTreeMap<Value, Vec<Block>> = BTreeMap::new();
        let mut work: Vec<Block> = Vec::new();
        for (block, data) in self.blocks.iter().filter(|(block, _)| reachable[block.index()]) {
            if self.joins(data) && !data.params.is_empty() {
                work.push(block);
                for arg in self.edges_to(data, reachable).flat_map(|edge| edge.args.iter()) {
                    if let Def::Param(..) = self.values[*arg].def {
                        users.entry(*arg).or_default().push(block);
                    }
                }
            }
        }
        work.reverse();
        while let Some(block) = work.pop() {
            let data = &self.blocks[block];
            for (index, &param) in data.params.iter().enumerate() {
                if alias.of(param) != param {
                    continue;
                }
                let mut others = self
                    .edges_to(data, reachable)
                    .map(|edge| alias.of(edge.args[index]))
                    .filter(|&arg| arg != param);
                let Some(only) = others.next() else { continue };
                if others.all(|arg| arg == only) {
                    alias.0[param.index()] = only;
                    // What used the parameter now sees the other value and may have become trivial.
                    let affected = users.remove(&param).unwrap_or_default();
                    work.extend(&affected);
                    users.entry(only).or_default().extend(affected);
                }
            }
        }
        alias
    }

    /// Whether the block's parameters come from edges.
    fn joins(&self, data: &DraftBlock) -> bool {
        matches!(data.predecessors.first(), Some(Predecessor::Edge(_)))
    }

    fn edges_to<'a>(
        &'a self,
        data: &'a DraftBlock,
        reachable: &'a [bool],
    ) -> impl Iterator<Item = &'a DraftEdge> + 'a {
        let edges = data.predecessors.iter().filter_map(|predecessor| match predecessor {
            Predecessor::Edge(edge) => Some(&self.edges[*edge]),
            Predecessor::Exception(_) => None,
        });
        edges.filter(|edge| reachable[edge.from.index()])
    }
}

/// What each value is replaced by; itself if it stays.
struct Aliases(Vec<Value>);

impl Aliases {
    fn of(&self, mut value: Value) -> Value {
        while self.0[value.index()] != value {
            value = self.0[value.index()];
        }
        value
    }
}

/// Copies a draft into its final, densely numbered form.
struct Layout {
    draft: Builder,
    /// The reachable blocks in the order of the code.
    order: Vec<Block>,
    alias: Aliases,
    blocks: Vec<Option<Block>>,
    values: Vec<Option<Value>>,
    body: Body,
}

impl Layout {
    fn new(draft: Builder, reachable: Vec<bool>, alias: Aliases) -> Self {
        let mut order: Vec<Block> = draft.blocks.ids().filter(|block| reachable[block.index()]).collect();
        order.sort_by_key(|&block| draft.blocks[block].end.as_ref().map(|&(_, offset)| offset));
        let mut blocks = vec![None; draft.blocks.len()];
        for (index, block) in order.iter().enumerate() {
            blocks[block.index()] = Some(Block::new(index));
        }
        let values = vec![None; draft.values.len()];
        let body = Body { blocks: Arena::new(), insts: Arena::new(), values: Arena::new(), pool: Vec::new() };
        Layout { draft, order, alias, blocks, values, body }
    }

    fn run(mut self) -> Body {
        self.number_values();
        for index in 0..self.order.len() {
            self.copy_block(self.order[index]);
        }
        self.body
    }

    fn stays(&self, value: Value) -> bool {
        self.alias.0[value.index()] == value
    }

    /// Numbers the values in the order of their definitions, before any use is written.
    fn number_values(&mut self) {
        let mut inst = 0;
        for (index, &draft_block) in self.order.iter().enumerate() {
            let block = Block::new(index);
            let data = &self.draft.blocks[draft_block];
            let mut place = 0;
            for &param in &data.params {
                if self.alias.0[param.index()] == param {
                    let ty = self.draft.values[param].ty;
                    let def = Def::Param(block, place);
                    self.values[param.index()] = Some(self.body.values.push(ValueData { ty, def }));
                    place += 1;
                }
            }
            for &draft_inst in &data.insts {
                for (place, &result) in self.draft.insts[draft_inst].results.iter().enumerate() {
                    let ty = self.draft.values[result].ty;
                    let def = Def::Result(Inst(inst), place as u32);
                    self.values[result.index()] = Some(self.body.values.push(ValueData { ty, def }));
                }
                inst += 1;
            }
        }
    }

    fn value(&self, value: Value) -> Value {
        self.values[self.alias.of(value).index()].expect("a value in use is defined in a reachable block")
    }

    fn list(&mut self, values: &[Value]) -> Values {
        let values: Vec<_> = values.iter().map(|&value| self.value(value)).collect();
        self.body.make_list(&values)
    }

    fn copy_block(&mut self, block: Block) {
        let insts = std::mem::take(&mut self.draft.blocks[block].insts);
        let params: Vec<_> =
            self.draft.blocks[block].params.iter().copied().filter(|&param| self.stays(param)).collect();
        let params = self.list(&params);
        let first = self.body.insts.next_id();
        for inst in insts {
            let DraftInst { op, args, results, offset } = std::mem::replace(
                &mut self.draft.insts[inst],
                DraftInst { op: Op::Nop, args: Vec::new(), results: Vec::new(), offset: 0 },
            );
            let (args, results) = (self.list(&args), self.list(&results));
            self.body.insts.push(InstData { op, args, results, offset });
        }
        let (end, end_offset) = self.draft.blocks[block].end.take().expect("reachable blocks are finished");
        let end = self.terminator(end);
        let insts = (first, self.body.insts.next_id());
        self.body.blocks.push(BlockData { params, insts, end, end_offset });
    }

    fn terminator(&mut self, end: Draft) -> Terminator {
        match end {
            Terminator::Jump(edge) => Terminator::Jump(self.edge(edge)),
            Terminator::Branch { condition, targets } => Terminator::Branch {
                condition: self.value(condition),
                targets: targets.map(|edge| self.edge(edge)),
            },
            Terminator::Switch { index, targets, cases, default } => Terminator::Switch {
                index: self.value(index),
                targets: targets.into_iter().map(|edge| self.edge(edge)).collect(),
                cases,
                default,
            },
            Terminator::Invoke { normal, handlers } => {
                Terminator::Invoke { normal: self.edge(normal), handlers: self.handlers(handlers) }
            }
            Terminator::Throw { op, args, handlers } => {
                Terminator::Throw { op, args: self.list(&args), handlers: self.handlers(handlers) }
            }
            Terminator::Return(values) => Terminator::Return(self.list(&values)),
            Terminator::TailCall { op, args } => Terminator::TailCall { op, args: self.list(&args) },
            Terminator::Unreachable => Terminator::Unreachable,
        }
    }

    fn handlers(&self, handlers: Vec<Handler>) -> Vec<Handler> {
        handlers.into_iter().map(|handler| Handler { to: self.block_of(handler.to), ..handler }).collect()
    }

    fn block_of(&self, block: Block) -> Block {
        self.blocks[block.index()].expect("a successor of a reachable block is reachable")
    }

    fn edge(&mut self, edge: EdgeId) -> Edge {
        let to = self.draft.edges[edge].to;
        let args = std::mem::take(&mut self.draft.edges[edge].args);
        let kept: Vec<_> = (args.iter().zip(&self.draft.blocks[to].params))
            .filter(|&(_, &param)| self.stays(param))
            .map(|(&arg, _)| arg)
            .collect();
        Edge { to: self.block_of(to), args: self.list(&kept) }
    }
}
