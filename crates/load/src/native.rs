//! C and C++ sources, objects and static libraries: compile each unit, link all.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::cache::Cache;
use crate::clang::Clang;
use crate::compile::{Compiled, Recipe, Unit};
use crate::detect::Native;
use crate::link::Link;
use crate::runtime::Runtime;
use crate::user_code::{UserCode, UserUnits};
use crate::{Error, Loaded, Optimise, Request, object, stem};

/// Loads files for clang and wasm-ld.
pub(crate) fn load(request: &Request, native: &Native) -> Result<Loaded, Error> {
    let clang = Clang::find(&request.tools)?;
    let workshop = Workshop::new(request)?;
    let units: Vec<Unit> = native
        .sources
        .iter()
        .map(|source| Unit { source: source.clone(), directory: None, flags: request.cflags.clone() })
        .collect();
    let recipe = Recipe {
        clang: &clang,
        runtime: &workshop.runtime,
        optimise: request.optimise,
        ubsan: request.ubsan,
    };
    let compiled = compile_all(&recipe, &units, &workshop)?;
    let objects =
        compiled.iter().map(|unit| unit.object.clone()).chain(native.objects.iter().cloned()).collect();
    let link = Link {
        name: stem(&request.inputs[0]),
        objects,
        archives: native.archives.clone(),
        entry: request.entry.clone(),
        ..Link::default()
    };
    finish(&recipe, &workshop, &link, &compiled)
}

/// Where a request works: its cache, a temporary directory that vanishes with it, and the runtime's files.
pub(crate) struct Workshop {
    pub cache: Cache,
    pub scratch: tempfile::TempDir,
    pub runtime: Runtime,
}

impl Workshop {
    pub fn new(request: &Request) -> Result<Workshop, Error> {
        let place = &request.tools.scratch;
        let scratch =
            tempfile::Builder::new().prefix("coax-").tempdir_in(place).map_err(Error::write(place))?;
        let runtime = Runtime::write(request.cache.as_deref().unwrap_or(scratch.path()))?;
        Ok(Workshop { cache: Cache::new(request.cache.as_deref()), scratch, runtime })
    }
}

/// Compiles all units side by side; the errors of all are reported together.
pub(crate) fn compile_all(
    recipe: &Recipe<'_>,
    units: &[Unit],
    workshop: &Workshop,
) -> Result<Vec<Compiled>, Error> {
    let results: Vec<Result<Compiled, Error>> = units
        .par_iter()
        .enumerate()
        .map(|(number, unit)| {
            // The name shows in the linker's messages.
            let object = workshop.scratch.path().join(format!("{number}-{}.o", stem(&unit.source)));
            recipe.compile_cached(unit, &object, &workshop.cache)
        })
        .collect();
    let mut compiled = Vec::new();
    let mut failed: Option<(Vec<String>, String)> = None;
    for result in results {
        match result {
            Ok(unit) => compiled.push(unit),
            Err(Error::Compile { what, messages }) => {
                let (files, all) = failed.get_or_insert_default();
                files.push(what);
                all.push_str(&messages);
            }
            Err(other) => return Err(other),
        }
    }
    match failed {
        None => Ok(compiled),
        Some((files, messages)) => Err(Error::Compile { what: files.join(", "), messages }),
    }
}

/// Links and puts the result together.
pub(crate) fn finish(
    recipe: &Recipe<'_>,
    workshop: &Workshop,
    link: &Link,
    compiled: &[Compiled],
) -> Result<Loaded, Error> {
    let linked = link.run(recipe.clang, recipe.runtime, &workshop.cache, workshop.scratch.path())?;
    let messages: String =
        compiled.iter().map(|unit| unit.messages.as_str()).chain([linked.messages.as_str()]).collect();
    Ok(Loaded {
        name: link.name.clone(),
        has_relocations: object::has_code_relocations(&linked.wasm),
        wasm: linked.wasm,
        messages,
        notes: notes(recipe),
        user_code: UserCode { units: UserUnits::Listed(linked.info.units), foreign: foreign(recipe.clang) },
        from_cache: linked.from_cache && compiled.iter().all(|unit| unit.from_cache),
    })
}

fn notes(recipe: &Recipe<'_>) -> Vec<String> {
    let without_opt = recipe.optimise == Optimise::Default && recipe.clang.opt.is_none();
    without_opt
        .then(|| {
            format!(
                "LLVM's opt was not found, so the program is compiled at plain -O0 and runs slower. Get it with: {}",
                crate::install::opt(recipe.clang.version)
            )
        })
        .into_iter()
        .collect()
}

/// Where headers that are not the user's live.
fn foreign(clang: &Clang) -> Vec<PathBuf> {
    let builtin_headers = clang.builtins.ancestors().nth(3).map(Path::to_owned);
    let mut directories = vec![clang.libc.include.clone(), PathBuf::from("coax-runtime")];
    directories.extend(clang.libcxx.iter().map(|libcxx| libcxx.include.clone()));
    directories.extend(builtin_headers);
    directories
}
