//! Names for the directions of a site.

use crate::ir::Terminator;
use crate::program::Program;
use crate::site::{Site, SiteKind};

impl Program {
    /// The names of a site's directions, in their order: `false` and `true`, or the cases of a switch that
    /// lead to the same target (`3`, `0,4-7`, `2,else`).
    pub fn direction_names(&self, site: Site) -> Vec<String> {
        let data = &self.sites[site];
        match data.kind {
            SiteKind::Call | SiteKind::Trap => Vec::new(),
            SiteKind::Branch | SiteKind::Select => vec!["false".to_string(), "true".to_string()],
            SiteKind::Switch(targets) => {
                let defined = self.functions[data.func].defined();
                let mut blocks = defined.into_iter().flat_map(|defined| defined.body.blocks.values());
                let switch = blocks.find(|block| block.end_offset == data.offset);
                match switch.map(|block| &block.end) {
                    Some(Terminator::Switch { cases, default, .. }) => {
                        (0..targets).map(|target| case_names(cases, *default, target)).collect()
                    }
                    _ => unreachable!("{site} is a switch"),
                }
            }
        }
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
