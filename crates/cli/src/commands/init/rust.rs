//! A harness in Rust, for functions of Rust, with what the `coax` crate offers.
//!
//! Types are left to the compiler where it can infer them from the function that is called.

use super::rust_values::Maker;
use super::{Subject, short_name};
use anyhow::{Result, bail};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The text of the harness.
pub(super) fn harness(subject: &Subject<'_>, out: &Path) -> Result<String> {
    let Subject { program, entry, name, given, .. } = subject;
    let function = &program.functions[entry.func];
    let types = program.debug.types();
    let Some(described) = types.function(function) else {
        bail!(
            "nothing is known about the parameters of `{}`; build it with debug information",
            function.name
        );
    };
    let source = source(subject, out)?;
    let maker = Maker { types: &types, prefix: source.prefix };
    let mut arguments = Vec::new();
    for (index, param) in described.params.iter().enumerate() {
        let name = param.name.clone().unwrap_or_else(|| format!("param{index}"));
        arguments.push(maker.argument(param.ty, &name)?);
    }
    let path = source.path_of(&function.name);
    let mut text = String::new();
    writeln!(text, "// What coax does by itself for `{}`: change it as you like, then run", function.name)?;
    writeln!(text, "//     {}", source.command(given, out, name))?;
    writeln!(text, "\n{}\n", source.declaration)?;
    writeln!(text, "#[coax::test]\nfn {name}() {{")?;
    writeln!(text, "    let _ = {path}(")?;
    for argument in arguments {
        writeln!(text, "        {argument},")?;
    }
    writeln!(text, "    );\n}}")?;
    Ok(text)
}

/// How the harness gets at the program.
struct Source {
    /// What makes the program's functions visible.
    declaration: String,
    /// What stands before their names.
    prefix: &'static str,
    is_project: bool,
}

impl Source {
    /// A function as the harness calls it.
    fn path_of(&self, full: &str) -> String {
        match full.split_once("::") {
            // The crate's own name comes first.
            Some((_, within)) => format!("{}{within}", self.prefix),
            None => format!("{}{}", self.prefix, short_name(full)),
        }
    }

    fn command(&self, given: &str, out: &Path, name: &str) -> String {
        match self.is_project {
            true => format!("coax cover {given} --entry {name}"),
            false => format!("coax cover {} --entry {name}", out.display()),
        }
    }
}

fn source(subject: &Subject<'_>, out: &Path) -> Result<Source> {
    let [given] = subject.paths else { bail!("a harness in Rust is for one file or project") };
    if given.extension().is_none_or(|extension| extension != "rs") {
        let module = out.file_stem().unwrap_or_default().to_string_lossy();
        let declaration = format!(
            "// It is a module of the library: put it into `src`, and `#[cfg(coax)] mod {module};` into `lib.rs`."
        );
        return Ok(Source { declaration, prefix: "crate::", is_project: true });
    }
    let place = relative(given, out);
    let text = std::fs::read_to_string(given).unwrap_or_default();
    // Where it can be taken in as it is, private functions can be called too.
    let has_inner =
        text.lines().any(|line| line.trim_start().starts_with("//!") || line.trim_start().starts_with("#!["));
    Ok(match has_inner {
        true => Source {
            declaration: format!("#[path = {place:?}]\n#[allow(dead_code)]\nmod program;"),
            prefix: "program::",
            is_project: false,
        },
        false => Source { declaration: format!("include!({place:?});"), prefix: "", is_project: false },
    })
}

/// A file as seen from another one's directory.
fn relative(file: &Path, from: &Path) -> PathBuf {
    let directory = from.parent().filter(|parent| !parent.as_os_str().is_empty());
    match directory {
        None if file.is_relative() => file.to_owned(),
        Some(directory) if file.starts_with(directory) => {
            file.strip_prefix(directory).map_or_else(|_| file.to_owned(), Path::to_owned)
        }
        _ => file.canonicalize().unwrap_or_else(|_| file.to_owned()),
    }
}
