//! A random walk over open goals: the smallest strategy there can be. Tests search with it, and it shows what a strategy takes.

use crate::engine::compose::Composer;
use crate::exploration::NodeId;
use crate::strategy::{Strategy, View};
use coax_solve::Random;

/// See the module.
pub(crate) struct RandomWalk {
    random: Random,
}

impl RandomWalk {
    pub(crate) fn new(seed: u64) -> RandomWalk {
        RandomWalk { random: Random::new(seed) }
    }
}

impl<'p> Strategy<'p> for RandomWalk {
    fn propose(&mut self, view: &mut View<'_, '_, 'p>, batch: &mut Composer<'_, 'p>) {
        for _ in 0..batch.slots() {
            let open: Vec<NodeId> = view.exploration.open_goals().collect();
            if open.is_empty() {
                return;
            }
            let goal = open[self.random.below(open.len())];
            let question = view.exploration.question(goal, view.search);
            batch.ask(view, question, None);
        }
    }
}
