//! One place that is to be reached, and what is known of it.

use coax_program::Program;
use coax_search::{Kept, Target};

/// A place that is to be reached.
#[derive(Debug)]
pub struct Aim {
    /// As the user calls it.
    pub text: String,
    pub target: Target,
    /// What is known of it beside tests.
    pub standing: Standing,
    /// Whether a test reaches it.
    pub is_reached: bool,
    /// How often it was looked at backwards, if that may be of use once more.
    pub tried: Option<u32>,
    /// Straight-line pieces that the backward search went through.
    pub segments: u64,
}

/// What is known of a place that no test reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing reaches it; why, and what that assumes: nothing if it holds for all inputs.
    Unreachable { why: String, assumes: Vec<String> },
    /// Nobody knows; why.
    Unknown(String),
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
        let standing = Standing::Unknown("it was not searched for backwards".to_owned());
        Aim { text: text.to_owned(), target, standing, is_reached: false, tried: Some(0), segments: 0 }
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
