//! Wasm objects to one module.
//!
//! wasm-ld is called directly: clang's driver would run `wasm-opt` on the result if it finds one, and lose most
//! line information. Relocations are kept (`--emit-relocs`), so that function hashes can ignore addresses. Every
//! global function of the user's objects is exported, so that each can be an entry.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::cache::{Cache, Entry, Key, KeyBuilder};
use crate::clang::Clang;
use crate::compile::EMULATED;
use crate::object::{self, ObjectInfo};
use crate::observed::Observed;
use crate::process;
use crate::runtime::Runtime;

/// What C programs find on their usual hosts; wasm-ld's own default is 64 KiB.
const STACK_BYTES: u32 = 8 << 20;

/// The part of wasi-libc that lets printf and scanf handle `long double`; without it they abort.
const LONG_DOUBLE: &str = "c-printscan-long-double";

/// Libraries of the host's compilers. Ours, which do the same, are part of every program.
const HOST_RUNTIMES: [&str; 5] = ["stdc++", "supc++", "gcc", "gcc_s", "gcc_eh"];

/// What to link.
#[derive(Clone, Debug, Default)]
pub(crate) struct Link {
    /// For messages.
    pub name: String,
    /// Objects that are part of the program in any case.
    pub objects: Vec<PathBuf>,
    /// Objects that are taken only if something needs them.
    pub spare_objects: Vec<PathBuf>,
    /// Static libraries: taken as needed, or whole if there is nothing else.
    pub archives: Vec<PathBuf>,
    /// The sources of those objects that are ours, for messages.
    pub sources: BTreeMap<PathBuf, PathBuf>,
    /// The user's flags for the linker: `-L`, `-l`, and what stood after `-Wl,`.
    pub flags: Vec<String>,
    /// A function to export wherever it is defined.
    pub entry: Option<String>,
    pub undefined: Undefined,
}

/// What becomes of functions that no object defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Undefined {
    /// They become imports.
    #[default]
    Import,
    /// Only those of test harnesses do, others are errors: `configure` learns this way what the C library has.
    ImportHarness,
}

/// A linked module.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    pub wasm: Vec<u8>,
    pub messages: String,
    pub from_cache: bool,
    /// What the user's objects and libraries say about themselves, taken together.
    pub info: ObjectInfo,
}

impl Link {
    /// Adds a file: an object, or a static library.
    pub fn add_file(&mut self, file: &Path) -> Result<(), Error> {
        if fs::metadata(file).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(Error::NotAFile { path: file.to_owned() });
        }
        let bytes = fs::read(file).map_err(Error::read(file))?;
        let list = if object::is_archive(&bytes) { &mut self.archives } else { &mut self.objects };
        list.push(file.to_owned());
        Ok(())
    }

    /// Adds `-lNAME`: a library in one of the `-L` directories (static, or the partly linked object that coax-cc
    /// makes where a shared one is asked for), else one of the C library's own.
    pub fn add_library(&mut self, name: &str) -> Result<(), Error> {
        let directories = self.flags.iter().filter_map(|flag| flag.strip_prefix("-L"));
        let files = directories.flat_map(|directory| {
            ["so", "a"].map(|extension| Path::new(directory).join(format!("lib{name}.{extension}")))
        });
        let found = files.into_iter().find(|file| file.is_file());
        match found {
            Some(file) => self.add_file(&file),
            None if HOST_RUNTIMES.contains(&name) => Ok(()),
            None => {
                self.flags.push(format!("-l{name}"));
                Ok(())
            }
        }
    }

    /// Links; intermediate files go to `scratch`.
    pub fn run(
        &self,
        clang: &Clang,
        runtime: &Runtime,
        cache: &Cache,
        observed: &Observed,
        scratch: &Path,
    ) -> Result<Linked, Error> {
        let members = self.read_members()?;
        let mut arguments = self.arguments(clang, &members);
        let info = members.all();
        refuse_old_setjmp(&info, clang)?;
        self.refuse_exceptions(&info)?;
        // Right behind the start, so that they win over members of the C library.
        let missing = runtime.compile_missing(clang, &info, scratch)?;
        arguments.splice(1..1, missing.into_iter().map(OsString::from));
        if self.undefined == Undefined::ImportHarness {
            arguments.push(self.allow_harness(&info, scratch)?);
        }
        self.observe(&arguments, observed, scratch)?;
        let key = if cache.is_on() { Some(self.key(clang, &arguments, scratch)?) } else { None };
        if let Some(Entry { payload, messages }) = key.as_ref().and_then(|key| cache.get(key)) {
            return Ok(Linked { wasm: payload, messages, from_cache: true, info });
        }
        let (wasm, messages) = match run_linker(clang, &self.name, &arguments, scratch) {
            Ok((wasm, messages)) => (wasm, self.in_terms_of_sources(messages)),
            Err(Error::Link { what, messages }) => {
                return Err(Error::Link { what, messages: self.in_terms_of_sources(messages) });
            }
            Err(other) => return Err(other),
        };
        if let Some(key) = key {
            cache.put(&key, &Entry { payload: wasm.clone(), messages: messages.clone() });
        }
        Ok(Linked { wasm, messages, from_cache: false, info })
    }

    /// Nothing could run a `throw` that was compiled in elsewhere, or by the user's own flags.
    fn refuse_exceptions(&self, info: &ObjectInfo) -> Result<(), Error> {
        let throws = |name: &&str| info.undefined.contains(*name) && !info.defines(name);
        match ["__cxa_throw", "__cxa_begin_catch"].iter().any(throws) {
            true => Err(Error::Exceptions { what: self.name.clone(), messages: String::new() }),
            false => Ok(()),
        }
    }

    /// What the linker said, with our temporary objects under the names of their sources.
    fn in_terms_of_sources(&self, messages: String) -> String {
        self.sources.iter().fold(messages, |messages, (object, source)| {
            messages.replace(&*object.to_string_lossy(), &source.to_string_lossy())
        })
    }

    fn read_members(&self) -> Result<Members, Error> {
        let read = |paths: &[PathBuf], archive: bool| -> Result<Vec<ObjectInfo>, Error> {
            let read_one = |path: &PathBuf| {
                let bytes = fs::read(path).map_err(Error::read(path))?;
                if archive { object::read_archive(path, &bytes) } else { object::read_object(path, &bytes) }
            };
            paths.iter().map(read_one).collect()
        };
        Ok(Members {
            objects: read(&self.objects, false)?,
            spare: read(&self.spare_objects, false)?,
            archives: read(&self.archives, true)?,
        })
    }

    fn arguments(&self, clang: &Clang, members: &Members) -> Vec<OsString> {
        // A library alone is the program under test: all of it is wanted.
        let whole_archives = self.objects.is_empty();
        let roots = if whole_archives { &members.archives } else { &members.objects };
        let has_main = roots.iter().any(ObjectInfo::defines_main)
            || (self.entry.is_none() && members.archives.iter().any(ObjectInfo::defines_main));
        let mut arguments: Vec<OsString> = match has_main {
            // An entry other than main needs the constructors too, and here only _start would run them. Since
            // crt1.o calls them itself, the linker does not wrap exports with them.
            true => vec![clang.libc.command_start().into(), "--export=__wasm_call_ctors".into()],
            false => vec![clang.libc.reactor_start().into(), "--entry=_initialize".into()],
        };
        arguments.extend(self.objects.iter().map(as_argument));
        let spare = self.spare_objects.iter().map(as_argument);
        if clang.has_recent_linker() && !self.spare_objects.is_empty() {
            arguments.extend(["--start-lib".into()].into_iter().chain(spare).chain(["--end-lib".into()]));
        } else {
            arguments.extend(spare);
        }
        arguments.extend(whole_archives.then(|| "--whole-archive".into()));
        arguments.extend(self.archives.iter().map(as_argument));
        arguments.extend(whole_archives.then(|| "--no-whole-archive".into()));
        arguments
            .extend(self.exports(roots, members).into_iter().map(|name| format!("--export={name}").into()));
        arguments.extend(clang.has_recent_linker().then(|| "--emit-relocs".into()));
        arguments.extend(["--stack-first".into(), "-z".into(), format!("stack-size={STACK_BYTES}").into()]);
        arguments.extend((self.undefined == Undefined::Import).then(|| "--allow-undefined".into()));
        arguments.extend(self.flags.iter().map(OsString::from));
        arguments.extend(library_arguments(clang));
        arguments
    }

    /// The names to export, in the objects' order, so that the module is the same every time.
    fn exports(&self, roots: &[ObjectInfo], members: &Members) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let entry = self.entry.iter().filter(|entry| members.all().defined.contains(entry));
        let defined = roots.iter().flat_map(|info| &info.defined).chain(entry);
        defined.filter(|name| !object::is_main(name) && seen.insert((*name).clone())).cloned().collect()
    }

    /// A flag naming the file that lists the harness functions which may stay undefined.
    fn allow_harness(&self, info: &ObjectInfo, scratch: &Path) -> Result<OsString, Error> {
        let names: Vec<&str> =
            info.undefined.iter().map(String::as_str).filter(|name| is_harness(name)).collect();
        let file = scratch.join("harness-imports");
        fs::write(&file, names.join("\n")).map_err(Error::write(&file))?;
        let mut flag = OsString::from("--allow-undefined-file=");
        flag.push(file);
        Ok(flag)
    }

    /// Everything the linker reads, by content; files of ours in `scratch` by name too, for their names change.
    fn key(&self, clang: &Clang, arguments: &[OsString], scratch: &Path) -> Result<Key, Error> {
        let mut key = KeyBuilder::new("module").part(clang.banner.as_bytes()).part(self.name.as_bytes());
        for argument in arguments {
            let path = Path::new(argument);
            key = match path.strip_prefix(scratch) {
                Ok(own) => key.part(own.as_os_str().as_encoded_bytes()).file(path)?,
                Err(_) => key.flag(argument, Path::new(""))?,
            };
        }
        for file in self.files_read(arguments)? {
            key = key.file(&file)?;
        }
        Ok(key.finish())
    }

    /// Notes what the linker reads; what is in `scratch` was made from what is noted already.
    fn observe(&self, arguments: &[OsString], observed: &Observed, scratch: &Path) -> Result<(), Error> {
        let others = arguments.iter().filter(|argument| !Path::new(argument).starts_with(scratch));
        // A file of more arguments.
        let is_response = |argument: &&OsString| argument.as_encoded_bytes().starts_with(b"@");
        for argument in others {
            observed.flag(argument, Path::new(""));
            if is_response(&argument) {
                observed.more();
            }
        }
        libraries(arguments).into_iter().for_each(|library| observed.file(library));
        self.files_read(arguments)?.into_iter().for_each(|file| observed.file(file));
        Ok(())
    }

    /// What the linker reads without its being named: members of thin libraries, and the files behind `-l`.
    fn files_read(&self, arguments: &[OsString]) -> Result<Vec<PathBuf>, Error> {
        let libraries: Vec<PathBuf> =
            libraries(arguments).into_iter().filter(|file| file.is_file()).collect();
        let mut files = Vec::new();
        for archive in self.archives.iter().chain(&libraries) {
            let bytes = fs::read(archive).map_err(Error::read(archive))?;
            files.extend(object::thin_members(archive, &bytes)?);
        }
        Ok(libraries.into_iter().chain(files).collect())
    }
}

/// The files that may be behind `-l`.
fn libraries(arguments: &[OsString]) -> Vec<PathBuf> {
    let words: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    let joined = words.iter().filter_map(|word| word.strip_prefix("-L"));
    let separate = words.windows(2).filter(|pair| pair[0] == "-L").map(|pair| pair[1]);
    let directories: Vec<&Path> = joined.chain(separate).filter(|it| !it.is_empty()).map(Path::new).collect();
    let names = words.iter().filter_map(|word| word.strip_prefix("-l"));
    names
        .flat_map(|name| {
            let in_directory = move |place: &&Path| {
                ["a", "so"].map(|extension| place.join(format!("lib{name}.{extension}")))
            };
            directories.iter().flat_map(in_directory)
        })
        .collect()
}

/// What the parts of a program say about themselves.
struct Members {
    objects: Vec<ObjectInfo>,
    spare: Vec<ObjectInfo>,
    archives: Vec<ObjectInfo>,
}

impl Members {
    fn all(&self) -> ObjectInfo {
        let mut all = ObjectInfo::default();
        for info in self.objects.iter().chain(&self.spare).chain(&self.archives) {
            all.defined.extend(info.defined.iter().cloned());
            all.undefined.extend(info.undefined.iter().cloned());
            all.units.extend(info.units.iter().cloned());
            all.odd_main = all.odd_main.or(info.odd_main);
        }
        all
    }
}

/// Refuses compilers that leave calls of setjmp as they are: nothing could run them.
fn refuse_old_setjmp(info: &ObjectInfo, clang: &Clang) -> Result<(), Error> {
    if clang.has_setjmp() || !["setjmp", "longjmp"].iter().any(|name| info.undefined.contains(*name)) {
        return Ok(());
    }
    Err(Error::MissingTool {
        missing: "clang 20 or newer".to_owned(),
        purpose: "programs that use setjmp".to_owned(),
        install: format!("Get it with: {}", crate::install::clang()),
        messages: String::new(),
    })
}

/// Whether a function is one that test harnesses leave to the tool.
fn is_harness(name: &str) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["coax_", "klee_", "owi_", "nondet_", "__VERIFIER_", "__CPROVER_", "__ESBMC_", "__WASP_"];
    BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || matches!(name, "reach_error" | "__assert_fail" | "LLVMFuzzerMutate")
}

/// The libraries every program is linked with, as flags.
fn library_arguments(clang: &Clang) -> Vec<OsString> {
    let mut arguments = Vec::new();
    if let Some(libcxx) = &clang.libcxx {
        arguments.extend([
            OsString::from("-L"),
            libcxx.lib.clone().into(),
            "-lc++".into(),
            "-lc++abi".into(),
        ]);
    }
    arguments.extend([OsString::from("-L"), clang.libc.lib.clone().into()]);
    arguments.extend(EMULATED.iter().map(|(_, library)| OsString::from(format!("-l{library}"))));
    if clang.libc.lib.join(format!("lib{LONG_DOUBLE}.a")).is_file() {
        arguments.push(format!("-l{LONG_DOUBLE}").into());
    }
    arguments.extend(["-lc".into(), clang.builtins.clone().into()]);
    arguments
}

/// Joins objects to one that can be linked again: what a shared library becomes.
pub(crate) fn link_partially(clang: &Clang, link: &Link, scratch: &Path) -> Result<(Vec<u8>, String), Error> {
    let files = link.objects.iter().chain(&link.archives).map(as_argument);
    let arguments: Vec<OsString> = [OsString::from("--relocatable")].into_iter().chain(files).collect();
    run_linker(clang, &link.name, &arguments, scratch)
}

fn run_linker(
    clang: &Clang,
    name: &str,
    arguments: &[OsString],
    scratch: &Path,
) -> Result<(Vec<u8>, String), Error> {
    let output = scratch.join("linked.wasm");
    // One argument per exported function does not fit every system's command line.
    let response = scratch.join("link-arguments");
    let lines: Vec<u8> = arguments.iter().flat_map(|argument| quoted(argument)).collect();
    fs::write(&response, lines).map_err(Error::write(&response))?;
    let mut at_response = OsString::from("@");
    at_response.push(&response);
    let finished = process::run(process::command(&clang.linker).arg(at_response).arg("-o").arg(&output))?;
    if !finished.success {
        return Err(Error::Link { what: name.to_owned(), messages: finished.messages });
    }
    Ok((fs::read(&output).map_err(Error::read(&output))?, finished.messages))
}

fn as_argument(file: impl AsRef<Path>) -> OsString {
    process::file_argument(file.as_ref()).into()
}

/// An argument as a line of a response file.
fn quoted(argument: &OsStr) -> Vec<u8> {
    let escaped = argument.as_encoded_bytes().iter().flat_map(|&byte| match byte {
        b'"' | b'\\' => vec![b'\\', byte],
        _ => vec![byte],
    });
    [b'"'].into_iter().chain(escaped).chain(*b"\"\n").collect()
}
