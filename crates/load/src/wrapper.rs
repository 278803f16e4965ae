//! `coax-cc`: a compiler for existing builds (`CC=coax-cc make`) that makes wasm by coax's own recipe.
//!
//! It understands the command lines of gcc and clang, drops what is meant for the host, and leaves a linked module
//! where the build expects its program, together with a note of which code is the user's. Functions that the C
//! library lacks are link errors here, unlike in [`crate::load`]: `configure` finds out this way what there is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::asked::Asked;
use crate::cache::{Cache, write_atomically};
use crate::clang::Clang;
use crate::command_line::{Action, CommandLine, Item, Policy};
use crate::compile::{Recipe, Unit, is_cxx};
use crate::link::{Link, Undefined, link_partially};
use crate::native::user_code;
use crate::observed::Observed;
use crate::runtime::Runtime;
use crate::tools::Tools;
use crate::{Error, Optimise, origin, stem};

/// One call of the wrapper.
#[derive(Clone, Debug)]
pub struct Wrapper {
    /// The arguments after the wrapper's name.
    pub arguments: Vec<String>,
    /// Whether C++ is assumed for sources whose names do not say.
    pub cxx: bool,
    /// The level; `-O…` on the command line is the build's idea of speed and does not count. Default: coax's own.
    pub optimise: Optimise,
    /// A directory for files that must outlive the call: headers that dependency files name.
    pub support: PathBuf,
    /// Where compilers are looked for.
    pub tools: Tools,
}

/// What a compiler leaves on its caller's terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// For standard output.
    pub stdout: Vec<u8>,
    /// For standard error.
    pub stderr: String,
    /// Whether it succeeded.
    pub success: bool,
}

impl Wrapper {
    /// Does what the command line asks for.
    pub fn run(&self) -> Result<Said, Error> {
        let arguments = expand_response_files(&self.arguments)?;
        let mut line = CommandLine::parse(&arguments, Policy::Portable);
        if self.cxx {
            line.compile_flags.insert(0, "--driver-mode=g++".to_owned());
        }
        let scratch = self.tools.make_scratch()?;
        if line.action != Action::Other {
            self.save_standard_input(&mut line, scratch.path())?;
        }
        // What is compiled is the build's to keep; which compilers there are, is remembered.
        let cache = Cache::open(Some(&self.support));
        let asked = Asked::new(&self.tools, &cache);
        let clang = Clang::find(&asked)?;
        asked.into_answers().keep(&cache);
        let runtime = Runtime::write(&self.support)?;
        let observed = Observed::default();
        let recipe = Recipe {
            clang: &clang,
            runtime: &runtime,
            optimise: self.optimise,
            ubsan: false,
            observed: &observed,
        };
        let call = Call { line, recipe, scratch: scratch.path() };
        match call.line.action {
            Action::Other => call.pass_to_clang(),
            _ if call.line.items.is_empty() => call.pass_to_clang(),
            Action::Compile => call.compile(),
            Action::Link => call.link(),
        }
    }
}

impl Wrapper {
    /// Puts a file in the place of `-`: a unit is read more than once. Debug information shows no trace of where.
    fn save_standard_input(&self, line: &mut CommandLine, scratch: &Path) -> Result<(), Error> {
        let dash = Path::new("-");
        let Some(item) = line.items.iter_mut().find(|item| matches!(item, Item::File(file) if file == dash))
        else {
            return Ok(());
        };
        let file = scratch.join(if self.cxx { "stdin.cc" } else { "stdin.c" });
        let mut saved = fs::File::create(&file).map_err(Error::write(&file))?;
        io::copy(&mut io::stdin().lock(), &mut saved).map_err(Error::read(dash))?;
        *item = Item::File(file);
        line.compile_flags.push(format!("-ffile-prefix-map={}=.", scratch.display()));
        Ok(())
    }
}

/// A command line at work.
struct Call<'a> {
    line: CommandLine,
    recipe: Recipe<'a>,
    scratch: &'a Path,
}

impl Call<'_> {
    /// Preprocessing, questions, dependency lists: clang itself answers, for our target.
    fn pass_to_clang(&self) -> Result<Said, Error> {
        let unit = Unit { source: PathBuf::new(), directory: None, flags: self.line.compile_flags.clone() };
        let mut command = crate::process::command(&self.recipe.clang.program);
        command.args(self.recipe.front_end_flags(&unit)).args(&self.line.action_flags);
        command.args(self.files());
        command.args(self.line.output.iter().flat_map(|output| [Path::new("-o"), output]));
        // `cc -E -` reads the program from its standard input.
        let finished = crate::process::run_with_input(&mut command, Stdio::inherit())?;
        Ok(Said { stdout: finished.stdout, stderr: finished.messages, success: finished.success })
    }

    fn compile(&self) -> Result<Said, Error> {
        let mut said = Said { success: true, ..Said::default() };
        for source in self.files() {
            let default = || PathBuf::from(format!("{}.o", stem(source)));
            let output = self.line.output.clone().unwrap_or_else(default);
            let object = self.scratch.join("compiled.o");
            said.stderr += &self.compile_unit(source, &object, &output)?;
            let bytes = fs::read(&object).map_err(Error::read(&object))?;
            deliver(&output, &bytes, Delivery::Object)?;
        }
        Ok(said)
    }

    /// Compiles a source; dependency files speak of `output`, where the build expects the object.
    fn compile_unit(&self, source: &Path, object: &Path, output: &Path) -> Result<String, Error> {
        let mut flags = self.line.compile_flags.clone();
        if let Some(write) = &self.line.dependencies.write {
            let file = self.line.dependencies.file.clone().unwrap_or_else(|| output.with_extension("d"));
            flags.extend([write.clone(), "-MF".to_owned(), file.display().to_string()]);
            if !self.line.dependencies.others.iter().any(|flag| flag == "-MT" || flag == "-MQ") {
                flags.extend(["-MQ".to_owned(), output.display().to_string()]);
            }
            flags.extend(self.line.dependencies.others.iter().cloned());
        }
        self.recipe.compile(&Unit { source: source.to_owned(), directory: None, flags }, object)
    }

    fn link(&self) -> Result<Said, Error> {
        let output = self.line.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
        let mut said = Said { success: true, ..Said::default() };
        let mut link = Link {
            name: output.display().to_string(),
            flags: self.line.link_flags.clone(),
            undefined: Undefined::ImportHarness,
            ..Link::default()
        };
        for (number, item) in self.line.items.iter().enumerate() {
            match item {
                Item::File(file) if is_source(file) || self.is_declared_source(file) => {
                    let object = self.scratch.join(format!("{number}-{}.o", stem(file)));
                    said.stderr += &self.compile_unit(file, &object, &output)?;
                    link.sources.insert(object.clone(), file.clone());
                    link.objects.push(object);
                }
                Item::File(file) => link.add_file(file)?,
                Item::Library(name) => link.add_library(name)?,
            }
        }
        let clang = self.recipe.clang;
        if self.line.partial {
            let (object, messages) = link_partially(clang, &link, self.scratch)?;
            said.stderr += &messages;
            deliver(&output, &object, Delivery::Object)?;
            return Ok(said);
        }
        let off = Cache::open(None);
        let linked = link.run(clang, self.recipe.runtime, &off, self.recipe.observed, self.scratch)?;
        said.stderr += &linked.messages;
        let noted = origin::with_user_code(linked.wasm, &user_code(clang, linked.info));
        let noted = noted.map_err(|error| Error::Write { path: output.clone(), reason: error.into() })?;
        deliver(&output, &noted, Delivery::Program)?;
        Ok(said)
    }

    /// Whether `-x` makes a source of a file whose name does not say so.
    fn is_declared_source(&self, file: &Path) -> bool {
        let extension = file.extension().and_then(|extension| extension.to_str());
        self.line.language.is_some() && !matches!(extension, Some("o" | "lo" | "a" | "so"))
    }

    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.line.items.iter().filter_map(|item| match item {
            Item::File(file) => Some(file),
            Item::Library(_) => None,
        })
    }
}

fn is_source(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    is_cxx(file) || matches!(extension, Some("c" | "i" | "s" | "S"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Delivery {
    Object,
    Program,
}

/// Writes a result where the build expects it.
fn deliver(output: &Path, bytes: &[u8], delivery: Delivery) -> Result<(), Error> {
    // `-o /dev/null` must not replace the device.
    let special = fs::metadata(output).is_ok_and(|metadata| !metadata.is_file());
    let written = if special { fs::write(output, bytes) } else { write_atomically(output, bytes) };
    written
        .and_then(|()| if special { Ok(()) } else { set_mode(output, delivery) })
        .map_err(Error::write(output))
}

/// Builds test whether their programs are executable.
#[cfg(unix)]
fn set_mode(file: &Path, delivery: Delivery) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = if delivery == Delivery::Program { 0o755 } else { 0o644 };
    fs::set_permissions(file, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: Delivery) -> io::Result<()> {
    Ok(())
}

/// Replaces each `@FILE` by the arguments in that file.
fn expand_response_files(arguments: &[String]) -> Result<Vec<String>, Error> {
    let mut expanded = Vec::new();
    for argument in arguments {
        match argument.strip_prefix('@').map(Path::new).filter(|file| file.is_file()) {
            Some(file) => {
                let text = fs::read_to_string(file).map_err(Error::read(file))?;
                let open_quote = || io::Error::new(io::ErrorKind::InvalidData, "it has an open quote");
                expanded.extend(shlex::split(&text).ok_or_else(open_quote).map_err(Error::read(file))?);
            }
            None => expanded.push(argument.clone()),
        }
    }
    Ok(expanded)
}
