//! Which open decision is asked about next: fairly (Anand, Godefroid and Tillmann 2008, section 5).
//!
//! Open decisions are in classes: those of one place in the program that lack the same way. A class that was asked less than others
//! comes first, where what nobody has covered counts more: so a loop that makes a thousand decisions gets no more than its share. Within a
//! class, rounds of a loop are treated in the same way, so that late ones get their share; and of those of one round, the oldest, the
//! newest and any take turns. Every other time what counts is instead how runs got there ([`Situation`]): what follows something that was found just now, say
//! the second chunk of a file behind a header that is right, has its share beside all the first chunks.

use super::priority::Priority;
use super::tree::{NodeId, Situation};
use coax_solve::Random;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What decisions of a class have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClassKey {
    /// Where they are.
    pub(crate) at: u32,
    /// The way that they lack, if there is only one.
    pub(crate) lacks: Option<u32>,
    /// What they are for ([`crate::choice::Choice::next`]).
    pub(crate) what_for: Option<u32>,
}

/// A question about a decision, of a class, asked for the so manieth time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Question {
    pub(crate) node: NodeId,
    pub(crate) key: ClassKey,
    pub(crate) level: usize,
}

#[derive(Debug)]
struct Class {
    /// By how runs got there, with how often one of these was taken.
    open: BTreeMap<Situation, (u64, VecDeque<NodeId>)>,
    /// How often one of each round of a loop was taken.
    rounds: BTreeMap<u8, u64>,
    /// How many decisions are open.
    count: usize,
    /// How much was spent on it.
    spent: u64,
    priority: Priority,
    turn: u32,
}

impl Class {
    /// Takes a decision: in turns one of the round that was taken least, and one that runs got to in a way that was taken least.
    fn take(&mut self, random: &mut Random) -> Option<NodeId> {
        self.turn += 1;
        let situation = match self.turn.is_multiple_of(2) {
            true => self.least_taken()?,
            false => self.of_least_round(random)?,
        };
        *self.rounds.entry(situation.round).or_default() += 1;
        let (taken, open) = self.open.get_mut(&situation)?;
        *taken += 1;
        self.count -= 1;
        match self.turn / 2 % 3 {
            0 => open.pop_front(),
            1 => open.pop_back(),
            _ => {
                let any = random.below(open.len());
                open.swap_remove_back(any)
            }
        }
    }

    /// The situation that was taken least; of several, the first round behind what was found last.
    fn least_taken(&self) -> Option<Situation> {
        let waiting = self.open.iter().filter(|(_, (_, open))| !open.is_empty());
        let rank = |(situation, (taken, _)): &(&Situation, &(u64, VecDeque<NodeId>))| {
            (*taken, Reverse(situation.newest), situation.round)
        };
        waiting.min_by_key(rank).map(|(situation, _)| *situation)
    }

    /// A situation of the round that was taken least.
    fn of_least_round(&self, random: &mut Random) -> Option<Situation> {
        let waiting = || self.open.iter().filter(|(_, (_, open))| !open.is_empty()).map(|(it, _)| *it);
        let taken = |round: u8| self.rounds.get(&round).copied().unwrap_or_default();
        let round = waiting().map(|it| it.round).min_by_key(|&round| (taken(round), round))?;
        let of_round: Vec<Situation> = waiting().filter(|it| it.round == round).collect();
        match self.turn / 2 % 3 {
            0 => of_round.first().copied(),
            1 => of_round.last().copied(),
            _ => of_round.get(random.below(of_round.len())).copied(),
        }
    }

    fn rank(&self, key: ClassKey) -> (u64, Priority, ClassKey) {
        ((self.spent + 1) * self.priority as u64, self.priority, key)
    }
}

/// The open decisions, and perhaps some that no longer are.
#[derive(Debug)]
pub(crate) struct Frontier {
    classes: BTreeMap<ClassKey, Class>,
    /// The classes that have open decisions, the next one first.
    order: BTreeSet<(u64, Priority, ClassKey)>,
    random: Random,
    /// Decisions at which something was found that nobody had covered, and where there may be more of it: they come first.
    promising: VecDeque<NodeId>,
    /// Questions that were too hard.
    hard: VecDeque<Question>,
}

impl Frontier {
    pub(crate) fn new(seed: u64) -> Frontier {
        let (classes, order, promising, hard) = Default::default();
        Frontier { classes, order, random: Random::new(seed), promising, hard }
    }

    /// There may be more to find at a decision: it comes first.
    pub(crate) fn promises(&mut self, node: NodeId) {
        self.promising.push_back(node);
    }

    pub(super) fn next_promising(&mut self) -> Option<NodeId> {
        self.promising.pop_front()
    }

    /// A question was too hard, and may be asked again.
    pub(super) fn add_hard(&mut self, question: Question) {
        self.hard.push_back(question);
    }

    /// The first of the hard questions that is still of use.
    pub(super) fn first_hard(&mut self, is_of_use: impl Fn(NodeId) -> bool) -> Option<Question> {
        while self.hard.pop_front_if(|it| !is_of_use(it.node)).is_some() {}
        self.hard.front().copied()
    }

    pub(super) fn take_hard(&mut self) -> Option<Question> {
        self.hard.pop_front()
    }

    /// Adds an open decision.
    pub(crate) fn add(&mut self, node: NodeId, key: ClassKey, situation: Situation, priority: Priority) {
        let floor = self.order.first().map_or(0, |&(rank, ..)| rank);
        let class = self.classes.entry(key).or_insert_with(|| {
            // A class that comes late has not been treated unfairly before it was there.
            Class {
                open: BTreeMap::new(),
                rounds: BTreeMap::new(),
                count: 0,
                spent: priority.spent_at(floor),
                priority,
                turn: 0,
            }
        });
        if class.count > 0 {
            self.order.remove(&class.rank(key));
        }
        self.order.insert(class.rank(key));
        class.count += 1;
        class.open.entry(situation).or_default().1.push_back(node);
    }

    /// How much is hoped for from a class.
    pub(crate) fn priority(&self, key: ClassKey) -> Option<Priority> {
        self.classes.get(&key).map(|class| class.priority)
    }

    /// A class is hoped for otherwise now.
    pub(crate) fn revalue(&mut self, key: ClassKey, priority: Priority) {
        let Some(class) = self.classes.get_mut(&key) else { return };
        let waits = self.order.remove(&class.rank(key));
        class.priority = priority;
        if waits {
            self.order.insert(class.rank(key));
        }
    }

    /// How soon the turn of a class comes.
    pub(crate) fn rank(&self, key: ClassKey) -> u64 {
        self.classes.get(&key).map_or(0, |class| class.rank(key).0)
    }

    /// How often a decision of a class that runs got to in this way was asked about.
    pub(crate) fn taken(&self, key: ClassKey, situation: Situation) -> u64 {
        self.classes.get(&key).and_then(|class| class.open.get(&situation)).map_or(0, |(taken, _)| *taken)
    }

    /// A decision of a class is asked about without having been taken.
    pub(crate) fn pass(&mut self, key: ClassKey, situation: Situation) {
        self.charge(key, 1);
        if let Some(class) = self.classes.get_mut(&key) {
            class.open.entry(situation).or_default().0 += 1;
            *class.rounds.entry(situation.round).or_default() += 1;
        }
    }

    /// More was spent on a class.
    pub(crate) fn charge(&mut self, key: ClassKey, cost: u64) {
        let Some(class) = self.classes.get_mut(&key) else { return };
        let waits = self.order.remove(&class.rank(key));
        class.spent += cost;
        if waits {
            self.order.insert(class.rank(key));
        }
    }

    /// Takes the decision to ask about next.
    pub(crate) fn take(&mut self) -> Option<(NodeId, ClassKey)> {
        let &(_, _, key) = self.order.first()?;
        let class = self.classes.get_mut(&key)?;
        self.order.remove(&class.rank(key));
        let node = class.take(&mut self.random)?;
        class.spent += 1;
        if class.count > 0 {
            self.order.insert(class.rank(key));
        }
        Some((node, key))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{RunOf, Tree};
    use super::*;
    use crate::choice::{Choice, Way};
    use crate::task::TraceId;

    fn class(at: u32, lacks: u32) -> ClassKey {
        ClassKey { at, lacks: Some(lacks), what_for: None }
    }

    fn nodes(count: u32) -> Vec<NodeId> {
        let path: Vec<Choice> = (0..count)
            .map(|at| Choice { at, way: Way::Branch(0), next: None, round: 0, question: 0 })
            .collect();
        let run = RunOf { trace: TraceId(0), choices: &path, transitions: &[], origin: None, is_news: false };
        Tree::default().insert(run, 1000, &|_| Some(2)).new
    }

    #[test]
    fn a_class_of_many_gets_no_more_than_its_share() {
        let nodes = nodes(100);
        let mut frontier = Frontier::new(1);
        for &node in &nodes[..90] {
            frontier.add(node, class(7, 1), Situation::default(), Priority::Path);
        }
        for &node in &nodes[90..] {
            frontier.add(node, class(9, 1), Situation::default(), Priority::Path);
        }
        let taken: Vec<u32> = (0..20).filter_map(|_| frontier.take()).map(|(_, key)| key.at).collect();
        assert_eq!(taken.iter().filter(|&&at| at == 9).count(), 10);
    }

    #[test]
    fn late_rounds_of_a_loop_get_their_share() {
        let nodes = nodes(100);
        let mut frontier = Frontier::new(1);
        for (place, &node) in nodes.iter().enumerate() {
            frontier.add(
                node,
                class(7, 1),
                Situation { round: u8::from(place == 50), newest: 0 },
                Priority::Path,
            );
        }
        let taken: Vec<NodeId> = (0..2).filter_map(|_| frontier.take()).map(|(node, _)| node).collect();
        assert!(taken.contains(&nodes[50]));
    }

    #[test]
    fn what_is_not_covered_comes_first_but_not_for_ever() {
        let nodes = nodes(100);
        let mut frontier = Frontier::new(1);
        for &node in &nodes[..50] {
            frontier.add(node, class(1, 1), Situation::default(), Priority::Uncovered);
        }
        for &node in &nodes[50..] {
            frontier.add(node, class(2, 0), Situation::default(), Priority::Path);
        }
        let taken: Vec<u32> = (0..19).filter_map(|_| frontier.take()).map(|(_, key)| key.at).collect();
        assert_eq!(taken[0], 1);
        assert_eq!(taken.iter().filter(|&&at| at == 2).count(), 2);
    }
}
