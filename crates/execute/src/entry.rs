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
    /// The export that must be called first, so that constructors have run: a library's `_initialize`; the
    /// linker's `__wasm_call_ctors` if a function of a command is called instead of the whole.
    pub initializer: Option<String>,
}

const COMMAND: &str = "_start";
/// What a command's `_start` calls; compilers give it several other names.
const MAIN: &str = "main";
/// What runs constructors, the first there is; a command's `_start` does it by itself.
const INITIALIZERS: [&str; 2] = ["_initialize", "__wasm_call_ctors"];

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
        let initializer = initializer(program, &export.name);
        Ok(Entry { func, export: export.name.clone(), initializer })
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

/// The export that runs the constructors before this one is called.
fn initializer(program: &Program, entry: &str) -> Option<String> {
    if entry == COMMAND || INITIALIZERS.contains(&entry) {
        return None;
    }
    let exported = |name: &str| {
        let is_it =
            |func: Func| *program.signature(func) == Signature::default() && program.start != Some(func);
        functions(program).any(|(func, export)| export.name == name && is_it(func))
    };
    INITIALIZERS.into_iter().find(|name| exported(name)).map(str::to_owned)
}

fn named<'p>(program: &'p Program, name: &str) -> Result<&'p Export, Error> {
    // Without `_start`, main would have neither arguments nor streams that are closed in the end.
    if name == MAIN
        && let Some((_, start)) = functions(program).find(|(_, export)| export.name == COMMAND)
    {
        return Ok(start);
    }
    if let Some((_, export)) = functions(program).find(|(_, export)| export.name == name) {
        return Ok(export);
    }
    let Some(func) = program.find_function(name) else {
        let advice = longer_names(program, name).unwrap_or_else(|| callable_list(program));
        return Err(Error::NoSuchFunction { name: name.into(), advice });
    };
    let exported = functions(program).find(|(exported, _)| *exported == func);
    exported
        .map(|(_, export)| export)
        .ok_or_else(|| Error::NotExported { name: name.into(), advice: export_advice(program, func, name) })
}

/// The functions that this may be a short name of: C++ and Rust have longer ones.
fn longer_names(program: &Program, name: &str) -> Option<String> {
    const SHOWN: usize = 5;
    let is_it = |full: &str| {
        let path = full.split('(').next().unwrap_or_default();
        path == name || path.strip_suffix(name).is_some_and(|before| before.ends_with("::"))
    };
    let names = program.functions.values().map(|function| &function.name).filter(|full| is_it(full));
    let names: Vec<String> = names.take(SHOWN).map(|full| format!("`{full}`")).collect();
    (!names.is_empty()).then(|| format!("Give the whole name: {}.", names.join(" or ")))
}

/// How a function that was asked for by this name can be made callable.
fn export_advice(program: &Program, func: Func, name: &str) -> String {
    let function = &program.functions[func];
    let symbol = &function.symbol;
    let unit = function.defined().and_then(|defined| defined.unit);
    match unit.map(|unit| program.debug.units[unit].language.as_str()) {
        Some("Rust") => {
            "Make it `#[unsafe(no_mangle)] pub extern \"C\"`, or call it through one that is.".into()
        }
        // Names that C++ gives to what no other file sees begin like this.
        Some(_) if name != symbol && !symbol.starts_with("_ZL") => {
            format!("Ask for it by its symbol, `{symbol}`.")
        }
        Some(_) => format!(
            "If it is static, remove `static` or call it through another function; else link the program \
             with `-Wl,--export={symbol}`."
        ),
        None => "Export it when the program is built, or call it through a function that is exported.".into(),
    }
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
            true => "Only the whole program can be started: leave the entry out, or export the function that is to be called.".into(),
            false => "The program exports no function: export the one to call.".into(),
        };
    }
    let hidden = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let more = if hidden == 0 { String::new() } else { format!(" and {hidden} more") };
    format!("Name one of the exported functions as the entry: {}{more}.", names.join(", "))
}
