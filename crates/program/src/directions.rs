//! Names for the directions of a site.

use crate::ir::{Block, Body, Terminator};
use crate::program::Program;
use crate::site::{Site, SiteKind};

impl Program {
    /// The names of a site's directions, in their order.
    ///
    /// A branch's are the places it leads to, as compilers turn conditions round; where those are not known
    /// or equal, and for a select, `zero` and `nonzero`, after the wasm condition. A switch's are the cases that
    /// lead to the same target: `3`, `0,4-7`, `2,else`.
    pub fn direction_names(&self, site: Site) -> Vec<String> {
        let data = &self.sites[site];
        let by_condition = || vec!["zero".to_string(), "nonzero".to_string()];
        let defined = self.functions[data.func].defined();
        let body = defined.map(|defined| &defined.body);
        let end = body.and_then(|body| Some((body, body.block_ending_at(data.offset)?)));
        match (data.kind, end.map(|(body, block)| (body, &block.end))) {
            (SiteKind::Call | SiteKind::Trap, _) => Vec::new(),
            (SiteKind::Switch(targets), Some((_, Terminator::Switch { cases, default, .. }))) => {
                (0..targets).map(|target| case_names(cases, *default, target)).collect()
            }
            (SiteKind::Branch, Some((body, Terminator::Branch { targets, .. }))) => {
                match targets.map(|edge| self.first_place(body, edge.to)) {
                    [Some(zero), Some(nonzero)] if zero.0 != nonzero.0 => {
                        [zero, nonzero].map(|(line, _)| format!("to line {line}")).to_vec()
                    }
                    [Some(zero), Some(nonzero)] if zero != nonzero => {
                        [zero, nonzero].map(|(line, column)| format!("to {line}:{column}")).to_vec()
                    }
                    _ => by_condition(),
                }
            }
            _ => by_condition(),
        }
    }

    /// Line and column of the first code that control meets in a block.
    fn first_place(&self, body: &Body, block: Block) -> Option<(u32, u32)> {
        let place = |offset| {
            let mut frames = self.debug.frames(offset).into_iter();
            frames.find_map(|frame| Some((frame.line?, frame.column.unwrap_or_default())))
        };
        let mut data = &body.blocks[block];
        // Blocks that do nothing but jump say nothing; a cycle of such blocks is an empty endless loop.
        for _ in 0..body.blocks.len() {
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
    let mut names = Vec::new();
    let mut case = 0;
    while case < cases.len() {
        let run = cases[case..].iter().take_while(|&&to| to == target).count();
        match run {
            0 => {}
            1 => names.push(case.to_string()),
            _ => names.push(format!("{case}-{}", case + run - 1)),
        }
        case += run.max(1);
    }
    if default == target {
        names.push("else".to_string());
    }
    names.join(",")
}

#[cfg(test)]
mod tests {
    use super::case_names;

    #[test]
    fn cases_are_named_as_ranges() {
        let cases = [0, 1, 1, 1, 2, 0];
        assert_eq!(case_names(&cases, 2, 0), "0,5");
        assert_eq!(case_names(&cases, 2, 1), "1-3");
        assert_eq!(case_names(&cases, 2, 2), "4,else");
        assert_eq!(case_names(&[], 0, 0), "else");
    }
}
