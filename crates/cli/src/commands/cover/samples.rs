//! What unknown functions were seen to give, kept for later searches with the same output directory.
//!
//! A sample is of a function as it was: it is kept with a hash of its code, of all that it may call, and of what the variables that these use begin with, and is
//! not used for another version.

use super::output::Output;
use crate::args::note;
use anyhow::{Context, Result};
use coax_execute::Unknown;
use coax_program::calls::CallGraph;
use coax_program::hash::Hasher;
use coax_program::{Func, Program};
use coax_search::{Findings, Sample, UnknownFunction, WhyUnknown};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

const NAME: &str = "samples.json";

/// The samples of one function.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// Of its code, of all that it may call, and of what their variables begin with.
    hash: String,
    /// Whether it became unknown by itself, and was a function.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    by_itself: bool,
    samples: Vec<Sample>,
}

/// The samples of these functions that earlier searches left in a directory; and, if functions may become unknown by themselves, of those that did. A function
/// that nobody named is not spoken of: it becomes unknown once more if that is of use.
pub fn read(
    output: &Output,
    program: &Program,
    functions: &BTreeSet<Func>,
    auto_unknown: bool,
) -> Result<Known> {
    let mut known = Known::default();
    let Some(text) = output.read(NAME)? else { return Ok(known) };
    let path = output.directory().path().join(NAME);
    let mut stored: BTreeMap<String, Stored> = serde_json::from_slice(&text).with_context(|| {
        format!("{} is damaged; remove it, or name another directory with `--out`", path.display())
    })?;
    let hashes = Hashes::new(program);
    for func in program.functions.ids() {
        let name = Unknown::name_of(program, func);
        let Some(Stored { hash, by_itself, samples: of_function }) = stored.remove(&name) else { continue };
        let is_wanted = functions.contains(&func) || auto_unknown && by_itself;
        if !is_wanted {
            continue;
        }
        if hash != hashes.of(func) {
            known.outdated.extend(functions.contains(&func).then_some(name));
            continue;
        }
        known.samples.extend(of_function.into_iter().map(|sample| Sample {
            func: func.0,
            is_earlier: true,
            ..sample
        }));
    }
    Ok(known)
}

/// What earlier searches have left.
#[derive(Default)]
pub struct Known {
    samples: Vec<Sample>,
    /// The functions that are named and were others.
    outdated: Vec<String>,
}

impl Known {
    /// The samples, for a search that begins with them; it is told what is not among them.
    pub fn into_samples(self) -> Vec<Sample> {
        for name in &self.outdated {
            note(format_args!(
                "what `{name}` was seen to give is not used: it is of another version of the function"
            ));
        }
        self.samples
    }
}

/// Keeps what a search has found; what is kept of functions that it does not know stays.
pub fn write(output: &Output, program: &Program, findings: &Findings) -> Result<()> {
    if findings.samples.is_empty() {
        return Ok(());
    }
    let mut stored: BTreeMap<String, Stored> =
        output.read(NAME)?.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let hashes = Hashes::new(program);
    let mut by_function: BTreeMap<Func, Vec<Sample>> = BTreeMap::new();
    for sample in &findings.samples {
        by_function.entry(Func(sample.func)).or_default().push(sample.clone());
    }
    for (func, samples) in by_function {
        let is_it = |it: &UnknownFunction| it.func == func && it.is_unknown() && it.why != WhyUnknown::Named;
        let by_itself = findings.unknown.iter().any(is_it);
        let hash = hashes.of(func);
        stored.insert(Unknown::name_of(program, func), Stored { hash, by_itself, samples });
    }
    output.write(NAME, &serde_json::to_vec(&stored)?)
}

/// Hashes of functions together with all that they may call.
struct Hashes<'p> {
    hasher: Hasher<'p>,
    calls: &'p CallGraph,
}

impl<'p> Hashes<'p> {
    fn new(program: &'p Program) -> Hashes<'p> {
        Hashes { hasher: Hasher::with_initial_values(program), calls: program.calls() }
    }

    fn of(&self, func: Func) -> String {
        let (mut seen, mut left) = (BTreeSet::new(), vec![func]);
        while let Some(func) = left.pop() {
            if seen.insert(func) {
                left.extend(self.calls.callees(func));
            }
        }
        // In an order that does not depend on where functions are.
        let hashes: BTreeSet<String> =
            seen.into_iter().filter_map(|func| self.hasher.hash(func)).map(|hash| hash.to_string()).collect();
        let own = self.hasher.hash(func).map(|hash| hash.to_string()).unwrap_or_default();
        let all: Vec<&str> = hashes.iter().map(String::as_str).collect();
        blake3::hash(format!("{own} {}", all.join(" ")).as_bytes()).to_hex().to_string()
    }
}
