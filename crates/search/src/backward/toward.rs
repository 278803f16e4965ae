//! How far it is to a place: what a forward search goes by that is to get there, and not everywhere.
//!
//! The distance of a block is what the nearest way from it counts for: one for each decision and each call on the way down, and more for coming back from a
//! function. Whether runs can go that way nobody knows; those that come close find out.

mod decider;
mod ways;

use super::{Goal, Graph};
use coax_execute::Coverage;
use coax_program::Site;
use std::collections::BTreeSet;
use ways::Ways;

/// How far it is from every direction of every branch.
#[derive(Debug)]
pub struct Toward {
    goals: BTreeSet<Goal>,
    /// The distance, the branch and its direction, the nearest first. From those that are missing no way leads there.
    in_order: Vec<(u32, Site, u32)>,
}

impl Toward {
    /// How far it is to the nearest of these; none if nothing is known to lead there.
    pub fn new(graph: &Graph<'_>, goals: &[Goal]) -> Option<Toward> {
        let goals: BTreeSet<Goal> = goals.iter().copied().collect();
        let ways = Ways::to(graph, &goals);
        if !graph.roots.iter().any(|root| ways.begin_in(*root)) {
            return None;
        }
        let all = ways.distances().into_iter().flat_map(|(site, far)| {
            (0..).zip(far).filter_map(move |(direction, far)| Some((far?, site, direction)))
        });
        let mut in_order: Vec<(u32, Site, u32)> = all.collect();
        in_order.sort_unstable();
        Some(Toward { in_order, goals })
    }

    /// The places.
    pub fn goals(&self) -> &BTreeSet<Goal> {
        &self.goals
    }

    /// How near runs came that covered this; nothing if they were never on a way.
    pub fn nearest(&self, coverage: &Coverage) -> Option<u32> {
        let is_taken =
            |(_, site, direction): &&(u32, Site, u32)| coverage.directions(*site)[*direction as usize];
        self.in_order.iter().find(is_taken).map(|(far, ..)| *far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_program::ir::{Body, Terminator};
    use coax_program::{Func, Program};

    const ASKS: Func = Func(0);
    const HAS: Func = Func(1);
    const BEGINS: Func = Func(2);

    impl Toward {
        /// How far it is from a direction of a branch; nothing if no way leads there.
        fn from(&self, site: Site, direction: u32) -> Option<u32> {
            let it = self.in_order.iter().find(|it| (it.1, it.2) == (site, direction));
            it.map(|(far, ..)| *far)
        }
    }

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
        // What it must give back: that, the branch on it, and coming back to its only caller.
        assert_eq!(from(&program, &toward, ASKS), [None, Some(7)]);
    }

    #[test]
    fn what_is_called_right_before_a_direction_leads_to_it() {
        let program = program();
        let graph = Graph::new(&program, &[BEGINS]);
        let toward = Toward::new(&graph, &[Goal::Direction(BEGINS, Body::ENTRY, 1)]).expect("there is a way");
        assert_eq!(from(&program, &toward, BEGINS), [None, Some(0)]);
        assert_eq!(from(&program, &toward, ASKS), [None, Some(5)]);
    }

    #[test]
    fn what_is_given_back_by_others_must_lead_on_too() {
        // What begins goes by what `$passes` gives: 0 by itself, or what `$asks` gives, less one.
        let text = r#"(module
            (func $asks (param i32) (result i32)
                (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 7)) (else (i32.const 3))))
            (func $passes (param i32) (result i32)
                (if (i32.gt_u (local.get 0) (i32.const 100)) (then (return (i32.const 0))))
                (call $asks (local.get 0)))
            (func $begins (export "main") (param i32)
                (if (i32.eq (i32.sub (call $passes (local.get 0)) (i32.const 1)) (i32.const 2)) (then (unreachable)))))"#;
        let program = Program::parse(wat::parse_str(text).expect("it is right")).expect("it is a module");
        let graph = Graph::new(&program, &[BEGINS]);
        let toward = Toward::new(&graph, &[Goal::Direction(BEGINS, Body::ENTRY, 1)]).expect("there is a way");
        assert_eq!(from(&program, &toward, ASKS), [Some(9), None]);
        assert_eq!(from(&program, &toward, HAS), [Some(5), None]);
    }

    #[test]
    fn what_nothing_leads_to_is_nothing_to_go_by() {
        let program = program();
        let graph = Graph::new(&program, &[BEGINS]);
        assert!(Toward::new(&graph, &[]).is_none());
        assert!(Toward::new(&graph, &[Goal::Point(Func(3), Body::ENTRY, 0)]).is_none());
    }
}
