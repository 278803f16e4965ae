//! Why a branch is not covered. Every direction in scope is covered or has a reason.

use crate::Subject;
use crate::assumed::{self, Assumed};
use crate::backward::Granted;
use crate::exploration::{Followed, Replaced};
use crate::exploration::{Node, State, Tree};
use crate::facts::Trust;
use crate::suite::Suite;
use coax_execute::{Entry, Input};
use coax_program::{Func, Site};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A direction that no run took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    /// The branch.
    pub site: Site,
    /// Its direction.
    pub direction: u32,
    /// Why.
    pub why: Why,
    /// The branches whose conditions contradict each other on every way there, by their bytes in the module, if that is the proof.
    pub because: Vec<u32>,
    /// What the proof takes for granted, if it is one.
    pub assumes: Vec<String>,
}

impl Uncovered {
    /// Whether that is proved only if something is as assumed.
    pub fn is_assuming(&self) -> bool {
        !self.assumes.is_empty()
    }
}

/// A backward search's: the branches whose conditions contradict each other, and what it took for granted.
pub(crate) type Proof = (Vec<u32>, Granted);

/// Why no run took a direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// No input takes it: all paths were explored, or what leads there contradicts itself.
    Proved,
    /// Its function is never called: all paths were explored, or no call leads there.
    ProvedNotCalled,
    /// Runs took it, but only after a memory error: what they do then says nothing.
    AfterError,
    /// On none of the paths that were run can an input take it; on how many that was proved. Other paths are not explored.
    ProvedOnPaths(usize),
    /// A solver gave up, on so many paths; what it said of the first.
    GaveUp(String, usize),
    /// Inputs that should have taken it went elsewhere.
    Diverged,
    /// Runs that should have taken it met a limit before they came there, or could not be made.
    CutShort,
    /// There were more values of an address or the like than are tried.
    TooMany,
    /// There are questions that were not asked for lack of time or runs; how many about this branch.
    Budget(usize),
    /// The branch was reached, but on each of the paths earlier decisions had decided it.
    Implied,
    /// It is in an unknown function: what that decides by was not followed.
    Unfollowed,
    /// The branch was reached, but there was nothing to decide: on each of the paths it was the same for all inputs.
    Independent,
    /// The same, but values took the place of terms in runs that came there, first at this place: it may have depended on those.
    Replaced(String),
    /// The same, but only lengths of inputs were replaced.
    LengthReplaced,
    /// The branch was reached, but only by runs without terms: by changed inputs, or by those of a tree that was given up.
    NotFollowed,
    /// The branch was never reached, though its function was called.
    NotReached,
    /// Its function was never called.
    NotCalled,
    /// The search was cut off, and nobody could say why.
    CutOff,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths = |count: &usize| if *count == 1 { "1 path".to_owned() } else { format!("{count} paths") };
        match self {
            Why::Proved => f.write_str("proved infeasible: no input takes it"),
            Why::ProvedNotCalled => f.write_str("proved: its function is never called from this entry"),
            Why::AfterError => f.write_str("runs come here only after a memory error, which is reported"),
            Why::ProvedOnPaths(count) => {
                let count = paths(count);
                write!(f, "no input of the {count} that came here goes there; other paths are not explored")
            }
            Why::GaveUp(reason, count) => write!(f, "the solver gave up on {}: {reason}", paths(count)),
            Why::Diverged => f.write_str("inputs that should have taken it went elsewhere"),
            Why::CutShort => f.write_str(
                "runs that should have taken it met a limit before they came there, or could not be made",
            ),
            Why::TooMany => f.write_str("a value on the way has more possibilities than are tried"),
            Why::Budget(count) => write!(f, "not tried yet on {}: the budget was used up", paths(count)),
            Why::Implied => f.write_str("earlier decisions of the paths that came here had decided it"),
            Why::Unfollowed => {
                f.write_str("it is in a function that is unknown: its decisions were not followed")
            }
            Why::Independent => f.write_str(
                "on the paths that came here every input goes the same way; other paths are not explored",
            ),
            Why::Replaced(place) => write!(
                f,
                "it was reached, but may depend on what was replaced by a number in the runs that came here, first at {place}"
            ),
            Why::LengthReplaced => f.write_str(
                "on the paths that came here every input of the same length goes the same way; other paths are not explored",
            ),
            Why::NotFollowed => f.write_str(
                "only runs came here that are not followed: of changed inputs, or before functions became unknown",
            ),
            Why::NotReached => f.write_str("no run came here"),
            Why::NotCalled => f.write_str("its function was never called"),
            Why::CutOff => {
                f.write_str("not covered so far: the search was cut off, so there is no other reason")
            }
        }
    }
}

/// What a search has explored.
pub(crate) struct Explored<'a> {
    pub(crate) tree: &'a Tree,
    /// The places of decisions that earlier decisions of their paths had taken already.
    pub(crate) implied: &'a BTreeSet<u32>,
    pub(crate) followed: &'a Followed,
    /// What was said where questions were given up as long as a function was unknown that is followed now.
    pub(crate) given_up_before: &'a BTreeMap<u32, String>,
    /// Functions whose decisions were not followed, at least in some calls.
    pub(crate) unfollowed: &'a BTreeSet<Func>,
    /// A backward search's proof that nothing takes a direction.
    pub(crate) proof: &'a dyn Fn(Site, u32) -> Option<Proof>,
    /// What proofs take for granted that rest on having explored everything.
    pub(crate) assumed: &'a Assumed,
}

/// What is not covered in scope by inputs like this one, and why. `is_proof`: all paths were explored.
pub(crate) fn uncovered(
    subject: &Subject<'_>,
    like: Option<&Input>,
    suite: &Suite,
    explored: &Explored<'_>,
    is_proof: bool,
) -> Vec<Uncovered> {
    let &Explored { tree, implied, followed, given_up_before, unfollowed, proof, assumed } = explored;
    let mut nodes: BTreeMap<u32, Vec<&Node>> = BTreeMap::new();
    for node in tree.nodes() {
        nodes.entry(node.at).or_default().push(node);
    }
    let mut uncovered = Vec::new();
    let coverage = &suite.achieved.coverage;
    let entry = like.and_then(|like| Entry::find(subject.program, like.entry.as_deref()).ok());
    let roots = entry.map(|entry| entry.roots(subject.program));
    let callable = roots.as_ref().map(|roots| subject.program.calls().reachable(roots.iter().copied()));
    let types = subject.program.debug.types();
    for (site, data) in subject.program.sites.iter() {
        if !data.kind.is_branch() || !subject.is_in_scope(data.func) {
            continue;
        }
        let (taken, regardless) = (coverage.directions(site), suite.regardless.directions(site));
        // Of a decision in a loop there are as many nodes as the loop has rounds: they are looked at once for all its directions.
        let said = OnceCell::new();
        let directions = (0..).zip(taken).zip(regardless).filter(|((_, taken), _)| !**taken);
        for ((direction, _), regardless) in directions {
            let is_unfollowed = unfollowed.contains(&data.func);
            let proof = proof(site, direction);
            let why = match is_proof && !is_unfollowed {
                _ if *regardless => Why::AfterError,
                _ if proof.is_some() => Why::Proved,
                true if suite.regardless.entered(data.func) => Why::Proved,
                true => Why::ProvedNotCalled,
                // No call leads there: that needs no exploring.
                false if callable.as_ref().is_some_and(|callable| !callable.contains(&data.func)) => {
                    Why::ProvedNotCalled
                }
                false => {
                    let here = nodes.get(&data.offset).map_or(&[][..], |nodes| nodes);
                    match is_unfollowed && here.is_empty() {
                        true => Why::Unfollowed,
                        false if here.is_empty() && taken.contains(&true) => {
                            undecided(subject, site, implied, followed)
                        }
                        false => {
                            match said.get_or_init(|| why(here, suite.regardless.entered(data.func))).clone()
                            {
                                Why::GaveUp(said, count) => {
                                    let before =
                                        given_up_before.get(&data.offset).filter(|before| **before != said);
                                    let both = |before| format!("{before}; with calls followed, {said}");
                                    Why::GaveUp(before.map_or_else(|| said.clone(), both), count)
                                }
                                why => why,
                            }
                        }
                    }
                }
            };
            let is_callable = callable.as_ref().is_none_or(|callable| callable.contains(&data.func));
            let mut assumes = match (&why, &proof) {
                (Why::Proved, Some((_, granted))) => {
                    let roots = roots.as_deref().unwrap_or_default();
                    assumed::granted(subject.program, roots, Trust::default(), *granted)
                }
                (Why::Proved | Why::ProvedNotCalled, None) if is_callable => {
                    assumed.before(subject.program, site)
                }
                _ => Vec::new(),
            };
            if why == Why::Proved {
                assumes.extend(assumed::of_types(subject.program, &types, data.func));
            }
            let because = proof.filter(|_| why == Why::Proved).unwrap_or_default().0;
            uncovered.push(Uncovered { site, direction, why, because, assumes });
        }
    }
    uncovered
}

/// Why there is no decision to ask about at a branch that was reached.
fn undecided(subject: &Subject<'_>, site: Site, implied: &BTreeSet<u32>, followed: &Followed) -> Why {
    let program = subject.program;
    if implied.contains(&program.sites[site].offset) {
        return Why::Implied;
    }
    if !followed.came_to(site) {
        return Why::NotFollowed;
    }
    match followed.replaced_for(site) {
        Some(Replaced::At(at)) => {
            let frame = program.frames(at).into_iter().next();
            Why::Replaced(frame.map_or_else(|| format!("offset {at:#x}"), |frame| frame.to_string()))
        }
        Some(Replaced::Length) => Why::LengthReplaced,
        None => Why::Independent,
    }
}

fn why(nodes: &[&Node], is_called: bool) -> Why {
    let count = |is: &dyn Fn(&State) -> bool| nodes.iter().filter(|node| is(&node.state)).count();
    let given_up = nodes.iter().find_map(|node| match &node.state {
        State::GivenUp(difficulty) => Some(difficulty.said.clone()),
        _ => None,
    });
    let open = count(&|state| matches!(state, State::Open | State::Waiting));
    if nodes.is_empty() {
        return if is_called { Why::NotReached } else { Why::NotCalled };
    }
    match given_up {
        Some(reason) => Why::GaveUp(reason, count(&|state| matches!(state, State::GivenUp(_)))),
        None if open > 0 => Why::Budget(open),
        None if count(&|state| *state == State::Diverged) > 0 => Why::Diverged,
        None if count(&|state| *state == State::CutShort) > 0 => Why::CutShort,
        None if count(&|state| *state == State::TooMany) > 0 => Why::TooMany,
        None => Why::ProvedOnPaths(nodes.len()),
    }
}
