//! The backward search for what is to be reached: proofs that nothing gets there, and inputs that might.

use super::Aims;
use super::aim::{Aim, Standing};
use coax_execute::{Content, Input};
use coax_program::calls::CallGraph;
use coax_program::{Func, Program};
use coax_search::{BackwardOptions, Concrete, Graph, Kept, Verdict, backward};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// So many goals get all that a backward search wants.
const FEW_GOALS: u64 = 8;
/// What all of them get together: the forward search wants its time, and what is done must not depend on the clock.
const MOST_SEGMENTS: u64 = 40_000;
const MOST_EFFORT: u64 = 8_000_000;

impl Aims {
    /// Searches backwards for everything, until the flag is set; inputs, made like this one, that get there.
    pub fn search_backwards(
        &mut self,
        program: &Program,
        like: &Input,
        run: &dyn Fn(Input) -> Option<Kept>,
        place: &dyn Fn(u32) -> String,
        stop: &Arc<AtomicBool>,
    ) -> Vec<Input> {
        let graph = Graph::new(program);
        let each = options(self.aims.iter().map(|aim| aim.goals.len()).sum());
        let mut left = BackwardOptions { segments: MOST_SEGMENTS, total_effort: MOST_EFFORT, ..each };
        let callable = CallGraph::of(program).reachable(self.roots.iter().copied());
        let mut inputs = Vec::new();
        for aim in &mut self.aims {
            let mut reached = None;
            let mut reaches = |values: &[Option<u64>]| {
                let test = input(like, values).and_then(run);
                reached = test.filter(|test| aim.is_reached_by(program, test)).map(|test| test.input);
                reached.is_some()
            };
            // Values of parameters are the input only if all of them are numbers.
            let is_numeric = input(like, &vec![None; like.params.len()]).is_some();
            let concrete = is_numeric.then(|| Concrete::new(&mut reaches));
            let found =
                search_for(aim, &graph, (&self.roots, &callable), (&each, &mut left), concrete, place, stop);
            inputs.extend(reached);
            (aim.standing, aim.segments) = found;
        }
        inputs.dedup();
        inputs
    }

    /// The functions through which something leads to what is to be reached, by number.
    pub fn scope(&self, program: &Program) -> Vec<bool> {
        let graph = CallGraph::of(program);
        let mut within = vec![false; program.functions.len()];
        let mut waiting: Vec<Func> = self.aims.iter().flat_map(Aim::functions).collect();
        // Nobody knows where a label is.
        if self.aims.iter().any(|aim| aim.functions().is_empty()) {
            return vec![true; program.functions.len()];
        }
        while let Some(func) = waiting.pop() {
            if !std::mem::replace(&mut within[func.0 as usize], true) {
                waiting.extend(&graph.callers[func]);
            }
        }
        within
    }
}

/// What may be spent on each of so many goals: the forward search wants some of the time, too.
fn options(goals: usize) -> BackwardOptions {
    let all = BackwardOptions::default();
    let part = |whole: u64, least: u64| (FEW_GOALS * whole / (goals as u64).max(FEW_GOALS)).max(least);
    BackwardOptions { segments: part(all.segments, 100), total_effort: part(all.total_effort, 20_000), ..all }
}

/// Searches backwards for one: what is known of it then, and how many segments that took.
fn search_for(
    aim: &Aim,
    graph: &Graph<'_>,
    (roots, callable): (&[Func], &BTreeSet<Func>),
    (each, left): (&BackwardOptions, &mut BackwardOptions),
    mut concrete: Option<Concrete<'_>>,
    place: &dyn Fn(u32) -> String,
    stop: &Arc<AtomicBool>,
) -> (Standing, u64) {
    let functions = aim.functions();
    if !functions.is_empty() && functions.iter().all(|func| !callable.contains(func)) {
        return (Standing::Unreachable("its function is never called from this entry".to_owned()), 0);
    }
    if aim.goals.is_empty() {
        return (aim.standing.clone(), 0);
    }
    let mut segments = 0;
    let mut conflicts = BTreeSet::new();
    let mut open = None;
    for &goal in &aim.goals {
        if left.segments == 0 || left.total_effort == 0 {
            open = Some("there was too much else to look for");
            break;
        }
        let options = BackwardOptions {
            segments: each.segments.min(left.segments),
            total_effort: each.total_effort.min(left.total_effort),
            ..*each
        };
        let found = backward(graph, roots, goal, &options, concrete.as_mut(), stop);
        segments += found.segments;
        left.segments = left.segments.saturating_sub(found.segments.max(1));
        left.total_effort = left.total_effort.saturating_sub(found.effort);
        match found.verdict {
            Verdict::Unreachable(at) => conflicts.extend(at),
            Verdict::Open => {
                open.get_or_insert("nothing contradicts it");
            }
            Verdict::Reached(_) => {
                open = Some("it was reached");
                break;
            }
            Verdict::Bound(why) => open = Some(why),
        }
    }
    let standing = match open {
        Some(why) => Standing::Unknown(format!("backwards, {why}")),
        None => {
            let mut places: Vec<String> = conflicts.into_iter().map(place).collect();
            places.dedup();
            Standing::Unreachable(match places.is_empty() {
                true => "no way leads there".to_owned(),
                false => {
                    format!("what must hold on every way there contradicts itself: {}", places.join(", "))
                }
            })
        }
    };
    (standing, segments)
}

/// An input with these values, if the entry has nothing but numbers; those that are not known stay.
fn input(like: &Input, values: &[Option<u64>]) -> Option<Input> {
    let mut params = like.params.clone();
    if params.len() != values.len() || params.is_empty() {
        return None;
    }
    for (param, bits) in params.iter_mut().zip(values) {
        let Content::Number(number) = &mut param.content else { return None };
        *number = bits.map_or(*number, |bits| number.kind().number(bits));
    }
    Some(Input { params, ..like.clone() })
}
