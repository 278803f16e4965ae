//! C and C++ sources, objects and static libraries: compile each unit, link all.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::asked::{Answers, Asked};
use crate::cache::Cache;
use crate::children::Scratch;
use crate::clang::Clang;
use crate::command_line::{CommandLine, Policy};
use crate::compile::{Compiled, Recipe, Unit};
use crate::detect::Native;
use crate::link::Link;
use crate::observed::Observed;
use crate::runtime::Runtime;
use crate::user_code::{UserCode, UserUnits};
use crate::{Error, Loaded, Optimise, Request, dialect, install, object, stem};

/// Loads files for clang and wasm-ld.
pub(crate) fn load(
    request: &Request,
    native: &Native,
    cache: &Cache,
    observed: &Observed,
) -> Result<Loaded, Error> {
    let build = Build::new(request, cache, observed)?;
    let as_unit = |source: &PathBuf| build.unit(source.clone(), None, &[]);
    let units: Vec<Unit> = native.sources.iter().map(as_unit).collect();
    let compiled = build.compile_all(&units)?;
    refuse_several_mains(&compiled)?;
    let objects =
        compiled.iter().map(|unit| unit.object.clone()).chain(native.objects.iter().cloned()).collect();
    let name = stem(&request.inputs[0]);
    build.finish(&compiled, Link { name, objects, archives: native.archives.clone(), ..Link::default() })
}

/// All that the steps of one request share.
pub(crate) struct Build {
    clang: Clang,
    cache: Cache,
    /// Vanishes with the request, whatever its outcome.
    scratch: Scratch,
    runtime: Runtime,
    optimise: Optimise,
    ubsan: bool,
    entry: Option<String>,
    user_flags: CommandLine,
    observed: Observed,
    answers: Answers,
}

impl Build {
    pub fn new(request: &Request, cache: &Cache, observed: &Observed) -> Result<Build, Error> {
        let asked = Asked::new(&request.tools, cache);
        let clang = Clang::find(&asked)?;
        clang.observe(&request.tools, observed);
        let scratch = request.tools.make_scratch()?;
        let runtime = Runtime::write(scratch.path())?;
        let user_flags = CommandLine::parse(&request.cflags, Policy::Everything);
        Ok(Build {
            clang,
            cache: cache.clone(),
            scratch,
            runtime,
            optimise: user_flags.optimise.unwrap_or(request.optimise),
            ubsan: request.ubsan,
            entry: request.entry.clone(),
            user_flags,
            observed: observed.clone(),
            answers: asked.into_answers(),
        })
    }

    /// A unit with its own flags, then the user's.
    pub fn unit(&self, source: PathBuf, directory: Option<PathBuf>, flags: &[String]) -> Unit {
        let file = directory.as_deref().unwrap_or(Path::new("")).join(&source);
        let dialect = dialect::flags(&self.clang, &file);
        Unit { source, directory, flags: [&dialect, flags, &self.user_flags.compile_flags].concat() }
    }

    /// Compiles all units side by side; the errors of all are reported together.
    pub fn compile_all(&self, units: &[Unit]) -> Result<Vec<Compiled>, Error> {
        let compile = |(number, unit): (usize, &Unit)| {
            // The name shows in the linker's messages.
            let object = self.scratch.path().join(format!("{number}-{}.o", stem(&unit.source)));
            self.recipe().compile_cached(unit, &object, &self.cache)
        };
        let results: Vec<Result<Compiled, Error>> = units.par_iter().enumerate().map(compile).collect();
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
            None => {
                self.keep_entry(units, &mut compiled)?;
                Ok(compiled)
            }
            Some((files, messages)) => Err(Error::Compile { what: files.join(", "), messages }),
        }
    }

    /// The function that the program must have.
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Links, with the user's flags and libraries added, and puts the result together.
    pub fn finish(&self, compiled: &[Compiled], mut link: Link) -> Result<Loaded, Error> {
        link.entry.clone_from(&self.entry);
        link.sources = compiled.iter().map(|unit| (unit.object.clone(), unit.source.clone())).collect();
        link.flags.extend(self.user_flags.link_flags.iter().cloned());
        for library in self.user_flags.libraries() {
            link.add_library(library)?;
        }
        let linked =
            link.run(&self.clang, &self.runtime, &self.cache, &self.observed, self.scratch.path())?;
        self.answers.keep(&self.cache);
        let said = compiled.iter().map(|unit| unit.messages.as_str());
        Ok(Loaded {
            messages: said.chain([linked.messages.as_str()]).collect(),
            notes: self.notes(),
            has_relocations: object::has_code_relocations(&linked.wasm),
            user_code: user_code(&self.clang, linked.info),
            from_cache: linked.from_cache && compiled.iter().all(|unit| unit.from_cache),
            wasm: linked.wasm,
            name: link.name,
        })
    }

    pub fn recipe(&self) -> Recipe<'_> {
        Recipe {
            clang: &self.clang,
            runtime: &self.runtime,
            optimise: self.optimise,
            ubsan: self.ubsan,
            observed: &self.observed,
        }
    }

    fn notes(&self) -> Vec<String> {
        let version = self.clang.version;
        let without_opt = (self.optimise == Optimise::Default && self.clang.opt.is_none()).then(|| {
            let command = install::opt(version);
            format!(
                "LLVM's opt was not found, so the program is compiled at plain -O0. Get it with: {command}"
            )
        });
        let without_relocations = (!self.clang.has_recent_linker()).then(|| {
            let command = install::clang();
            format!("wasm-ld {version} drops relocations, so less is reused across versions. Get a newer one with: {command}")
        });
        self.cache.note.clone().into_iter().chain(without_opt).chain(without_relocations).collect()
    }
}

/// Says which sources do not go together, in better words than the linker's.
pub(crate) fn refuse_several_mains(compiled: &[Compiled]) -> Result<(), Error> {
    let mut files = Vec::new();
    for Compiled { object, source, .. } in compiled {
        let bytes = fs::read(object).map_err(Error::read(object))?;
        if object::read_object(object, &bytes)?.defines_main() {
            files.push(source.clone());
        }
    }
    if files.len() > 1 { Err(Error::SeveralMains { files }) } else { Ok(()) }
}

/// The units of the user's objects, without the headers that came with the compiler.
pub(crate) fn user_code(clang: &Clang, info: object::ObjectInfo) -> UserCode {
    let mut foreign = vec![PathBuf::from(crate::compile::RUNTIME_IN_DEBUG_INFO)];
    foreign.extend(clang.brought());
    UserCode { units: UserUnits::Listed(info.units), foreign }
}
