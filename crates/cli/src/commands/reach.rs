//! `coax reach`: an input that gets to one place of a program, or a proof that there is none.

mod aim;
mod find;
mod malformed;
mod meetings;
mod prove;
mod pursuit;
mod said;
mod shares;

use super::cover::CoverArgs;
use crate::args::Target as LoadedProgram;
use aim::{Aim, Behind, Standing};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use coax_execute::Entry;
use coax_program::Program;
use coax_program::ir::Body;
use coax_report::summary::{TargetVerdict, Verdict};
use coax_search::{Findings, Goal, Kept, StopReason, Target, of_types};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub use prove::Trying;
pub use pursuit::Pursuit;

/// Find inputs that get to places of a program, or prove that there are none
#[derive(Args)]
pub struct ReachArgs {
    /// Where to get: FILE:LINE, FILE:LINE:COLUMN, FUNCTION, FUNCTION+OFFSET (bytes of its code), FUNCTION:trap, site:NUMBER or label:NAME; may be repeated
    #[arg(long = "target", value_name = "PLACE")]
    targets: Vec<String>,
    /// All branches that `coax cover` did not cover, by its report in this directory
    #[arg(long, value_name = "DIR")]
    uncovered: Option<PathBuf>,
    /// Where to look from
    #[arg(long, value_name = "STRATEGY", value_enum, default_value_t = Strategy::Auto)]
    strategy: Strategy,
    #[command(flatten)]
    cover: CoverArgs,
}

/// Where to look from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Strategy {
    /// From the place backwards, which may prove that nothing gets there, and from the beginning, led by how far it is
    Auto,
    /// Only from the beginning: the search of `coax cover`, until it has come there
    Forward,
    /// Only from the place backwards
    Backward,
}

impl ReachArgs {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        if self.targets.is_empty() && self.uncovered.is_none() {
            bail!("there is nothing to reach; name a place, for instance `--target parser.c:412`");
        }
        let wanted = Wanted { targets: self.targets, uncovered: self.uncovered, strategy: self.strategy };
        self.cover.search_for(Some(wanted))
    }
}

/// What the user wants to reach, in words.
pub struct Wanted {
    targets: Vec<String>,
    uncovered: Option<PathBuf>,
    strategy: Strategy,
}

impl Wanted {
    /// Finds it in a program.
    pub fn find(&self, target: &LoadedProgram, entry: &Entry, out: &Path) -> Result<Aims> {
        let program = &*target.program;
        let (mut aims, mut bad) = (Vec::new(), Vec::new());
        for text in &self.targets {
            match find::aim(target, text) {
                Ok(aim) => aims.push(aim),
                Err(why) => bad.push((text.clone(), why)),
            }
        }
        if let Some(directory) = &self.uncovered {
            if same_place(directory, out) {
                bail!("{} would be replaced; name another directory with `--out`", directory.display());
            }
            aims.extend(find::uncovered(program, entry, directory)?);
        }
        // One that is bad is no reason not to look for the others; if there are no others, it ends here.
        let last = if aims.is_empty() { bad.pop() } else { None };
        bad.iter().for_each(|(_, why)| complain(why));
        if let Some((_, why)) = last {
            return Err(why);
        }
        let bad = bad.into_iter().map(|(text, why)| (text, format!("{why:#}"))).collect();
        let mut aims = Aims { aims, bad, roots: entry.roots(program), strategy: self.strategy };
        aims.look_at_calls(program);
        Ok(aims)
    }
}

/// Whether two names are of the same directory.
fn same_place(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    whole(one) == whole(other)
}

/// What is to be reached.
#[derive(Clone)]
pub struct Aims {
    aims: Vec<Aim>,
    /// What is not there, as the user calls it, and why.
    bad: Vec<(String, String)>,
    /// The functions that are called from outside, the entry first.
    roots: Vec<coax_program::Func>,
    strategy: Strategy,
}

impl Aims {
    /// Whether the search is to go where they are.
    pub fn are_led_to(&self) -> bool {
        self.strategy != Strategy::Forward
    }

    /// Whether nobody is to look from the beginning.
    pub fn are_behind_only(&self) -> bool {
        self.strategy == Strategy::Backward
    }

    /// Whether all are decided.
    pub fn are_done(&self) -> bool {
        self.aims.iter().all(Aim::is_settled)
    }

    /// A test was found. What is proved to be unreachable is looked at, too: a proof may be wrong.
    pub fn note(&mut self, program: &Program, test: &Kept) {
        for aim in self.aims.iter_mut().filter(|aim| !aim.is_reached) {
            aim.is_reached = aim.is_reached_by(program, test);
        }
    }

    /// The points of the only place that is not decided, if the search is to be led there from the beginning; of one that has none, the functions that it is in.
    pub fn only_goals(&self) -> Option<Vec<Goal>> {
        let mut left = self.aims.iter().filter(|aim| !aim.is_settled());
        let (only, None) = (left.next()?, left.next()) else { return None };
        let begin = |func| Goal::Point(func, Body::ENTRY, 0);
        let goals = match only.target.goals.is_empty() {
            true => only.target.functions().into_iter().map(begin).collect(),
            false => only.target.goals.clone(),
        };
        (self.strategy == Strategy::Auto).then_some(goals)
    }

    /// What the search is for.
    pub fn targets(&self) -> Vec<Target> {
        self.aims.iter().filter(|aim| !aim.is_reached).map(|aim| aim.target.clone()).collect()
    }

    /// Whether a test reaches something.
    pub fn is_reached_by(&self, program: &Program, test: &Kept) -> bool {
        self.aims.iter().any(|aim| aim.is_reached_by(program, test))
    }

    /// What a search that has explored all paths did not get to, nothing gets to.
    pub fn learn(&mut self, program: &Program, findings: &Findings) {
        if !findings.is_complete {
            return;
        }
        let types = program.debug.types();
        for aim in self.aims.iter_mut().filter(|aim| !aim.is_settled()) {
            if !aim.target.may_be_reached_in(program, &findings.regardless) {
                let mut assumes = findings.assumed.in_functions(aim.target.functions());
                let why = match assumes.is_empty() {
                    true => "all paths are explored, and none gets there",
                    false => "all paths are explored, and none gets there, if all is as assumed",
                };
                let types =
                    aim.target.functions().into_iter().find_map(|func| of_types(program, &types, func));
                assumes.extend(types);
                aim.standing = Standing::Unreachable { why: why.to_owned(), assumes };
            }
        }
    }

    /// What the report says of them, and then of those that are not there. The test that reaches one has this name.
    pub fn summary(
        &self,
        program: &Program,
        findings: &Findings,
        name: &dyn Fn(&Kept) -> String,
        ended: &str,
    ) -> Vec<TargetVerdict> {
        let none = Vec::new();
        let Findings { tests, stop, .. } = findings;
        // Where nobody looked from the beginning, there was nothing to end but looking backwards.
        let ended = Some(ended).filter(|_| !self.are_behind_only() || *stop != StopReason::Complete);
        let one = |aim: &Aim| {
            let test = tests.iter().find(|test| aim.is_reached_by(program, test));
            let (verdict, reason, assumes) = match (&test, &aim.standing) {
                // One of them is wrong.
                (Some(_), Standing::Unreachable { why, .. }) => {
                    (Verdict::Unknown, Some(format!("a test seems to reach it, but {why}")), &none)
                }
                (Some(_), _) => (Verdict::Reached, None, &none),
                (None, Standing::Unreachable { why, assumes }) => {
                    (Verdict::Unreachable, Some(why.clone()), assumes)
                }
                (None, Standing::Unknown(behind)) => {
                    (Verdict::Unknown, Some(self.unseen(*behind).why(*stop, ended)), &none)
                }
            };
            TargetVerdict {
                assumes: assumes.iter().map(|what| what.as_str().into()).collect(),
                reason: reason.map(Into::into),
                segments: aim.segments,
                target: aim.text.as_str().into(),
                test: test.map(|test| name(test).into()),
                verdict,
            }
        };
        let bad = |(text, why): &(String, String)| TargetVerdict {
            assumes: Vec::new(),
            reason: Some(why.as_str().into()),
            segments: 0,
            target: text.as_str().into(),
            test: None,
            verdict: Verdict::Unknown,
        };
        self.aims.iter().map(one).chain(self.bad.iter().map(bad)).collect()
    }

    /// What ended looking backwards, if nobody from outside did.
    pub fn end_of_looking(&self) -> StopReason {
        let is_cut = |aim: &Aim| aim.standing == Standing::Unknown(Behind::Cut);
        match self.aims.iter().any(is_cut) {
            true => StopReason::Time,
            false => StopReason::Complete,
        }
    }

    /// How far looking backwards has come, if that was wanted.
    fn unseen(&self, behind: Behind) -> Behind {
        match self.strategy {
            Strategy::Forward => Behind::Never(" (`--strategy forward`)"),
            _ => behind,
        }
    }
}

/// Says at once what is wrong with a target, though the search goes on.
fn complain(why: &anyhow::Error) {
    eprintln!("error: {why:#}");
}
