//! The functions that the user says are to be covered, by patterns for their names.

use crate::args::edit_distance;
use anyhow::{Result, bail};
use coax_program::entity::Id;
use coax_program::{Func, Program};

/// Which functions are chosen.
pub struct Chosen {
    /// For each function, whether it is.
    is_chosen: Vec<bool>,
    /// Where the code of those that are begins and ends.
    ranges: Vec<(u32, u32)>,
}

impl Chosen {
    /// The functions whose names match one of the patterns; all patterns must match some.
    pub fn new(program: &Program, patterns: &[String]) -> Result<Chosen> {
        let defined = || program.functions.iter().filter(|(_, function)| function.defined().is_some());
        for pattern in patterns {
            if defined().any(|(_, function)| matches(pattern, &function.name)) {
                continue;
            }
            let names = defined().map(|(_, function)| function.name.as_str());
            let nearest = names
                .min_by_key(|name| (!name.contains(&**pattern), edit_distance(name, pattern)))
                .unwrap_or_default();
            bail!(
                "--scope: no function is called `{pattern}`; did you mean `{nearest}`? `coax dump functions --all` lists them"
            );
        }
        let mut chosen = Chosen { is_chosen: vec![false; program.functions.len()], ranges: Vec::new() };
        for (func, function) in defined() {
            let Some(defined) = function.defined() else { continue };
            if patterns.iter().any(|pattern| matches(pattern, &function.name)) {
                chosen.is_chosen[func.index()] = true;
                chosen.ranges.push((defined.range.start, defined.range.end));
            }
        }
        Ok(chosen)
    }

    /// Whether a function is chosen.
    pub fn has(&self, func: Func) -> bool {
        self.is_chosen[func.index()]
    }

    /// Whether an operator is in a function that is chosen.
    pub fn has_offset(&self, offset: u32) -> bool {
        self.ranges.iter().any(|&(start, end)| (start..end).contains(&offset))
    }
}

/// Whether a name is as a pattern says: `*` is any text, `?` any character.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // Which beginnings of the name the pattern so far matches.
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for part in pattern {
        if part == '*' {
            let first = reached.iter().position(|&is_reached| is_reached).unwrap_or(reached.len());
            reached[first..].fill(true);
            continue;
        }
        for end in (1..reached.len()).rev() {
            reached[end] = reached[end - 1] && (part == '?' || part == name[end - 1]);
        }
        reached[0] = false;
    }
    reached[name.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_names() {
        for (pattern, name) in
            [("parse", "parse"), ("parse*", "parse_all"), ("*::a", "x::y::a"), ("f?", "f1"), ("*", "")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("parse", "parser"), ("a*b", "ba"), ("f?", "f"), ("", "f"), ("*x*y", "yx")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
