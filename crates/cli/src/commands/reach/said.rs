//! What is said of places to people: a line for each, and one for all branches of a function that is never called.

use super::Aims;
use super::aim::Standing;
use anyhow::Result;
use coax_program::{Func, Program};
use coax_report::summary::{TargetVerdict, Verdict};
use coax_search::What;
use std::collections::BTreeMap;
use std::io::Write;

/// Why nothing in a function is reached that nobody calls.
pub const NEVER_CALLED: &str = "its function is never called from this entry";

impl Aims {
    /// Says what became of them; `targets` is what the report says. Of those that are not there it was said at once.
    pub fn print(&self, out: &mut impl Write, program: &Program, targets: &[TargetVerdict]) -> Result<()> {
        let targets = &targets[..self.aims.len()];
        let mut uncalled: BTreeMap<Func, usize> = BTreeMap::new();
        let funcs: Vec<Option<Func>> =
            (0..targets.len()).map(|number| self.uncalled(program, number)).collect();
        funcs.iter().flatten().for_each(|func| *uncalled.entry(*func).or_default() += 1);
        for (target, func) in targets.iter().zip(funcs) {
            let branches = func.and_then(|func| uncalled.get(&func)).copied().unwrap_or(1);
            let Some(func) = func.filter(|_| branches != 1) else {
                print_one(out, target)?;
                continue;
            };
            // The first one has said it of all.
            if branches > 1 {
                let name = &program.functions[func].name;
                writeln!(
                    out,
                    "unreachable  {name}, {branches} branches: it is never called from this entry"
                )?;
                uncalled.insert(func, 0);
            }
        }
        print_assumed(out, targets)
    }

    /// The function that one is a branch of, if nobody calls it.
    fn uncalled(&self, program: &Program, number: usize) -> Option<Func> {
        let aim = self.aims.get(number)?;
        let What::Direction(site, _) = aim.target.what else { return None };
        let is_uncalled = matches!(&aim.standing, Standing::Unreachable { why, .. } if why == NEVER_CALLED)
            && !aim.is_reached;
        is_uncalled.then(|| program.sites[site].func)
    }
}

fn print_one(out: &mut impl Write, target: &TargetVerdict) -> Result<()> {
    let TargetVerdict { target: name, verdict, test, reason, .. } = target;
    let [test, reason] = [test, reason].map(|text| text.as_deref().unwrap_or_default());
    match verdict {
        Verdict::Reached => writeln!(out, "reached      {name}  {test}.json")?,
        _ => writeln!(out, "{:<12} {name}: {reason}", verdict.word())?,
    }
    Ok(())
}

/// Says what verdicts take for granted.
fn print_assumed(out: &mut impl Write, targets: &[TargetVerdict]) -> Result<()> {
    let mut assumed: Vec<&str> = Vec::new();
    for assumes in targets.iter().flat_map(|target| &target.assumes) {
        if !assumed.contains(&&**assumes) {
            assumed.push(assumes);
        }
    }
    if !assumed.is_empty() {
        writeln!(out, "Assumed: {}.", assumed.join("; "))?;
    }
    Ok(())
}
