//! The backward search for what is to be reached: proofs that nothing gets there, and inputs that do.

use super::Aims;
use super::aim::{Aim, Behind, Standing};
use super::said::NEVER_CALLED;
use super::shares::{Share, Shares};
use coax_execute::{Content, Input, Limits, Run, Symbols};
use coax_program::{Func, Program};
use coax_search::{
    Backward, BackwardOptions, Concrete, Granted, Graph, Seen, Trust, Verdict, Workshop, backward, of_types,
};
use std::collections::BTreeSet;

/// So many goals get all that a backward search wants.
const FEW_GOALS: u64 = 8;
/// How often a place is looked at backwards, and how many times more each time.
const MOST_TIMES: u32 = 3;
const HARDER: u64 = 8;

/// Why there is no proof if what there was for one is used up: the words of a backward search that ends for that.
const TOO_MANY_WAYS: &str = "there are more ways back than are tried";
const TOO_LONG: &str = "solvers would take too long";

const NO_CONTRADICTION: &str =
    "no contradiction was found with one round of each loop and calls four functions deep";

/// All that may be assumed; and less, the least first.
const ALL: Trust = Trust { writes: true, start: true };
const LESS: [Trust; 3] = [
    Trust { writes: false, start: false },
    Trust { writes: true, start: false },
    Trust { writes: false, start: true },
];

/// What all places get together, or one of them: the forward search wants its time, and what is done must not depend on the clock.
#[derive(Clone, Copy)]
pub struct Effort {
    pub segments: u64,
    pub effort: u64,
}

impl Effort {
    /// Before the forward search.
    pub const FIRST: Effort = Effort { segments: 4_000, effort: 300_000 };
    /// Later, each time.
    pub const MORE: Effort = Effort { segments: 40_000, effort: 8_000_000 };

    /// So much of it is used.
    pub fn take(&mut self, segments: u64, effort: u64) {
        self.segments = self.segments.saturating_sub(segments);
        self.effort = self.effort.saturating_sub(effort);
    }

    /// Whether there is nothing left of it.
    pub fn is_used_up(self) -> bool {
        self.segments == 0 || self.effort == 0
    }
}

impl Aims {
    /// What is in functions that nothing calls is never reached.
    pub fn look_at_calls(&mut self, program: &Program) {
        let callable = program.calls().reachable(self.roots.iter().copied());
        for aim in &mut self.aims {
            let functions = aim.target.functions();
            if !functions.is_empty() && functions.iter().all(|func| !callable.contains(func)) {
                aim.standing = Standing::unreachable(NEVER_CALLED);
            }
        }
    }

    /// Whether it may be of use to search backwards for something.
    pub fn are_worth_it(&self) -> bool {
        self.are_led_to() && self.aims.iter().any(is_worth_it)
    }

    /// How many places it may be of use to search for.
    pub fn waiting(&self) -> usize {
        self.aims.iter().filter(|aim| is_worth_it(aim)).count()
    }

    /// Searches backwards for so many places, each with its share, and says what it found in words for offsets; inputs that get there.
    pub fn search_backwards(
        &mut self,
        (program, graph): (&Program, &Graph<'_>),
        trying: &Trying<'_>,
        place: &dyn Fn(u32) -> String,
        mut shares: Shares<'_>,
        most: usize,
    ) -> Vec<Input> {
        let mut waiting: Vec<&mut Aim> = self.aims.iter_mut().filter(|aim| is_worth_it(aim)).collect();
        // What was looked at least comes first.
        waiting.sort_by_key(|aim| aim.looks);
        let each = options(waiting.iter().map(|aim| aim.target.goals.len()).sum());
        let mut inputs = Vec::new();
        for aim in waiting.into_iter().take(most) {
            let Some(share) = shares.next() else { break };
            let times = HARDER.pow(aim.tried.unwrap_or_default().saturating_sub(1));
            let each = BackwardOptions {
                segments: each.segments * times,
                total_effort: each.total_effort * times,
                ..each
            };
            let mut reached = None;
            let target = aim.target.clone();
            let mut reaches = |values: &[Option<u64>]| {
                let Some(input) = trying.input(values) else { return false };
                let Some(run) = (trying.run)(&input) else { return false };
                let is_reached = Seen::of(&run).is_some_and(|seen| target.is_reached_by(program, seen));
                if is_reached {
                    reached = Some(Input { values: run.asked.requests, ..input });
                }
                is_reached
            };
            let mut concrete = trying.is_possible().then(|| Concrete::new(&mut reaches, &trying.workshop));
            shares.take(search_for(
                aim,
                (program, &self.roots, graph),
                &each,
                share,
                concrete.as_mut(),
                place,
            ));
            inputs.extend(reached);
        }
        inputs.dedup();
        inputs
    }

    /// Adds the functions that something is to be reached in, by number.
    pub fn add_scope(&self, in_scope: &mut [bool]) {
        for func in self.aims.iter().flat_map(|aim| aim.target.functions()) {
            in_scope[func.0 as usize] = true;
        }
    }
}

/// Whether it may be of use to look at a place backwards.
fn is_worth_it(aim: &Aim) -> bool {
    let may_be = aim.tried.is_some_and(|tried| tried < MOST_TIMES);
    may_be && !aim.is_settled() && !aim.target.goals.is_empty()
}

/// What may be spent on each of so many goals: the forward search wants some of the time, too.
fn options(goals: usize) -> BackwardOptions {
    let all = BackwardOptions::default();
    let part = |whole: u64, least: u64| (FEW_GOALS * whole / (goals as u64).max(FEW_GOALS)).max(least);
    BackwardOptions { segments: part(all.segments, 100), total_effort: part(all.total_effort, 20_000), ..all }
}

/// Searches backwards for one, with its share; what that has used.
fn search_for(
    aim: &mut Aim,
    (program, roots, graph): (&Program, &[Func], &Graph<'_>),
    each: &BackwardOptions,
    share: Share,
    mut concrete: Option<&mut Concrete<'_>>,
    place: &dyn Fn(u32) -> String,
) -> Effort {
    let Share { effort: mut left, alarm } = share;
    let stop = &alarm.flag;
    let mut used = Effort { segments: 0, effort: 0 };
    let mut use_up = |left: &mut Effort, found: &Backward, least: u64| {
        let segments = found.segments.max(least);
        left.take(segments, found.effort);
        used = Effort { segments: used.segments + segments, effort: used.effort + found.effort };
    };
    let mut conflicts = BTreeSet::new();
    let (mut open, mut is_open, mut is_cut, mut assumed) = (None, false, false, Trust::default());
    let mut granted = Granted::default();
    for &goal in &aim.target.goals {
        if left.is_used_up() {
            open.get_or_insert(if left.segments == 0 { TOO_MANY_WAYS } else { TOO_LONG });
            break;
        }
        let options = BackwardOptions {
            segments: each.segments.min(left.segments),
            total_effort: each.total_effort.min(left.effort),
            trust: ALL,
            ..*each
        };
        let found = backward(graph, goal, &options, concrete.as_deref_mut(), stop);
        aim.segments += found.segments;
        use_up(&mut left, &found, 1);
        match found.verdict {
            Verdict::Unreachable(at) => {
                conflicts.extend(at);
                // What need not be assumed is not.
                let is_enough = |trust: Trust| {
                    let again = backward(graph, goal, &BackwardOptions { trust, ..options }, None, stop);
                    use_up(&mut left, &again, 0);
                    matches!(again.verdict, Verdict::Unreachable(_)).then_some((trust, again.granted))
                };
                let (needed, also) = LESS.into_iter().find_map(is_enough).unwrap_or((ALL, found.granted));
                granted = granted.and(also);
                assumed.writes |= needed.writes;
                assumed.start |= needed.start && graph.has_past();
            }
            Verdict::Reached(_) => {
                open = Some("it was reached");
                is_open = true;
                break;
            }
            // Whoever is stopped has not looked at everything, whatever it says.
            _ if alarm.is_set() => {
                is_cut = true;
                break;
            }
            Verdict::Open => {
                open = Some(NO_CONTRADICTION);
                is_open = true;
            }
            Verdict::Bound(why) => open = open.filter(|_| is_open).or(Some(why)),
        }
    }
    aim.looks += 1;
    // Where nothing contradicts one of the goals, there is nothing to be proved. What the clock has cut short may be tried again as it was.
    aim.tried = aim.tried.filter(|_| !is_open).map(|tried| tried + u32::from(!is_cut));
    let before = match aim.standing {
        Standing::Unknown(behind) => behind,
        Standing::Unreachable { .. } => Behind::NotYet,
    };
    aim.standing = match open {
        Some(why) => Standing::Unknown(before.then(Behind::Seen(why))),
        None if is_cut => Standing::Unknown(before.then(Behind::Cut)),
        None => {
            let assumes = coax_search::granted(program, roots, assumed, granted).into_iter();
            let types = program.debug.types();
            let types = aim.target.functions().into_iter().find_map(|func| of_types(program, &types, func));
            proved(conflicts, assumes.chain(types).collect(), place)
        }
    };
    used
}

/// Nothing gets to a place; the branches whose conditions exclude it, and what that assumes.
fn proved(conflicts: BTreeSet<u32>, assumes: Vec<String>, place: &dyn Fn(u32) -> String) -> Standing {
    let mut places: Vec<String> = conflicts.into_iter().map(place).collect();
    places.dedup();
    let why = match places.is_empty() {
        true => "no way leads there".to_owned(),
        false => format!("what must hold on every way there contradicts itself: {}", places.join(", ")),
    };
    Standing::Unreachable { why, assumes }
}

/// How values of the entry's parameters are tried.
pub struct Trying<'a> {
    /// An input as the program takes it.
    pub like: &'a Input,
    /// Runs one on the plain module, with coverage.
    pub run: &'a (dyn Fn(&Input) -> Option<Run> + Sync),
    /// The program in pieces.
    pub workshop: Workshop,
    /// What of inputs are symbols, and what runs may use.
    pub symbols: Symbols,
    pub limits: &'a Limits,
}

impl Trying<'_> {
    /// Values are an input only if the entry is given nothing but numbers.
    fn is_possible(&self) -> bool {
        self.input(&vec![None; self.like.params.len()]).is_some()
    }

    /// An input with these values; those that are not known stay.
    fn input(&self, values: &[Option<u64>]) -> Option<Input> {
        let mut params = self.like.params.clone();
        if params.len() != values.len() || params.is_empty() {
            return None;
        }
        for (param, bits) in params.iter_mut().zip(values) {
            let Content::Number(number) = &mut param.content else { return None };
            *number = bits.map_or(*number, |bits| number.kind().number(bits));
        }
        Some(Input { params, ..self.like.clone() })
    }
}
