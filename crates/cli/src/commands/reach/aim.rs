//! One place that is to be reached, and what is known of it.

use coax_program::Program;
use coax_search::{Kept, StopReason, Target};

/// A place that is to be reached.
#[derive(Clone, Debug)]
pub struct Aim {
    /// As the user calls it.
    pub text: String,
    pub target: Target,
    /// What is known of it beside tests.
    pub standing: Standing,
    /// Whether a test reaches it.
    pub is_reached: bool,
    /// How often it was looked at backwards.
    pub looks: u32,
    /// How many of these looks the clock did not cut short, if another may be of use.
    pub tried: Option<u32>,
    /// Straight-line pieces that the backward search went through.
    pub segments: u64,
}

/// What is known of a place that no test reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing reaches it; why, and what that assumes: nothing if it holds for all inputs.
    Unreachable { why: String, assumes: Vec<String> },
    /// Nobody knows: that is as far as looking backwards has come.
    Unknown(Behind),
}

/// How far looking backwards from a place has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Nobody has looked yet.
    NotYet,
    /// Nobody will; why, as the rest of a sentence.
    Never(&'static str),
    /// The time was over before anything was found out.
    Cut,
    /// What was found out, or was too much.
    Seen(&'static str),
}

impl Behind {
    /// After another look: one that was cut short makes nobody forget what an earlier one has found out.
    pub fn then(self, later: Behind) -> Behind {
        match (self, later) {
            (Behind::Seen(_), Behind::Cut) => self,
            _ => later,
        }
    }

    /// Why nobody knows whether something gets there, after a search that ended for this reason, which has these words if it has to do with it.
    pub fn why(self, stop: StopReason, ended: Option<&str>) -> String {
        let is_cut = matches!(stop, StopReason::Time | StopReason::Memory | StopReason::Interrupted);
        let behind = match self {
            Behind::NotYet if stop == StopReason::Complete => {
                "backwards, there was too much else to look for"
            }
            Behind::NotYet => "it was not searched for backwards yet",
            Behind::Never(why) => &format!("it was not searched for backwards{why}"),
            // The same reason twice says no more.
            Behind::Cut if is_cut && let Some(ended) = ended => return ended.to_owned(),
            Behind::Cut => "backwards, its part of the time was over",
            Behind::Seen(why) => &format!("backwards, {why}"),
        };
        ended.map_or_else(|| behind.to_owned(), |ended| format!("{ended}; {behind}"))
    }
}

impl Standing {
    /// Nothing reaches it, whatever the input is.
    pub fn unreachable(why: &str) -> Standing {
        Standing::Unreachable { why: why.to_owned(), assumes: Vec::new() }
    }
}

impl Aim {
    /// Nothing is known of it yet.
    pub fn new(text: &str, target: Target) -> Aim {
        let standing = Standing::Unknown(Behind::NotYet);
        Aim {
            text: text.to_owned(),
            target,
            standing,
            is_reached: false,
            looks: 0,
            tried: Some(0),
            segments: 0,
        }
    }

    /// Nobody looks for it backwards; why, as the rest of a sentence.
    pub fn never_behind(mut self, why: &'static str) -> Aim {
        self.standing = Standing::Unknown(Behind::Never(why));
        self
    }

    /// Whether it is known that something reaches it, or that nothing does.
    pub fn is_settled(&self) -> bool {
        self.is_reached || matches!(self.standing, Standing::Unreachable { .. })
    }

    /// Whether a test reaches it.
    pub fn is_reached_by(&self, program: &Program, test: &Kept) -> bool {
        self.target.is_reached_by(program, test.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVER: Option<&str> = Some("the time is over (`--time`)");

    #[test]
    fn what_was_found_out_outlives_a_look_that_was_cut_short() {
        let seen = Behind::NotYet.then(Behind::Seen("solvers would take too long")).then(Behind::Cut);
        let why = seen.why(StopReason::Time, OVER);
        assert_eq!(why, "the time is over (`--time`); backwards, solvers would take too long");
    }

    #[test]
    fn the_same_reason_is_not_said_twice() {
        assert_eq!(Behind::Cut.why(StopReason::Time, OVER), "the time is over (`--time`)");
        assert_eq!(Behind::Cut.why(StopReason::Interrupted, Some("interrupted")), "interrupted");
    }

    #[test]
    fn who_is_interrupted_had_not_too_much_to_do() {
        let why = Behind::NotYet.why(StopReason::Interrupted, Some("interrupted"));
        assert_eq!(why, "interrupted; it was not searched for backwards yet");
    }
}
