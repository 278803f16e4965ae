//! One C or C++ unit to one wasm object: the recipe of DESIGN.md, section 3.
//!
//! The default level keeps every branch and function boundary of the source: clang's -O0 front end without
//! `optnone`, then only LLVM's `sroa` and `mem2reg`, so that locals become registers, then code generation
//! at -O0. Debug information keeps every parameter (`parameters.rs`). `-fwrapv` makes signed overflow defined, so that no check can be removed because of it. Any other
//! level is what clang makes of it.
//!
//! The host's headers must never be found. Instead of a sysroot on disk, the command line turns all standard
//! directories off and names the C library's headers after clang's own.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::{Cache, Entry, Key, KeyBuilder};
use crate::clang::Clang;
use crate::includes::Includes;
use crate::observed::Observed;
use crate::parameters;
use crate::process;
use crate::runtime::Runtime;
use crate::{Error, Optimise};

/// Parts of POSIX that wasi-libc emulates when asked to; the linker adds the libraries of the same names.
pub(crate) const EMULATED: [(&str, &str); 4] = [
    ("_WASI_EMULATED_SIGNAL", "wasi-emulated-signal"),
    ("_WASI_EMULATED_PROCESS_CLOCKS", "wasi-emulated-process-clocks"),
    ("_WASI_EMULATED_MMAN", "wasi-emulated-mman"),
    ("_WASI_EMULATED_GETPID", "wasi-emulated-getpid"),
];

/// How debug information names the directory of our own headers.
pub(crate) const RUNTIME_IN_DEBUG_INFO: &str = "/coax-runtime";

/// The assembler's directive that takes a file in.
const INCLUDE_BINARY: &[u8] = b".incbin";

/// One source file and how to compile it.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// As it will be named to the compiler, and so in debug information.
    pub source: PathBuf,
    /// Where the compiler runs; relative paths in `flags` start there.
    pub directory: Option<PathBuf>,
    /// The user's own flags.
    pub flags: Vec<String>,
}

/// How all units of a request are compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe<'a> {
    pub clang: &'a Clang,
    pub runtime: &'a Runtime,
    pub optimise: Optimise,
    pub ubsan: bool,
    /// Where it is noted which files were read.
    pub observed: &'a Observed,
}

/// A compiled unit.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub source: PathBuf,
    pub object: PathBuf,
    pub messages: String,
    pub from_cache: bool,
}

impl Recipe<'_> {
    /// Compiles a unit to `object`, or takes it from the cache. Files next to `object` may be overwritten.
    pub fn compile_cached(&self, unit: &Unit, object: &Path, cache: &Cache) -> Result<Compiled, Error> {
        refuse_response_file(&unit.source)?;
        let done = |messages: String, from_cache: bool| Compiled {
            source: unit.source.clone(),
            object: object.to_owned(),
            messages,
            from_cache,
        };
        let key = if cache.is_on() { self.key(unit, &object.with_extension("d"))? } else { None };
        let Some(key) = key else {
            self.observed.more();
            return Ok(done(self.compile(unit, object)?, false));
        };
        if let Some(Entry { payload, messages }) = cache.get(&key) {
            fs::write(object, payload).map_err(Error::write(object))?;
            return Ok(done(messages, true));
        }
        let messages = self.compile(unit, object)?;
        let payload = fs::read(object).map_err(Error::read(object))?;
        cache.put(&key, &Entry { payload, messages: messages.clone() });
        Ok(done(messages, false))
    }

    /// Compiles a unit to `object` and returns what the compiler said.
    pub fn compile(&self, unit: &Unit, object: &Path) -> Result<String, Error> {
        refuse_response_file(&unit.source)?;
        let Some(opt) = self.promotes_locals(unit) else {
            return self.run_clang(unit, self.front_end_flags(unit), &["-c"], object);
        };
        let front = object.with_extension("front.ll");
        let promoted = object.with_extension("promoted.bc");
        let messages = self.run_clang(unit, self.front_end_flags(unit), &["-emit-llvm", "-S"], &front)?;
        // Names in it are whatever bytes the source has.
        let code = fs::read(&front).map_err(Error::read(&front))?;
        if let Ok(code) = std::str::from_utf8(&code) {
            fs::write(&front, parameters::retain(code)).map_err(Error::write(&front))?;
        }
        let optimised = process::run(
            process::command(opt).arg("-passes=sroa,mem2reg").arg(&front).arg("-o").arg(&promoted),
        )?;
        if !optimised.success {
            return Err(self.failed(unit, messages + &optimised.messages));
        }
        let generated = process::run(
            process::command(&self.clang.program)
                .arg(format!("--target={}", self.clang.target()))
                .args(setjmp_flags(self.clang))
                .args(["-O0", "-fno-crash-diagnostics", "-c"])
                .arg(&promoted)
                .arg("-o")
                .arg(object),
        )?;
        for temporary in [&front, &promoted] {
            fs::remove_file(temporary).map_err(Error::write(temporary))?;
        }
        if generated.success { Ok(messages) } else { Err(self.failed(unit, messages + &generated.messages)) }
    }

    /// The unit after preprocessing; the files that were read are listed in `list`.
    pub fn preprocess(&self, unit: &Unit, list: &Path) -> Result<Vec<u8>, Error> {
        let mut command = process::command(&self.clang.program);
        command.args(self.front_end_flags(unit)).arg("-E").arg(process::file_argument(&unit.source));
        command.args(["-MD", "-MT", "unit", "-MF"]).arg(list);
        command.current_dir(unit.directory.as_deref().unwrap_or(Path::new(".")));
        let finished = process::run(&mut command)?;
        if finished.success { Ok(finished.stdout) } else { Err(self.failed(unit, finished.messages)) }
    }

    /// Everything that decides what the object looks like, headers included; none if we cannot know all of it.
    fn key(&self, unit: &Unit, list: &Path) -> Result<Option<Key>, Error> {
        let directory = match &unit.directory {
            Some(directory) => directory.clone(),
            None => std::env::current_dir().map_err(Error::read(Path::new(".")))?,
        };
        let opt =
            if self.promotes_locals(unit).is_some() { "with opt, parameters kept" } else { "without opt" };
        let mut key = KeyBuilder::new("object")
            .part(self.clang.banner.as_bytes())
            .part(opt.as_bytes())
            .part(directory.as_os_str().as_encoded_bytes())
            .part(unit.source.as_os_str().as_encoded_bytes());
        for flag in self.front_end_flags(unit) {
            key = match self.without_place(flag.as_encoded_bytes()) {
                Some(flag) => key.part(&flag),
                None => key.flag(&flag, &directory)?,
            };
        }
        let text = self.preprocess(unit, list)?;
        self.observe(unit, &directory, list);
        let text = self.without_place(&text).unwrap_or(text);
        // The assembler reads the file that follows, after preprocessing.
        let reads_more = text.windows(INCLUDE_BINARY.len()).any(|bytes| bytes == INCLUDE_BINARY);
        Ok((!reads_more).then(|| key.part(&text).finish()))
    }

    /// Notes which files a unit was made from.
    fn observe(&self, unit: &Unit, directory: &Path, list: &Path) {
        let runtime = &self.runtime.directory;
        let brought = [self.clang.brought(), vec![runtime.clone()]].concat();
        let list = fs::read_to_string(list).ok();
        match list.and_then(|list| Includes::new(&list, &unit.flags, directory, &brought)) {
            // The runtime is part of coax.
            Some(includes) => {
                includes
                    .files
                    .into_iter()
                    .filter(|file| !file.starts_with(runtime))
                    .for_each(|file| self.observed.file(file));
                self.observed.headers(includes.directories, includes.names);
            }
            None => self.observed.more(),
        }
        unit.flags.iter().for_each(|flag| self.observed.flag(flag.as_ref(), directory));
    }

    /// The text with the runtime's directory, which is another one each time, left out; `None` if it does
    /// not occur.
    fn without_place(&self, text: &[u8]) -> Option<Vec<u8>> {
        let place = self.runtime.directory.as_os_str().as_encoded_bytes();
        let mut rest = text;
        let mut kept = Vec::new();
        while let Some(at) = rest.windows(place.len()).position(|bytes| bytes == place) {
            kept.extend_from_slice(&rest[..at]);
            rest = &rest[at + place.len()..];
        }
        (rest.len() < text.len()).then(|| [&kept, rest].concat())
    }

    /// `opt`, if this unit goes through it.
    fn promotes_locals(&self, unit: &Unit) -> Option<&Path> {
        let assembly = matches!(unit.source.extension().and_then(|it| it.to_str()), Some("s" | "S"));
        if self.optimise == Optimise::Default && !assembly { self.clang.opt.as_deref() } else { None }
    }

    /// Flags of every run that reads source: target, headers, level, the user's own last.
    pub fn front_end_flags(&self, unit: &Unit) -> Vec<OsString> {
        let mut flags = self.header_flags();
        flags.extend(self.level_flags().iter().map(OsString::from));
        if self.ubsan {
            flags.extend(self.ubsan_flags().iter().map(OsString::from));
        }
        flags.extend(unit.flags.iter().map(OsString::from));
        flags
    }

    /// The target and where its headers are.
    fn header_flags(&self) -> Vec<OsString> {
        let runtime = self.runtime.directory.as_os_str();
        let mut flags: Vec<OsString> = vec![format!("--target={}", self.clang.target()).into()];
        // An existing directory without headers: clang must not fall back to the host's root.
        flags.push(joined("--sysroot=", runtime));
        flags.extend(["-nostdlibinc".into(), "-isystem".into(), runtime.to_owned()]);
        if let Some(libcxx) = &self.clang.libcxx {
            flags.extend(["-cxx-isystem".into(), libcxx.include.clone().into()]);
        }
        let after = [self.clang.libc.include.clone(), self.runtime.headers()];
        flags.extend(after.into_iter().flat_map(|place| ["-idirafter".into(), place.into()]));
        let mut hide_place = joined("-ffile-prefix-map=", runtime);
        hide_place.push(format!("={RUNTIME_IN_DEBUG_INFO}"));
        flags.push(hide_place);
        flags.extend(EMULATED.iter().map(|(define, _)| OsString::from(format!("-D{define}"))));
        // An assembly unit uses few of these, and a crash must not leave reports in the system's temporary directory.
        flags.extend(["-Wno-unused-command-line-argument".into(), "-fno-crash-diagnostics".into()]);
        flags.extend(setjmp_flags(self.clang).iter().map(OsString::from));
        flags.extend(["-g".into(), "-fno-exceptions".into()]);
        flags
    }

    fn level_flags(&self) -> &'static [&'static str] {
        // Under -fwrapv signed overflow is not undefined, so UBSan would not check it.
        match (self.optimise, self.ubsan) {
            (Optimise::Default, false) => &["-O0", "-Xclang", "-disable-O0-optnone", "-fwrapv"],
            (Optimise::Default, true) => &["-O0", "-Xclang", "-disable-O0-optnone"],
            (Optimise::O0, _) => &["-O0"],
            (Optimise::O1, _) => &["-O1"],
            (Optimise::O2, _) => &["-O2"],
            (Optimise::O3, _) => &["-O3"],
            (Optimise::Os, _) => &["-Os"],
        }
    }

    /// Undefined behaviour as traps; newer versions keep them apart and put each reason into debug information.
    fn ubsan_flags(&self) -> Vec<&'static str> {
        let mut flags = vec!["-fsanitize=undefined", "-fsanitize-trap=undefined"];
        if self.clang.version >= 20 {
            flags.push("-fno-sanitize-merge");
        }
        if self.clang.version >= 22 {
            flags.push("-fsanitize-debug-trap-reasons");
        }
        flags
    }

    fn run_clang(
        &self,
        unit: &Unit,
        flags: Vec<OsString>,
        action: &[&str],
        output: &Path,
    ) -> Result<String, Error> {
        let mut command = process::command(&self.clang.program);
        command.args(flags).args(action).arg(process::file_argument(&unit.source)).arg("-o").arg(output);
        command.current_dir(unit.directory.as_deref().unwrap_or(Path::new(".")));
        let finished = process::run(&mut command)?;
        if finished.success { Ok(finished.messages) } else { Err(self.failed(unit, finished.messages)) }
    }

    fn failed(&self, unit: &Unit, messages: String) -> Error {
        if is_cxx(&unit.source) && self.clang.libcxx.is_none() && messages.contains("file not found") {
            return Error::MissingTool {
                missing: "libc++ for wasm".to_owned(),
                purpose: format!("the headers that {} includes", unit.source.display()),
                install: format!("Get it with: {}", crate::install::libcxx(self.clang.version)),
                messages,
            };
        }
        let what = unit.source.display().to_string();
        match messages.contains("with exceptions disabled") {
            true => Error::Exceptions { what, messages },
            false => Error::Compile { what, messages },
        }
    }
}

/// Refuses a name that clang, whatever directory stands before it, would take for a file of arguments: the driver
/// gives the bare name to the compiler proper.
fn refuse_response_file(source: &Path) -> Result<(), Error> {
    let name = source.file_name().unwrap_or_default();
    match name.as_encoded_bytes().first() {
        Some(b'@') => Err(Error::ResponseFile { path: source.to_owned() }),
        _ => Ok(()),
    }
}

/// setjmp as standard exceptions. Both the front end and the code generator need these, and they change nothing
/// in units without setjmp.
pub(crate) fn setjmp_flags(clang: &Clang) -> &'static [&'static str] {
    if clang.has_setjmp() {
        &["-mllvm", "-wasm-enable-sjlj", "-mllvm", "-wasm-use-legacy-eh=false"]
    } else {
        &[]
    }
}

/// Whether clang compiles this file as C++.
pub(crate) fn is_cxx(source: &Path) -> bool {
    matches!(
        source.extension().and_then(|extension| extension.to_str()),
        Some("cc" | "cp" | "cpp" | "cxx" | "c++" | "CPP" | "C" | "ii")
    )
}

fn joined(prefix: &str, path: &std::ffi::OsStr) -> OsString {
    let mut whole = OsString::from(prefix);
    whole.push(path);
    whole
}
