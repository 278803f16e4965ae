//! Generational search (Godefroid, Levin and Molnar 2008): asks about open decisions of all paths, fairly by their classes.

use crate::engine::compose::{Composer, EFFORTS};
use crate::strategy::{Strategy, View};

/// No batch has more questions that were too hard before: each may take as long as all else.
const HARD: usize = 2;

/// See the module.
pub(crate) struct Generational;

impl<'p> Strategy<'p> for Generational {
    fn propose(&mut self, view: &mut View<'_, '_, 'p>, batch: &mut Composer<'_, 'p>) {
        view.search.look_behind_ends();
        // What was found is run before more is asked.
        if !view.exploration.queue.is_empty() {
            return;
        }
        let mut hard = HARD;
        for _ in 0..batch.slots() {
            let allows = |level: usize| view.arbiter.allows_hard(EFFORTS[level]);
            let Some(question) = view.exploration.next_question(&mut hard, allows, view.search) else {
                break;
            };
            let mut group = match question.level {
                0 => view.exploration.companions(question, view.search),
                _ => Vec::new(),
            };
            group.push(question);
            // In the order of the path, each question's assumptions begin with those of the one before.
            group.sort();
            for question in group {
                batch.ask(view, question, None);
            }
        }
    }
}
