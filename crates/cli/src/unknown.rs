//! Unknown functions, as the command line says it: those whose calls are not followed.

use crate::args::note;
use crate::names::{functions_named, no_such_function};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use coax_execute::{Entry, Unknown};
use coax_program::{Code, Func, Import, Program};
use coax_search::Imprecision;
use std::collections::BTreeSet;

/// Functions whose calls are not followed.
#[derive(Args, Clone)]
pub struct UnknownArgs {
    /// Do not follow calls of this function: a hash, a checksum, library maths. What it gives is learned from what it gave; if nothing is found so,
    /// it is followed at last. May be repeated
    #[arg(long, value_name = "FUNCTION")]
    unknown: Vec<String>,
    /// Follow calls of all functions but those that are named, and only of them: otherwise functions become unknown by themselves if what they give is too hard for
    /// solvers
    #[arg(long)]
    no_auto_unknown: bool,
    /// Do not call unknown functions directly to see what they give: only runs of the program show it
    #[arg(long)]
    no_direct_calls: bool,
    /// What is made of what unknown functions give: `higher-order` looks for inputs that are right whatever they give elsewhere; `delayed`, `sound` and
    /// `unsound` take it for a number, and fix what they were given if a decision depends on it, always, or never
    #[arg(long, value_name = "TREATMENT", value_enum, default_value_t = Treatment::HigherOrder)]
    imprecision: Treatment,
}

/// What is made of what unknown functions give.
#[derive(Clone, Copy, ValueEnum)]
pub enum Treatment {
    HigherOrder,
    Delayed,
    Sound,
    Unsound,
}

impl UnknownArgs {
    /// The same with another treatment, and nothing that becomes unknown by itself.
    pub fn treated(&self, imprecision: Treatment) -> UnknownArgs {
        UnknownArgs { imprecision, no_auto_unknown: true, ..self.clone() }
    }

    /// The same as if the user had said nothing: coax chooses what is unknown.
    pub fn unnamed(&self) -> UnknownArgs {
        UnknownArgs {
            unknown: Vec::new(),
            no_auto_unknown: false,
            imprecision: Treatment::HigherOrder,
            ..self.clone()
        }
    }

    /// The functions that the user names, for a program of which this is to be covered.
    pub fn functions(
        &self,
        program: &Program,
        entry: &Entry,
        is_own: impl Fn(Func) -> bool,
    ) -> Result<BTreeSet<Func>> {
        let mut functions = BTreeSet::new();
        for name in &self.unknown {
            let found = functions_named(program, name);
            if found.is_empty() {
                match is_inlined(program, name) {
                    true => bail!(
                        "`{name}` has no code of its own, the compiler put it into those that call it; compile with `-O 0`, or mark it as one that is not to be inlined"
                    ),
                    false => bail!(no_such_function(program, name, &is_own)),
                }
            }
            for func in found {
                check(program, entry, &is_own, name, func)?;
                functions.insert(func);
            }
        }
        Ok(functions)
    }

    /// What is made of what they give.
    pub fn imprecision(&self) -> Imprecision {
        match self.imprecision {
            Treatment::HigherOrder => Imprecision::HigherOrder,
            Treatment::Delayed => Imprecision::Delayed,
            Treatment::Sound => Imprecision::Sound,
            Treatment::Unsound => Imprecision::Unsound,
        }
    }

    /// Whether others become unknown by themselves.
    pub fn auto_unknown(&self) -> bool {
        !self.no_auto_unknown
    }

    /// Whether they may be called directly.
    pub fn direct_calls(&self) -> bool {
        !self.no_direct_calls
    }
}

/// Whether calls of a function can be learned from.
fn check(
    program: &Program,
    entry: &Entry,
    is_own: &impl Fn(Func) -> bool,
    name: &str,
    func: Func,
) -> Result<()> {
    if func == entry.func {
        bail!("`{name}` is the entry itself; name a function that it calls");
    }
    if let Code::Import(import) = program.functions[func].code {
        let Import { module, name: field, .. } = &program.imports[import];
        bail!(
            "`{name}` has no code in the program, it is imported; `--stub {module}.{field}=MODULE.wasm` gives it some"
        );
    }
    if is_around_all(program, entry, is_own, func) {
        bail!("`{name}` is around all that is to be covered; name a function that it calls");
    }
    if let Some(why) = Unknown::refuses(program, func) {
        bail!("what `{name}` is a function of cannot be told: {why}; let coax follow it");
    }
    let types = program.debug.types();
    let declared = types.function(&program.functions[func]);
    if declared.is_none() && !program.signature(func).params.is_empty() {
        note(format_args!(
            "there is no debug information about `{name}`: a parameter that is a pointer counts as a number; compile with -g"
        ));
    }
    Ok(())
}

/// Whether nothing that is to be covered is called but by a function: as `main` is around a program. Through tables libraries might call anything, so that is
/// not looked at.
fn is_around_all(program: &Program, entry: &Entry, is_own: &impl Fn(Func) -> bool, func: Func) -> bool {
    let calls = program.calls();
    let is_any_called = |without: Option<Func>| {
        let (mut seen, mut left) = (BTreeSet::from_iter(without), entry.roots(program));
        while let Some(next) = left.pop() {
            if seen.insert(next) {
                let looked_at = calls.calls[next].iter().filter(|call| !call.indirect || is_own(next));
                left.extend(looked_at.flat_map(|call| &call.callees));
            }
        }
        seen.into_iter().any(|other| Some(other) != without && is_own(other))
    };
    is_any_called(None) && !is_any_called(Some(func))
}

/// Whether the source has a function of this name whose code is part of others.
fn is_inlined(program: &Program, name: &str) -> bool {
    let is_it = |full: &str| full == name || full.ends_with(&format!("::{name}"));
    let has_it =
        |offset: u32| program.frames(offset).iter().any(|it| it.function.as_deref().is_some_and(is_it));
    program.sites.values().any(|site| has_it(site.offset))
}
