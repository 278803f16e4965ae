//! Which directions of which sites were taken, which functions were entered, and which calls returned.

mod packed;

use coax_program::entity::Id;
use coax_program::{Func, Program, Site, SiteKind};
use packed::Packed;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;
use std::sync::Arc;

/// So many directions are compared at once.
const PIECE: usize = 64;

/// What one or several runs covered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Packed", try_from = "Packed")]
pub struct Coverage {
    /// Where the directions of each site begin in `taken`; one more at the end. Shared by all runs of a program.
    starts: Arc<[u32]>,
    taken: Vec<bool>,
    entered: Vec<bool>,
    /// The calls that returned, of those that may end a run without a trace; ascending.
    returned: Vec<Site>,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// How many are covered.
    pub covered: u64,
    /// How many there are.
    pub total: u64,
}

/// Coverage in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Both directions of each `if` and `br_if`, each distinct target of a `br_table`.
    pub branches: Count,
    /// Both directions of each `select`.
    pub selects: Count,
    /// Functions with code.
    pub functions: Count,
}

impl Coverage {
    /// Nothing is covered.
    pub fn new(program: &Program) -> Self {
        let mut starts = Vec::with_capacity(program.sites.len() + 1);
        let mut next = 0;
        for site in program.sites.values() {
            starts.push(next);
            next += site.kind.directions();
        }
        starts.push(next);
        Coverage {
            starts: starts.into(),
            taken: vec![false; next as usize],
            entered: vec![false; program.functions.len()],
            returned: Vec::new(),
        }
    }

    /// Nothing is covered, of the same program.
    pub(crate) fn cleared(&self) -> Self {
        Coverage {
            starts: Arc::clone(&self.starts),
            taken: vec![false; self.taken.len()],
            entered: vec![false; self.entered.len()],
            returned: Vec::new(),
        }
    }

    /// Which directions of a site were taken; empty if it has none.
    pub fn directions(&self, site: Site) -> &[bool] {
        &self.taken[self.starts[site.index()] as usize..self.starts[site.index() + 1] as usize]
    }

    /// Whether a function was entered.
    pub fn entered(&self, func: Func) -> bool {
        self.entered[func.index()]
    }

    /// Whether a call returned that may end a run without a trace ([`coax_program::Ends`]).
    pub fn returned(&self, call: Site) -> bool {
        self.returned.binary_search(&call).is_ok()
    }

    /// The directions that were taken here and not there, in the order of their sites.
    pub fn beyond(&self, known: &Coverage) -> impl Iterator<Item = (Site, u32)> {
        // Most runs of a large program go beyond nowhere, or in few places.
        let pieces = self.taken.chunks(PIECE).zip(known.taken.chunks(PIECE)).zip((0..).step_by(PIECE));
        let new = pieces.filter(|((taken, known), _)| taken != known).flat_map(|((taken, known), first)| {
            let pairs = taken.iter().zip(known).zip(first..);
            pairs.filter(|((taken, known), _)| **taken && !**known).map(|(_, at)| at)
        });
        new.map(|at: u32| {
            let site = self.starts.partition_point(|&start| start <= at) - 1;
            (Site::new(site), at - self.starts[site])
        })
    }

    /// Adds what another run of the same program covered; returns whether any direction or function was new.
    pub fn merge(&mut self, other: &Coverage) -> bool {
        if !Arc::ptr_eq(&self.starts, &other.starts) {
            assert_eq!(self.starts, other.starts, "both must be coverage of the same program");
            self.starts = Arc::clone(&other.starts);
        }
        let mut news = false;
        let pairs =
            self.taken.iter_mut().zip(&other.taken).chain(self.entered.iter_mut().zip(&other.entered));
        for (mine, &theirs) in pairs {
            news |= theirs && !*mine;
            *mine |= theirs;
        }
        self.returned.extend(&other.returned);
        self.returned.sort_unstable();
        self.returned.dedup();
        news
    }

    /// The numbers for the functions in scope.
    pub fn counts(&self, program: &Program, in_scope: impl Fn(Func) -> bool) -> Counts {
        let mut counts = Counts::default();
        for (func, function) in program.functions.iter() {
            let Some(defined) = function.defined().filter(|_| in_scope(func)) else { continue };
            counts.functions += Count::of(&[self.entered(func)]);
            for index in defined.sites.start.index()..defined.sites.end.index() {
                let site = Site::new(index);
                let directions = Count::of(self.directions(site));
                match program.sites[site].kind {
                    SiteKind::Select => counts.selects += directions,
                    _ => counts.branches += directions,
                }
            }
        }
        counts
    }

    pub(crate) fn take(&mut self, site: Site, direction: u32) {
        let first = self.starts[site.index()];
        self.taken[(first + direction) as usize] = true;
    }

    /// Calls are noted in the order of their sites.
    pub(crate) fn note_return(&mut self, call: Site) {
        debug_assert!(self.returned.last().is_none_or(|last| *last < call), "they come in order");
        self.returned.push(call);
    }

    pub(crate) fn enter(&mut self, func: Func) {
        self.entered[func.index()] = true;
    }
}

impl Count {
    fn of(taken: &[bool]) -> Count {
        Count { covered: taken.iter().filter(|&&taken| taken).count() as u64, total: taken.len() as u64 }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.covered += other.covered;
        self.total += other.total;
    }
}
