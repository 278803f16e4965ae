//! Sites: the numbered places of a program that coverage, targets and reports speak of.
//!
//! A site is a branch, a select, a call or an operator that may trap. Sites are numbered in the
//! order of the code, over the whole module, so the same bytes always give the same numbers.

use crate::entity::id;
use crate::program::Func;

id!(
    /// A branch, select, call or possible trap.
    Site, "site");

/// What is known of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteData {
    /// The function it is in.
    pub func: Func,
    /// Byte offset of its operator in the module.
    pub offset: u32,
    /// What happens here.
    pub kind: SiteKind,
}

/// What happens at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SiteKind {
    /// `if` or `br_if`: direction 0 when the condition is zero, direction 1 otherwise.
    Branch,
    /// `br_table` with so many distinct targets: each is a direction.
    Switch(u32),
    /// `select`: direction 0 when the condition is zero, direction 1 otherwise.
    Select,
    /// A call; an indirect one may trap as well.
    Call,
    /// An operator that may trap: a division, a memory access, `unreachable`…
    Trap,
}

impl SiteKind {
    /// How many directions control or data may go here; calls and traps have none.
    pub fn directions(self) -> u32 {
        match self {
            SiteKind::Branch | SiteKind::Select => 2,
            SiteKind::Switch(targets) => targets,
            SiteKind::Call | SiteKind::Trap => 0,
        }
    }

    /// Whether its directions count as branch coverage.
    pub fn is_branch(self) -> bool {
        matches!(self, SiteKind::Branch | SiteKind::Switch(_))
    }
}
