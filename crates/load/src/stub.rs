//! Imports that a function of another module answers: that module becomes part of the program.
//!
//! Linking it in, rather than running it beside the program, means that no engine knows of stubs: what a stub computes
//! from symbols stays symbolic, what it may do is recorded like everything else, and all engines do the same.

mod imports;
mod indices;
mod merge;
mod module;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::plain_file::{MOST_BYTES, read_plain};
pub use imports::{HostFunction, add_to_table};
use module::Module;

/// An import that a function of another module answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stub {
    /// The import: `module.name`, or only its name.
    pub import: String,
    /// The other module, as wasm or as text.
    pub file: PathBuf,
    /// What it exports the function as. Default: the import's name.
    pub export: Option<String>,
}

/// Which import a function of a stub's module answers, by their indices in their modules.
#[derive(Clone, Copy, Debug)]
struct Answered {
    import: u32,
    function: u32,
}

/// Links the modules of stubs into a program, each once.
pub(crate) fn link(mut wasm: Vec<u8>, stubs: &[Stub]) -> Result<Vec<u8>, Error> {
    let mut files: BTreeMap<&Path, Vec<&Stub>> = BTreeMap::new();
    for stub in stubs {
        files.entry(&stub.file).or_default().push(stub);
    }
    for (file, stubs) in files {
        let bytes = read(file)?;
        let refuse = |reason: String| Error::Stub { path: file.to_owned(), reason };
        // Whether the program's own bytes are valid is for others to say.
        let Ok(program) = Module::read(&wasm) else { return Ok(wasm) };
        let stub = Module::read(&bytes).map_err(|error| refuse(format!("it is not valid: {error}")))?;
        let mut answered = Vec::new();
        for wanted in stubs {
            answered.extend(find(&program, &stub, wanted).map_err(refuse)?);
        }
        wasm = merge::merge(&program, &stub, &crate::stem(file), &answered).map_err(refuse)?;
    }
    Ok(wasm)
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    let bytes = read_plain(file, MOST_BYTES).map_err(Error::read(file))?;
    let wasm = wat::parse_bytes(&bytes).map_err(|mut error| {
        error.set_path(file);
        Error::Wat { path: file.to_owned(), messages: format!("{error}\n") }
    })?;
    Ok(wasm.into_owned())
}

/// The imports of a program that a stub is for, each with the function that answers it.
fn find(program: &Module<'_>, stub: &Module<'_>, wanted: &Stub) -> Result<Vec<Answered>, String> {
    let is_it = |module: &str, name: &str| {
        wanted.import == name
            || wanted.import.strip_suffix(name).and_then(|rest| rest.strip_suffix('.')) == Some(module)
    };
    let imports: Vec<_> = program.function_imports().filter(|(_, it)| is_it(it.module, it.name)).collect();
    let Some((_, first)) = imports.first() else {
        return Err(format!("the program imports no function `{}`", wanted.import));
    };
    let export = wanted.export.as_deref().unwrap_or(first.name);
    let function = stub.exported_function(export).ok_or_else(|| {
        let all: Vec<String> = stub.function_exports().map(|name| format!("`{name}`")).collect();
        let all = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
        format!("it exports no function `{export}`; its functions are: {all}")
    })?;
    let offered = stub.signature(function).ok_or("an exported function has no type")?;
    let answered = imports.into_iter().map(|(import, data)| {
        let expected = program.signature(import).ok_or("an import has no type")?;
        match expected == offered {
            true => Ok(Answered { import, function }),
            false => Err(format!(
                "`{}.{}` is imported as {expected}, but `{export}` is {offered}",
                data.module, data.name
            )),
        }
    });
    answered.collect()
}
