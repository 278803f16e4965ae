//! Where runs with terms came: what is said of a branch that nothing is known about depends on it.

use crate::Subject;
use crate::choice::Way;
use crate::task::Ran;
use coax_execute::Coverage;
use coax_program::{Program, Site};
use std::collections::BTreeMap;

/// Where the runs of a tree came.
pub(crate) struct Followed {
    coverage: Coverage,
    /// The branches that a run came to in which a term was replaced by its value.
    replaced: BTreeMap<Site, Replaced>,
}

/// A term that was replaced by its value in a run; what says most comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Replaced {
    /// First at this byte of the module.
    At(u32),
    /// Only lengths of inputs were.
    Length,
}

impl Followed {
    /// None came anywhere.
    pub(crate) fn new(program: &Program) -> Followed {
        Followed { coverage: Coverage::new(program), replaced: BTreeMap::new() }
    }

    /// Takes a run into account.
    pub(crate) fn add(&mut self, subject: &Subject<'_>, ran: &Ran) {
        let coverage = &ran.confirmed.coverage;
        self.coverage.merge(coverage);
        let is_length = Way::is_length;
        let values = ran.choices.iter().filter(|choice| choice.way.value().is_some());
        // That a length was read says little: programs that read all their input begin with it.
        let Some(first) = values.min_by_key(|choice| is_length(choice.way)) else { return };
        let replaced = if is_length(first.way) { Replaced::Length } else { Replaced::At(first.at) };
        for (site, data) in subject.program.sites.iter() {
            let is_asked = data.kind.is_branch() && subject.is_in_scope(data.func);
            if is_asked && coverage.directions(site).contains(&true) {
                let known = self.replaced.entry(site).or_insert(replaced);
                *known = replaced.min(*known);
            }
        }
    }

    /// Whether one came to a branch.
    pub(crate) fn came_to(&self, site: Site) -> bool {
        self.coverage.directions(site).contains(&true)
    }

    /// What was replaced by its value in a run that came to a branch.
    pub(crate) fn replaced_for(&self, site: Site) -> Option<Replaced> {
        self.replaced.get(&site).copied()
    }
}
