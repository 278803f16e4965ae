//! Arguments that several commands share: which program, and how to build it.

use crate::cache_directory::{cache_directory, distrust};
use crate::callbacks;
use crate::config::trust::is_inside;
use crate::names::{meant, no_such_function};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use coax_execute::{Callback, Entry, Input, Limits, SymbolicEngine, TraceFrame};
use coax_load::{MOST_BYTES, Optimise, Request, Stub, UserCode, UserUnits, open_plain, read_all, read_plain};
use coax_program::debug_info::Frame;
use coax_program::{Func, Program, Scope};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So much of a file says whether it is a written path; a device may have no end.
const LOOK_BYTES: u64 = 64;

/// The program under test.
#[derive(Args, Clone)]
pub struct ProgramArgs {
    /// .wasm or .wat; C or C++ sources, objects and libraries; compile_commands.json; a .rs file or a
    /// Cargo project
    #[arg(required = true, value_name = "PROGRAM")]
    program: Vec<PathBuf>,
    /// Extra flags for the compiler, as one string
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Option<String>,
    /// How much the compiler may change: by default, the source's branches and functions are kept
    #[arg(short = 'O', value_name = "LEVEL", value_enum)]
    optimise: Option<Level>,
    /// Turn undefined behaviour into traps, each with its reason (C and C++)
    #[arg(long)]
    ubsan: bool,
    /// The function to begin with [default: the program's main]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// What an import that nobody has answers: `NAME=NUMBER`; `NAME=unknown` for a value that the program asks for; `NAME=FILE.wasm` or
    /// `NAME=FILE.wasm:EXPORT` for a function of another module, which becomes part of the program; may be repeated
    #[arg(long, value_name = "NAME=ANSWER")]
    stub: Vec<String>,
    /// Every function that nobody has does nothing and answers with a value that is unknown
    #[arg(long)]
    stub_missing: bool,
    /// What counts as yours, instead of the sources that you gave: `all`; a file or a folder; `*/NAME-1*` for files somewhere; `parse_*` or
    /// `json::*` for functions; may be repeated
    #[arg(long, value_name = "WHAT")]
    scope: Vec<String>,
    /// Compile everything anew and keep nothing
    #[arg(long)]
    no_cache: bool,
    /// Functions that inputs give to the program, beside those of its entry.
    #[arg(skip)]
    pub callbacks: Vec<Callback>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Level {
    #[value(name = "0")]
    O0,
    #[value(name = "1")]
    O1,
    #[value(name = "2")]
    O2,
    #[value(name = "3")]
    O3,
    #[value(name = "s")]
    Os,
}

/// A program, loaded and understood.
pub struct Target {
    /// What coax knows of it.
    pub program: Arc<Program>,
    /// Which of its code is the user's.
    scope: Scope,
    /// Whether a function is, by its number.
    in_scope: Vec<bool>,
    /// The function to begin with, if one was named: the user's own, if a library has one of the same name.
    pub entry: Option<String>,
    /// What answers imports that nobody has, beside functions of other modules.
    pub stubs: BTreeMap<String, String>,
    /// Whether the module kept its relocations, by which hashes can ignore addresses.
    pub has_relocations: bool,
    /// Whether it was given as a module.
    is_compiled: bool,
    /// Whether it was compiled so that values stay in registers: what only sets one, as `return 1;` does, has no code of its own.
    pub merges_lines: bool,
    /// What compilers took.
    pub compile_time: Duration,
}

impl ProgramArgs {
    /// Compiles and parses the program; what the compilers say goes to standard error.
    #[expect(clippy::disallowed_methods, reason = "it is told how long compilers took")]
    pub fn load(&self) -> Result<Target> {
        self.note_distrust();
        let begin = Instant::now();
        let loaded =
            coax_load::load(&self.request()?).inspect_err(|error| eprint!("{}", error.messages()))?;
        let compile_time = begin.elapsed();
        eprint!("{}", loaded.messages);
        loaded.notes.iter().for_each(note);
        let mut program = Program::parse(loaded.wasm).with_context(|| self.name())?;
        program.source_root = std::env::current_dir().ok();
        if let Some(flags) = self.flags_without_effect() {
            note(format_args!("the program is already compiled, so this has no effect: {flags}"));
        }
        let scope = match self.scope.as_slice() {
            [] => scope(&loaded.user_code),
            patterns if patterns.iter().any(|pattern| pattern == "all") => Scope::all(),
            patterns => Scope::matching(patterns),
        };
        let in_scope = |program: &Program| -> Vec<bool> {
            program.functions.ids().map(|func| program.in_scope(func, &scope)).collect()
        };
        let mut has_relocations = loaded.has_relocations;
        if let Some(more) = self.with_callbacks(&program, &in_scope(&program)) {
            // Relocations are places in the module as it was linked.
            has_relocations = false;
            program = Program::parse(more).with_context(|| self.name())?;
            program.source_root = std::env::current_dir().ok();
        }
        let in_scope = in_scope(&program);
        if !self.scope.is_empty() && !in_scope.contains(&true) {
            bail!(
                "no code of the program is in scope `{}`; `coax dump functions --all` lists its functions and files",
                self.scope.join(" ")
            );
        }
        let is_own = |func: Func| in_scope.get(func.0 as usize).copied().unwrap_or(false);
        let entry = self.own_entry(&program, &in_scope);
        // Here, for all commands: those that do not call it are not to pass over it.
        match entry.as_deref().map(|name| Entry::find(&program, Some(name))) {
            Some(Err(coax_execute::Error::NoSuchFunction { name, .. }))
                if !meant(&program, &name, is_own).is_empty() =>
            {
                bail!(no_such_function(&program, &name, is_own));
            }
            Some(Err(error)) => return Err(error.into()),
            _ => {}
        }
        let (_, mut stubs) = self.stubs()?;
        if self.stub_missing {
            let missing = Input::stubs_for_missing(&program, &stubs);
            if !missing.is_empty() {
                let names = missing.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                note(format_args!("nobody has these, so they do nothing and return anything: {names}"));
            }
            stubs.extend(missing);
        }
        Ok(Target {
            program: Arc::new(program),
            scope,
            in_scope,
            entry,
            stubs,
            has_relocations,
            is_compiled: self.is_compiled(),
            merges_lines: !self.is_compiled() && self.optimise.is_none(),
            compile_time,
        })
    }

    /// The function to begin with, if one is named: the user's own, if a library has one of the same name.
    fn own_entry(&self, program: &Program, in_scope: &[bool]) -> Option<String> {
        let is_own = |func: Func| in_scope.get(func.0 as usize).copied().unwrap_or(false);
        self.entry.as_ref().map(|name| Entry::own_name(program, name, is_own))
    }

    /// The module with the functions that its entry is given pointers to, if it lacks any.
    fn with_callbacks(&self, program: &Program, in_scope: &[bool]) -> Option<Vec<u8>> {
        callbacks::added(program, self.own_entry(program, in_scope).as_deref(), &self.callbacks)
    }

    /// The text of a path that was written, if that is what was given instead of a program.
    pub fn written_path(&self) -> Result<Option<String>> {
        let [file] = &self.program[..] else { return Ok(None) };
        let mut bytes = Vec::new();
        // What cannot be read is for the loader to complain about.
        let Ok(mut opened) = open_plain(file) else { return Ok(None) };
        let begun = opened.by_ref().take(LOOK_BYTES).read_to_end(&mut bytes);
        if begun.is_err() || !coax_execute::Path::is_written(&bytes) {
            return Ok(None);
        }
        let rest = read_all(opened, MOST_BYTES).with_context(|| format!("cannot read {}", file.display()))?;
        bytes.extend(rest);
        let text = String::from_utf8(bytes);
        text.map(Some)
            .map_err(|_| anyhow!("{}: the path is not all text; write or copy it again", self.name()))
    }

    /// Whether nothing has to be compiled.
    pub fn is_compiled(&self) -> bool {
        self.program.iter().all(|path| is_module(path))
    }

    /// What was said about compiling though nothing is compiled.
    fn flags_without_effect(&self) -> Option<String> {
        let given =
            [("-O", self.optimise.is_some()), ("--ubsan", self.ubsan), ("--cflags", self.cflags.is_some())];
        let flags: Vec<&str> = given.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag).collect();
        (self.is_compiled() && !flags.is_empty()).then(|| flags.join(", "))
    }

    /// An engine for symbolic runs; what it compiles is kept unless the user wants nothing kept.
    pub fn symbolic_engine(&self, limits: &Limits) -> Result<SymbolicEngine> {
        let engine = SymbolicEngine::new(limits)?;
        Ok(match self.modules() {
            Some(modules) => engine.with_cache(&modules),
            None => engine,
        })
    }

    /// Where compiled modules are kept, if they are.
    pub fn modules(&self) -> Option<PathBuf> {
        Some(self.cache()?.join("modules"))
    }

    fn cache(&self) -> Option<PathBuf> {
        let cache = cache_directory().filter(|_| !self.no_cache)?;
        distrust(&cache).is_none().then_some(cache)
    }

    /// Says why there is no cache, if the user does not know.
    fn note_distrust(&self) {
        let cache = cache_directory().filter(|_| !self.no_cache);
        cache.as_deref().and_then(distrust).iter().for_each(note);
    }

    /// The files or the directory that the user named.
    pub fn paths(&self) -> &[PathBuf] {
        &self.program
    }

    /// The program as the user called it.
    pub fn name(&self) -> String {
        self.program.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The user's flags for the compiler.
    pub fn compiler_flags(&self) -> Result<Vec<String>> {
        let cflags = self.cflags.as_deref().unwrap_or_default();
        shlex::split(cflags).ok_or_else(|| anyhow!("--cflags has an open quote; close it"))
    }

    /// What answers imports: functions of other modules, and the rest.
    fn stubs(&self) -> Result<(Vec<Stub>, BTreeMap<String, String>)> {
        let (mut modules, mut others) = (Vec::new(), BTreeMap::new());
        for text in &self.stub {
            let (name, answer) = pair(text, '=', "--stub", "NAME=ANSWER")?;
            let (file, export) = match answer.rsplit_once(':') {
                Some((file, export)) if is_module(Path::new(file)) => (file, Some(export.to_owned())),
                _ => (answer, None),
            };
            if is_module(Path::new(file)) {
                modules.push(Stub { import: name.to_owned(), file: file.into(), export });
            } else {
                others.insert(name.to_owned(), answer.to_owned());
            }
        }
        Ok((modules, others))
    }

    fn request(&self) -> Result<Request> {
        Ok(Request {
            inputs: self.program.clone(),
            cflags: self.compiler_flags()?,
            optimise: self.optimise.map_or(Optimise::Default, |level| match level {
                Level::O0 => Optimise::O0,
                Level::O1 => Optimise::O1,
                Level::O2 => Optimise::O2,
                Level::O3 => Optimise::O3,
                Level::Os => Optimise::Os,
            }),
            ubsan: self.ubsan,
            entry: self.entry.clone(),
            stubs: self.stubs()?.0,
            cache: self.cache(),
            ..Request::default()
        })
    }
}

/// Whether a file is called as modules are.
fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["wasm", "wat", "wast"].iter().any(|known| extension == *known))
}

/// The two parts of a flag's value.
pub fn pair<'t>(text: &'t str, between: char, flag: &str, form: &str) -> Result<(&'t str, &'t str)> {
    match text.split_once(between) {
        Some((name, value)) if !name.is_empty() => Ok((name, value)),
        _ => bail!("{flag}: `{text}` is not {form}; write both, with `{between}` between them"),
    }
}

/// Tells the user something that is no error.
pub fn note(text: impl Display) {
    eprintln!("note: {text}");
}

/// The user's own code, as the loader knows it.
fn scope(UserCode { units, foreign }: &UserCode) -> Scope {
    match units {
        UserUnits::All => Scope::all(),
        UserUnits::Under(roots) => Scope::paths(roots, foreign),
        UserUnits::Listed(units) => {
            Scope::paths(units.iter().map(|unit| Path::new(&unit.directory).join(&unit.name)), foreign)
        }
    }
}

impl Target {
    /// Says what was wrong with the debug information that was needed; to be called when all is done, for it is
    /// read on demand.
    pub fn note_damage(&self) {
        self.program.debug.warnings().iter().for_each(note);
    }

    /// The content of a source file. What a module that is already compiled says of its sources may be a lie: a page must not show just any file of this
    /// machine.
    pub fn source(&self, file: &str) -> Option<Vec<u8>> {
        let file = Path::new(file);
        let may_show = !self.is_compiled || is_inside(file);
        may_show.then(|| read_plain(file, MOST_BYTES).ok()).flatten()
    }

    /// Whether a function is the user's own code.
    pub fn in_scope(&self, func: Func) -> bool {
        self.in_scope.get(func.0 as usize).copied().unwrap_or(false)
    }

    /// The innermost place of an operator in the user's own files.
    pub fn place_in_scope(&self, offset: u32) -> Option<Frame> {
        self.program.place_in_scope(offset, &self.scope)
    }

    /// All places of an operator in the user's own files, innermost first.
    pub fn frames_in_scope(&self, offset: u32) -> Vec<Frame> {
        self.program.frames_in_scope(offset, &self.scope)
    }

    /// Whether a call of a backtrace is in the user's own code, which may be inlined into a library's, as a closure is.
    pub fn is_own(&self, frame: &TraceFrame) -> bool {
        let place = frame.offset.and_then(|offset| self.place_in_scope(offset));
        place.is_some() || (frame.sources.is_empty() && self.in_scope(frame.func))
    }

    /// The functions of this name: files may each have a `static` one. A good guess at what was meant if there
    /// is none.
    pub fn functions(&self, name: &str) -> Result<Vec<Func>> {
        let found = self.program.find_functions(name);
        if !found.is_empty() {
            return Ok(found);
        }
        bail!(no_such_function(&self.program, name, |func| self.in_scope(func)))
    }
}
