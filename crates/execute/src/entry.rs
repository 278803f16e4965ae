//! Which function a run calls.

use crate::{Error, Input, Value};
use coax_program::{Export, Extern, Func, Program, Signature};

/// The function that a run calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The function.
    pub func: Func,
    /// The name it is exported by.
    pub export: String,
    /// Whether `_initialize` must be called first: the program is a library with an environment to set up.
    pub initialize: bool,
}

const COMMAND: &str = "_start";
const INITIALIZE: &str = "_initialize";

impl Entry {
    /// Finds the function of this name, or the one that is meant when no name is given.
    pub fn find(program: &Program, name: Option<&str>) -> Result<Entry, Error> {
        let export = match name {
            Some(name) => named(program, name)?,
            None => default(program)?,
        };
        let Extern::Func(func) = export.kind else {
            return Err(Error::NoSuchFunction { name: export.name.clone(), advice: callable_list(program) });
        };
        let initialize = export.name != COMMAND
            && export.name != INITIALIZE
            && functions(program).any(|(func, export)| {
                export.name == INITIALIZE && *program.signature(func) == Signature::default()
            });
        Ok(Entry { func, export: export.name.clone(), initialize })
    }

    /// Checks that the input's parameters are what the function takes.
    pub(crate) fn check_params(&self, program: &Program, input: &Input) -> Result<(), Error> {
        let expected = &program.signature(self.func).params;
        let fits = expected.len() == input.params.len()
            && input.params.iter().zip(expected).all(|(value, &ty)| value.fits(ty));
        if fits {
            return Ok(());
        }
        let list = |items: Vec<String>| match items.is_empty() {
            true => "no parameters".to_string(),
            false => format!("({})", items.join(", ")),
        };
        Err(Error::BadParams {
            name: self.export.clone(),
            expected: list(expected.iter().map(ToString::to_string).collect()),
            given: list(input.params.iter().map(Value::to_string).collect()),
        })
    }
}

fn functions(program: &Program) -> impl Iterator<Item = (Func, &Export)> {
    program.exports.iter().filter_map(|export| match export.kind {
        Extern::Func(func) => Some((func, export)),
        _ => None,
    })
}

fn named<'p>(program: &'p Program, name: &str) -> Result<&'p Export, Error> {
    if let Some((_, export)) = functions(program).find(|(_, export)| export.name == name) {
        return Ok(export);
    }
    let Some(func) = program.find_function(name) else {
        return Err(Error::NoSuchFunction { name: name.into(), advice: callable_list(program) });
    };
    let exported = functions(program).find(|(exported, _)| *exported == func);
    exported
        .map(|(_, export)| export)
        .ok_or_else(|| Error::NotExported(program.functions[func].symbol.clone()))
}

/// `_start`, else the only function that a person can have meant.
fn default(program: &Program) -> Result<&Export, Error> {
    if let Some((_, start)) = functions(program).find(|(_, export)| export.name == COMMAND) {
        return Ok(start);
    }
    match callable(program)[..] {
        [export] => Ok(export),
        _ => Err(Error::NoEntry(callable_list(program))),
    }
}

/// The exported functions that are not the tool chain's own.
fn callable(program: &Program) -> Vec<&Export> {
    // C reserves names with an underscore in front for compilers and libraries.
    functions(program).map(|(_, export)| export).filter(|export| !export.name.starts_with('_')).collect()
}

fn callable_list(program: &Program) -> String {
    const SHOWN: usize = 20;
    let mut names: Vec<String> =
        callable(program).iter().map(|export| format!("`{}`", export.name)).collect();
    if names.is_empty() {
        let as_a_whole = functions(program).any(|(_, export)| export.name == COMMAND);
        return match as_a_whole {
            true => "It can only be run as a whole: name no function, or export the one to call.".into(),
            false => "The program exports no function: export the one to call.".into(),
        };
    }
    let hidden = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let more = if hidden == 0 { String::new() } else { format!(" and {hidden} more") };
    format!("Name one of the exported functions as the entry: {}{more}.", names.join(", "))
}
