//! Cargo projects: a binary or a library of the package, built by the project's own cargo and lock file.
//!
//! The user's files are not edited: profile settings travel in environment variables, and a library that is no
//! `cdylib` is built as one by `cargo rustc --crate-type`. Cargo's own target directory inside our cache is what
//! makes the second load quick.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::cache::Cache;
use crate::cargo_fuzz::{self, CargoFuzz};
use crate::observed::Observed;
use crate::process::{self, Finished};
use crate::rust::{self, CrateKind, Rust, TARGET};
use crate::rust_harness::{Harness, Mentioned};
use crate::{Error, Loaded, Request, bad_harness, entry, install, object};

/// How often harnesses that do not compile are looked for.
const BAD_HARNESS_ROUNDS: usize = 4;

/// Loads a project.
pub(crate) fn load(
    request: &Request,
    manifest: &Path,
    cache: &Cache,
    observed: &Observed,
) -> Result<Loaded, Error> {
    // Cargo knows best what a project depends on.
    observed.more();
    let manifest = manifest.canonicalize().map_err(Error::read(manifest))?;
    let mut project = Project::open(request, manifest)?;
    let scratch = request.tools.make_scratch()?;
    // Without a lock file cargo would write one into the user's project.
    let _restored = LockFile::watch(&project.workspace);
    let target_directory = match cache.directory() {
        Some(cache) => cache.join("cargo").join(&blake3::hash(project.path().as_bytes()).to_hex()[..16]),
        None => scratch.path().join("target"),
    };
    project.harness = project.harness(cache, scratch.path())?;
    let (product, note) = project.make_without_bad_harnesses(request, &target_directory)?;
    let Product { name, wasm, messages, fresh } = product;
    Ok(Loaded {
        name,
        has_relocations: object::has_code_relocations(&wasm),
        notes: rust::notes(cache, request.ubsan, &wasm).into_iter().chain(note).collect(),
        user_code: project.user_code()?,
        wasm,
        messages,
        from_cache: fresh,
    })
}

/// What comes of a project.
struct Product {
    name: String,
    wasm: Vec<u8>,
    messages: String,
    /// Whether it was there already.
    fresh: bool,
}

struct Project<'a> {
    request: &'a Request,
    cargo: PathBuf,
    rust: Rust,
    manifest: PathBuf,
    workspace: PathBuf,
    packages: Vec<Package>,
    /// Crates that the sources mention and coax brings along.
    harness: Harness,
}

/// What is built, and the flags that say so to cargo.
struct Choice {
    name: String,
    kind: CrateKind,
    flags: Vec<String>,
}

/// What cargo made.
struct Built {
    file: PathBuf,
    /// Whether it was there already.
    fresh: bool,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    default_run: Option<String>,
    /// Absent for packages on this machine.
    source: Option<String>,
    targets: Vec<Target>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
}

#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact {
        filenames: Vec<PathBuf>,
        fresh: bool,
    },
    #[serde(other)]
    Other,
}

impl<'a> Project<'a> {
    fn open(request: &'a Request, manifest: PathBuf) -> Result<Project<'a>, Error> {
        let cargo = request.tools.find("cargo").ok_or_else(|| Error::MissingTool {
            missing: "cargo".to_owned(),
            purpose: "Cargo projects".to_owned(),
            install: format!("Get it with: {}", install::rust()),
            messages: String::new(),
        })?;
        let directory = manifest.parent().unwrap_or(Path::new("/"));
        let rust = Rust::find(&request.tools, directory)?;
        let mut project = Project {
            request,
            cargo,
            rust,
            manifest,
            workspace: PathBuf::new(),
            packages: Vec::new(),
            harness: Harness::default(),
        };
        let metadata = project.metadata(&["--no-deps"])?;
        (project.workspace, project.packages) = (metadata.workspace_root, metadata.packages);
        Ok(project)
    }

    /// Builds what the request asks for.
    /// The product, without those harnesses that do not compile: a project need not do without coax because some want more than coax
    /// offers. Also what to tell the user of it.
    fn make_without_bad_harnesses(
        &mut self,
        request: &Request,
        target_directory: &Path,
    ) -> Result<(Product, Option<String>), Error> {
        let refused = match self.make(request, target_directory) {
            Err(refused @ Error::Compile { .. }) if !self.harness.is_empty() => refused,
            made => return Ok((made?, None)),
        };
        let said = |product: Product| {
            let messages = format!("{}{}", refused.messages(), product.messages);
            Product { messages, ..product }
        };
        // Errors of a later stage of the compiler show only when there are none of an earlier one.
        let mut messages = refused.messages().to_owned();
        for _ in 0..BAD_HARNESS_ROUNDS {
            let bad = bad_harness::in_messages(&messages, &self.workspace);
            let Some(harness) = bad.and_then(|bad| self.harness.without(&bad)) else { break };
            self.harness = harness;
            match self.make(request, target_directory) {
                Ok(product) => {
                    let names = self.harness.left_out().replace(',', ", ");
                    let note = format!(
                        "Harnesses that do not compile are left out: {names}. The compiler says why."
                    );
                    return Ok((said(product), Some(note)));
                }
                Err(error) => messages = error.messages().to_owned(),
            }
        }
        self.harness = Harness::default();
        match self.make(request, target_directory) {
            Ok(product) => {
                let note = "Its harnesses for Kani or coax do not compile, so all of them are left out; the compiler says why.";
                Ok((said(product), Some(note.to_owned())))
            }
            Err(_) => Err(refused),
        }
    }

    fn make(&self, request: &Request, target_directory: &Path) -> Result<Product, Error> {
        let choice = self.choose(request)?;
        let build = |more: &[String]| {
            let (built, messages) = self.build(&choice, more, target_directory)?;
            let wasm = fs::read(&built.file).map_err(Error::read(&built.file))?;
            Ok(Product { name: choice.name.clone(), wasm, messages, fresh: built.fresh })
        };
        entry::with_rust_entry(request.entry.as_deref(), |product| &product.wasm, build)
    }

    fn directory(&self) -> &Path {
        self.manifest.parent().unwrap_or(Path::new("/"))
    }

    fn path(&self) -> String {
        self.manifest.display().to_string()
    }

    /// A cargo command; it runs in the project, so that rustup and cargo see the project's own settings.
    fn command(&self, subcommand: &str) -> Command {
        let mut command = process::command(&self.cargo);
        command.current_dir(self.directory()).arg(subcommand).arg("--manifest-path").arg(&self.manifest);
        command
    }

    fn metadata(&self, flags: &[&str]) -> Result<Metadata, Error> {
        let finished =
            process::run(self.command("metadata").args(["--format-version=1", "--quiet"]).args(flags))?;
        let unusable = |reason: &str| Error::Cargo {
            manifest: self.manifest.clone(),
            reason: reason.to_owned(),
            messages: finished.messages.clone(),
        };
        if !finished.success {
            return Err(unusable("cargo does not accept it, see above"));
        }
        serde_json::from_slice(&finished.stdout)
            .map_err(|error| unusable(&format!("cargo describes it oddly ({error})")))
    }

    /// The binary or library to build: the one the flags name, else the only one there is.
    fn choose(&self, request: &Request) -> Result<Choice, Error> {
        let flags = request.cflags.clone();
        let value = |names: [&str; 2]| flag_value(&flags, names);
        let package = self.package(value(["--package", "-p"]).as_deref())?;
        if let Some(name) = value(["--bin", "--bin"]).or(value(["--example", "--example"])) {
            return Ok(Choice { name, kind: CrateKind::Binary, flags });
        }
        let library = package.targets.iter().find(|target| target.is_library());
        let binaries: Vec<&str> =
            package.targets.iter().filter(|it| it.is("bin")).map(|it| it.name.as_str()).collect();
        // Harnesses are functions of the library if there is one.
        let wants_library =
            flags.iter().any(|flag| flag == "--lib") || request.entry.is_some() || !self.harness.is_empty();
        let run =
            package.default_run.as_deref().or(if binaries.len() == 1 { Some(binaries[0]) } else { None });
        let with = |more: &[&str]| {
            [&flags[..], &more.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()].concat()
        };
        match (library, run) {
            (Some(library), _) if wants_library || library.is("cdylib") || binaries.is_empty() => {
                let lib = if flags.iter().any(|flag| flag == "--lib") { vec![] } else { vec!["--lib"] };
                let flags = with(&[lib, vec!["--crate-type", "cdylib"]].concat());
                Ok(Choice { name: library.name.clone(), kind: CrateKind::Library, flags })
            }
            (_, Some(binary)) => Ok(Choice {
                name: binary.to_owned(),
                kind: CrateKind::Binary,
                flags: with(&["--bin", binary]),
            }),
            (_, None) if binaries.is_empty() => {
                Err(self.unusable(format!("package {} has neither a library nor a binary", package.name)))
            }
            (_, None) => Err(self.unusable(format!(
                "it has several binaries ({}); choose one with --cflags \"--bin NAME\"",
                binaries.join(", ")
            ))),
        }
    }

    /// The crates that the chosen package mentions and has not among its own dependencies.
    fn harness(&self, cache: &Cache, scratch: &Path) -> Result<Harness, Error> {
        let name = flag_value(&self.request.cflags, ["--package", "-p"]);
        let package = self.package(name.as_deref())?;
        let mut mentioned = package.mentions();
        let has = |name: &str| package.dependencies.iter().any(|dependency| dependency.name == name);
        mentioned.crates.retain(|it| !has(it.name()));
        Harness::build(&self.rust, mentioned, self.directory(), cache, scratch)
    }

    /// Whether what is built is a target of `cargo fuzz`.
    fn is_fuzz_target(&self, choice: &Choice) -> Result<bool, Error> {
        let name = flag_value(&self.request.cflags, ["--package", "-p"]);
        let mut dependencies = self.package(name.as_deref())?.dependencies.iter();
        let is_it = dependencies.any(|dependency| dependency.name == cargo_fuzz::CRATE);
        Ok(is_it && choice.kind == CrateKind::Binary)
    }

    /// The named package, the one of this very manifest, or the only one of the workspace.
    fn package(&self, name: Option<&str>) -> Result<&Package, Error> {
        let find = |wanted: &dyn Fn(&Package) -> bool| self.packages.iter().find(|package| wanted(package));
        let found =
            match name {
                Some(name) => find(&|package| package.name == name),
                None => find(&|package| package.manifest_path == self.manifest)
                    .or(if self.packages.len() == 1 { self.packages.first() } else { None }),
            };
        found.ok_or_else(|| {
            let names: Vec<&str> = self.packages.iter().map(|package| package.name.as_str()).collect();
            self.unusable(format!(
                "it is a workspace; name the directory of one of its packages ({})",
                names.join(", ")
            ))
        })
    }

    fn unusable(&self, reason: String) -> Error {
        Error::Cargo { manifest: self.manifest.clone(), reason, messages: String::new() }
    }

    /// Builds from what is on this machine if that is enough, else lets cargo fetch the rest.
    fn build(
        &self,
        choice: &Choice,
        more: &[String],
        target_directory: &Path,
    ) -> Result<(Built, String), Error> {
        let mut finished = self.run_build(choice, more, target_directory, &["--offline"])?;
        if !finished.success && finished.messages.contains("--offline") {
            finished = self.run_build(choice, more, target_directory, &[])?;
        }
        if !finished.success {
            return Err(Error::Compile { what: choice.name.clone(), messages: finished.messages });
        }
        let built = artifact(&finished.stdout)
            .ok_or_else(|| self.unusable(format!("cargo built no wasm file for {}", choice.name)))?;
        Ok((built, finished.messages))
    }

    fn run_build(
        &self,
        choice: &Choice,
        more: &[String],
        target_directory: &Path,
        flags: &[&str],
    ) -> Result<Finished, Error> {
        let optimise = self.request.optimise;
        // Cargo takes flags from one place only, the most special that is set. This is the least special one, and it
        // is joined with the project's own flags there; a project with flags elsewhere keeps those and misses ours,
        // save for the crate under test.
        let mut passes: Vec<String> =
            rust::pass_flags(optimise).iter().map(|flag| (*flag).to_owned()).collect();
        let fuzz = match self.is_fuzz_target(choice)? {
            true => Some(CargoFuzz::prepare(target_directory)?),
            false => None,
        };
        passes.extend(fuzz.iter().flat_map(CargoFuzz::flags));
        let own = [&passes[..], &self.harness.flags()].concat();
        let exports = if choice.kind == CrateKind::Binary { self.harness.export_flags() } else { Vec::new() };
        // A package of the workspace that mentions the crates needs them too.
        let mentioning = self.packages.iter().filter(|package| !package.mentions().crates.is_empty()).count();
        let all = if mentioning > 1 { &own } else { &passes };
        let config = ["--config".to_owned(), format!("build.rustflags={all:?}")];
        let mut command = self.command("rustc");
        command
            .args(["--quiet", "--message-format=json-render-diagnostics", "--target", TARGET, "--target-dir"])
            .arg(target_directory)
            .args(flags)
            .args(&choice.flags)
            .args(config)
            .arg("--")
            .args(self.rust.link_flags(choice.kind))
            .args(own)
            .args(exports)
            .args(fuzz.iter().flat_map(CargoFuzz::link_flags))
            .args(more)
            .envs(fuzz.iter().flat_map(CargoFuzz::environment))
            .envs([self.harness.environment()])
            .env("CARGO_PROFILE_DEV_DEBUG", "full")
            .env("CARGO_PROFILE_DEV_STRIP", "none")
            .env("CARGO_PROFILE_DEV_PANIC", "abort")
            .env("CARGO_PROFILE_DEV_LTO", "off")
            .env("CARGO_PROFILE_DEV_INCREMENTAL", "false")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", rust::opt_level(optimise));
        process::run(&mut command)
    }

    /// Packages on this machine are the user's; those from a registry are not, even if vendored.
    fn user_code(&self) -> Result<crate::UserCode, Error> {
        // What only tests need may never have been fetched; then cargo knows no more than the packages that are here.
        let with_dependencies = self.metadata(&["--offline", "--filter-platform", TARGET]);
        let metadata = with_dependencies.or_else(|_| self.metadata(&["--no-deps"]))?;
        let directory = |package: &Package| package.manifest_path.parent().map(Path::to_owned);
        let (own, others): (Vec<_>, Vec<_>) =
            metadata.packages.iter().partition(|package| package.source.is_none());
        let mut roots = vec![self.workspace.clone()];
        roots.extend(own.into_iter().filter_map(directory));
        Ok(self.rust.user_code(roots, others.into_iter().filter_map(directory).collect()))
    }
}

impl Package {
    /// What the sources of its library and binaries say of harnesses.
    fn mentions(&self) -> Mentioned {
        let targets = self.targets.iter().filter(|target| target.is_library() || target.is("bin"));
        let directories: BTreeSet<&Path> = targets.filter_map(|target| target.src_path.parent()).collect();
        let mut all = Mentioned::default();
        directories.into_iter().map(Mentioned::below).for_each(|mentioned| all.add(mentioned));
        all
    }
}

impl Target {
    fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|it| it == kind)
    }

    fn is_library(&self) -> bool {
        ["lib", "rlib", "cdylib", "staticlib", "dylib"].iter().any(|kind| self.is(kind))
    }
}

/// The wasm file among cargo's messages; the last, because the package comes after what it depends on.
fn artifact(messages: &[u8]) -> Option<Built> {
    let lines = messages.split(|&byte| byte == b'\n');
    let mut artifacts = lines.filter_map(|line| match serde_json::from_slice(line).ok()? {
        Message::CompilerArtifact { filenames, fresh } => {
            let file = filenames.into_iter().find(|file| file.extension().is_some_and(|it| it == "wasm"))?;
            Some(Built { file, fresh })
        }
        Message::Other => None,
    });
    artifacts.next_back()
}

/// The value of a flag given as `--name value` or `--name=value`.
fn flag_value(flags: &[String], names: [&str; 2]) -> Option<String> {
    let after = flags.iter().skip_while(|flag| !names.contains(&flag.as_str())).nth(1).cloned();
    let joined =
        || flags.iter().find_map(|flag| flag.strip_prefix(names[0])?.strip_prefix('=').map(str::to_owned));
    after.or_else(joined)
}

/// Removes the lock file on drop if it was not there before.
struct LockFile(Option<PathBuf>);

impl LockFile {
    fn watch(workspace: &Path) -> LockFile {
        let file = workspace.join("Cargo.lock");
        LockFile(if file.exists() { None } else { Some(file) })
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        if let Some(file) = &self.0 {
            // It may never have been written.
            let _ = fs::remove_file(file);
        }
    }
}
