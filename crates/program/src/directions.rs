//! Names for the directions of a site.

use crate::ir::{Block, Body, Terminator};
use crate::program::Program;
use crate::site::{Site, SiteKind};
use std::ops::Range;

/// How many blocks that only jump are passed to see where a branch leads: compilers leave a few.
const MOST_JUMPS: usize = 100;

impl Program {
    /// The names of a site's directions, in their order.
    ///
    /// A branch's are the places it leads to, as compilers turn conditions round; where those are not known
    /// or equal, and for a select, `zero` and `nonzero`, after the wasm condition. A switch's are the cases that
    /// lead to the same target: `3`, `0,4-7`, `2,else`.
    pub fn direction_names(&self, site: Site) -> Vec<String> {
        let by_condition = || vec!["zero".to_string(), "nonzero".to_string()];
        match (self.sites[site].kind, self.branch_at(site)) {
            (SiteKind::Call | SiteKind::Trap, _) => Vec::new(),
            (SiteKind::Switch(targets), Some((_, Terminator::Switch { cases, default, .. }))) => {
                all_case_names(cases, *default, targets)
            }
            (SiteKind::Branch, Some((body, Terminator::Branch { targets, .. }))) => {
                match targets.map(|edge| self.first_place(body, edge.to)) {
                    [Some(zero), Some(nonzero)] if (&zero.0, zero.1) != (&nonzero.0, nonzero.1) => {
                        [zero, nonzero]
                            .map(|(file, line, _)| match file.is_empty() {
                                true => format!("to line {line}"),
                                false => format!("to {file}{line}"),
                            })
                            .to_vec()
                    }
                    [Some(zero), Some(nonzero)] if zero != nonzero => [zero, nonzero]
                        .map(|(file, line, column)| format!("to {file}{line}:{column}"))
                        .to_vec(),
                    _ => by_condition(),
                }
            }
            _ => by_condition(),
        }
    }

    /// The name of one direction of a site; nothing if it has not so many.
    pub fn direction_name(&self, site: Site, direction: u32) -> Option<String> {
        match (self.sites[site].kind, self.branch_at(site)) {
            // The others are not wanted, and there may be thousands.
            (SiteKind::Switch(targets), Some((_, Terminator::Switch { cases, default, .. }))) => {
                (direction < targets).then(|| case_names(cases, *default, direction))
            }
            _ => self.direction_names(site).into_iter().nth(direction as usize),
        }
    }

    /// The end of the block that a site is, if it is one.
    fn branch_at(&self, site: Site) -> Option<(&Body, &Terminator)> {
        let data = &self.sites[site];
        let body = &self.functions[data.func].defined()?.body;
        Some((body, &body.block_ending_at(data.offset)?.end))
    }

    /// Line and column of the first code that control meets in a block; in front of them the file, if it is another one than the function's.
    fn first_place(&self, body: &Body, block: Block) -> Option<(String, u32, u32)> {
        let place = |offset| {
            let frames = self.debug.frames(offset);
            let own = frames.last().and_then(|frame| frame.file.clone());
            frames.into_iter().find_map(|frame| {
                let other = frame.file.filter(|file| Some(file) != own.as_ref());
                let name = other.as_deref().and_then(|file| file.rsplit('/').next());
                let file = name.map_or_else(String::new, |name| format!("{name}:"));
                Some((file, frame.line?, frame.column.unwrap_or_default()))
            })
        };
        if self.debug.units.is_empty() {
            return None;
        }
        let mut data = &body.blocks[block];
        // Blocks that do nothing but jump say nothing; a cycle of such blocks is an empty endless loop.
        for _ in 0..body.blocks.len().min(MOST_JUMPS) {
            let found = data.insts().find_map(|inst| place(body.insts[inst].offset));
            match (found, &data.end) {
                (None, Terminator::Jump(edge)) => data = &body.blocks[edge.to],
                (found, _) => return found.or_else(|| place(data.end_offset)),
            }
        }
        None
    }
}

/// The cases of a switch that lead to a target, as ranges.
pub(crate) fn case_names(cases: &[u32], default: u32, target: u32) -> String {
    let mut name = Name::default();
    let of_target = runs(cases).filter(|(to, _)| *to == target);
    of_target.for_each(|(_, run)| name.add(&run));
    name.end(default == target)
}

/// The same for all targets at once.
fn all_case_names(cases: &[u32], default: u32, targets: u32) -> Vec<String> {
    let mut names: Vec<Name> = (0..targets).map(|_| Name::default()).collect();
    for (target, run) in runs(cases) {
        names[target as usize].add(&run);
    }
    names.into_iter().zip(0..).map(|(name, target)| name.end(default == target)).collect()
}

/// The longest runs of cases that lead to the same target.
fn runs(cases: &[u32]) -> impl Iterator<Item = (u32, Range<usize>)> + '_ {
    let mut begin = 0;
    cases.chunk_by(|one, next| one == next).map(move |run| {
        let cases = begin..begin + run.len();
        begin = cases.end;
        (run[0], cases)
    })
}

/// The name of a target, as far as it is known.
#[derive(Default)]
struct Name(String);

impl Name {
    fn add(&mut self, run: &Range<usize>) {
        self.part(&match run.len() {
            1 => run.start.to_string(),
            _ => format!("{}-{}", run.start, run.end - 1),
        });
    }

    fn part(&mut self, part: &str) {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0 += part;
    }

    fn end(mut self, is_default: bool) -> String {
        if is_default {
            self.part("else");
        }
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{all_case_names, case_names};

    #[test]
    fn cases_are_named_as_ranges() {
        let cases = [0, 1, 1, 1, 2, 0];
        assert_eq!(case_names(&cases, 2, 0), "0,5");
        assert_eq!(case_names(&cases, 2, 1), "1-3");
        assert_eq!(case_names(&cases, 2, 2), "4,else");
        assert_eq!(all_case_names(&cases, 2, 4), ["0,5", "1-3", "4,else", ""]);
        assert_eq!(case_names(&[], 0, 0), "else");
    }
}
