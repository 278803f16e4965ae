//! Only what has to do with the goal is solved again; the rest keeps the values of the hint.
//!
//! Two conditions have to do with each other if they share a symbol or an unknown function, directly or through others.
//! Groups of terms are kept while the assumptions only grow, as they do along a path, so the work for all questions
//! of a path is that of going through its terms once.

use crate::marks::Marks;
use crate::{Answer, Budget, Layer, Looks, Query, Reason, Spent};
use coax_term::{Evaluator, Identity, Model, Node, Term, Terms};

/// The layer.
pub struct Slice {
    next: Box<dyn Layer>,
    identity: Option<Identity>,
    groups: Groups,
    hinted: Hinted,
}

impl Slice {
    /// Hands smaller questions to the next.
    pub fn new(next: Box<dyn Layer>) -> Slice {
        Slice { next, identity: None, groups: Groups::default(), hinted: Hinted::default() }
    }

    fn update(&mut self, terms: &Terms, query: &Query<'_>, budget: &Budget) -> Result<(), Spent> {
        let is_other = self.identity.replace(terms.identity()) != Some(terms.identity());
        if is_other || !query.assumptions.starts_with(&self.groups.assumptions) {
            self.groups.clear();
            self.hinted.clear();
        }
        if self.hinted.hint != *query.hint {
            self.hinted.clear();
            self.hinted.hint.clone_from(query.hint);
        }
        for &assumption in &query.assumptions[self.groups.assumptions.len()..] {
            let added = self.groups.add(terms, assumption, budget);
            added.inspect_err(|_| self.hinted.clear())?;
        }
        for (index, &assumption) in query.assumptions.iter().enumerate().skip(self.hinted.seen) {
            if budget.is_late() {
                return Err(Spent);
            }
            self.hinted.add(terms, index, assumption);
        }
        Ok(())
    }

    fn sliced(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Result<Answer, Spent> {
        self.update(terms, query, budget)?;
        let members = self.groups.related(terms, query.goal, budget)?;
        let assumptions: Vec<Term> = members.iter().map(|&index| query.assumptions[index as usize]).collect();
        let mut answer = self.next.solve(terms, &Query { assumptions: &assumptions, ..*query }, budget);
        let Answer::Sat(model) = &mut answer else { return Ok(answer) };
        // What the hint does not make hold needs values of its own, each group apart.
        let mut solved = members;
        for failing in self.hinted.failing.clone() {
            if solved.binary_search(&failing).is_ok() {
                continue;
            }
            let goal = query.assumptions[failing as usize];
            let members = self.groups.related(terms, goal, budget)?;
            let others = members.iter().filter(|&&index| index != failing);
            let others: Vec<Term> = others.map(|&index| query.assumptions[index as usize]).collect();
            match self.next.solve(terms, &Query { assumptions: &others, goal, hint: query.hint }, budget) {
                Answer::Sat(part) => model.overlay(&part),
                Answer::Unsat(mut core) => {
                    core.push(goal);
                    return Ok(Answer::Unsat(core));
                }
                unknown => return Ok(unknown),
            }
            solved.extend(members);
            solved.sort_unstable();
        }
        Ok(answer)
    }
}

impl Layer for Slice {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        self.sliced(terms, query, budget).unwrap_or(Answer::Unknown(Reason::Budget("slicing")))
    }
}

/// Which of the assumptions the hint does not make hold.
#[derive(Debug, Default)]
struct Hinted {
    hint: Model,
    evaluator: Evaluator,
    /// How many assumptions were evaluated.
    seen: usize,
    failing: Vec<u32>,
}

impl Hinted {
    fn clear(&mut self) {
        self.evaluator.reset();
        self.seen = 0;
        self.failing.clear();
    }

    fn add(&mut self, terms: &Terms, index: usize, assumption: Term) {
        if self.evaluator.eval(terms, &self.hint, assumption) == 0 {
            self.failing.push(index as u32);
        }
        self.seen = index + 1;
    }
}

const NONE: u32 = u32::MAX;

/// Groups of terms that have to do with each other; each assumption is in the group of its terms.
///
/// A term that is in a group is so with all that it consists of. Constants are in none.
#[derive(Debug, Default)]
struct Groups {
    assumptions: Vec<Term>,
    /// The assumption before, in the list of its group.
    before: Vec<u32>,
    /// Of each term: another term of its group, in the end the group's first; `NONE`: it is in no group.
    parent: Vec<u32>,
    /// Of each group, by its first term: the first and last assumption of its list.
    lists: Vec<(u32, u32)>,
    grouped: Vec<Term>,
    /// One application of each function.
    functions: Vec<Option<Term>>,
    stack: Vec<Term>,
    marks: Marks,
}

impl Groups {
    fn clear(&mut self) {
        for term in self.grouped.drain(..) {
            self.parent[term.index()] = NONE;
        }
        self.assumptions.clear();
        self.before.clear();
        self.functions.clear();
    }

    /// Nothing is known any more if time runs out on the way.
    fn add(&mut self, terms: &Terms, assumption: Term, budget: &Budget) -> Result<(), Spent> {
        let mut looks = Looks::default();
        let index = self.assumptions.len() as u32;
        self.assumptions.push(assumption);
        self.before.push(NONE);
        if terms.as_constant(assumption).is_some() {
            return Ok(());
        }
        if self.parent.len() < terms.len() {
            self.parent.resize(terms.len(), NONE);
            self.lists.resize(terms.len(), (NONE, NONE));
        }
        self.enter(assumption);
        while let Some(term) = self.stack.pop() {
            if looks.is_late(budget) {
                self.stack.clear();
                self.clear();
                return Err(Spent);
            }
            let node = terms.node(term);
            if let Node::Apply { function, .. } = node {
                self.functions.resize(self.functions.len().max(function.index() + 1), None);
                let one = *self.functions[function.index()].get_or_insert(term);
                self.unite(one, term);
            }
            terms.operands(node, |operand| {
                if terms.as_constant(operand).is_none() {
                    self.enter(operand);
                    self.unite(term, operand);
                }
            });
        }
        let root = self.find(assumption.index() as u32);
        self.append(root, (index, index));
        Ok(())
    }

    fn enter(&mut self, term: Term) {
        if self.parent[term.index()] == NONE {
            self.parent[term.index()] = term.index() as u32;
            self.lists[term.index()] = (NONE, NONE);
            self.grouped.push(term);
            self.stack.push(term);
        }
    }

    fn find(&mut self, mut term: u32) -> u32 {
        while self.parent[term as usize] != term {
            let above = self.parent[self.parent[term as usize] as usize];
            self.parent[term as usize] = above;
            term = above;
        }
        term
    }

    fn unite(&mut self, a: Term, b: Term) {
        let (a, b) = (self.find(a.index() as u32), self.find(b.index() as u32));
        if a != b {
            let (root, child) = (a.min(b), a.max(b));
            self.parent[child as usize] = root;
            let list = self.lists[child as usize];
            self.append(root, list);
        }
    }

    /// Puts a list of assumptions at the end of a group's.
    fn append(&mut self, root: u32, (first, last): (u32, u32)) {
        let list = &mut self.lists[root as usize];
        if list.0 == NONE {
            *list = (first, last);
        } else if first != NONE {
            self.before[first as usize] = list.1;
            list.1 = last;
        }
    }

    /// The assumptions that have to do with a condition, in order.
    fn related(&mut self, terms: &Terms, condition: Term, budget: &Budget) -> Result<Vec<u32>, Spent> {
        let mut looks = Looks::default();
        self.stack.clear();
        if self.parent.len() < terms.len() {
            self.parent.resize(terms.len(), NONE);
            self.lists.resize(terms.len(), (NONE, NONE));
        }
        let mut roots = Vec::new();
        self.marks.clear();
        self.stack.push(condition);
        while let Some(term) = self.stack.pop() {
            if terms.as_constant(term).is_some() || !self.marks.insert(term) {
                continue;
            }
            looks.look(budget)?;
            if self.parent[term.index()] != NONE {
                roots.push(self.find(term.index() as u32));
                continue;
            }
            let node = terms.node(term);
            if let Node::Apply { function, .. } = node
                && let Some(&Some(one)) = self.functions.get(function.index())
            {
                roots.push(self.find(one.index() as u32));
            }
            terms.operands(node, |operand| self.stack.push(operand));
        }
        roots.sort_unstable();
        roots.dedup();
        let mut members = Vec::new();
        for root in roots {
            let mut next = self.lists[root as usize].1;
            while next != NONE {
                members.push(next);
                next = self.before[next as usize];
            }
        }
        members.sort_unstable();
        Ok(members)
    }
}
