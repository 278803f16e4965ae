//! Rust: what rustc and Cargo have in common.
//!
//! The default level is rustc's opt-level 0 followed by LLVM's `sroa` and `mem2reg`, the same recipe as for C: on a
//! function with seven branches, plain opt-level 0 and the recipe both keep all seven, in 146 and 115 instructions;
//! opt-level 1 merges and inlines. Overflow checks and debug assertions stay on, as in any debug build.
//! Panics abort: unwinding would add code that no test needs.

use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::observed::Observed;
use crate::tools::Tools;
use crate::user_code::{UserCode, UserUnits};
use crate::{Error, Optimise, install, object, process};

/// The target Rust programs are compiled for.
pub(crate) const TARGET: &str = "wasm32-wasip1";

/// How rustc names the sources of the standard library, where they are not installed, and of what that depends on.
const STANDARD_LIBRARY: [&str; 2] = ["/rustc", "/rust/deps"];

/// A Rust toolchain that has our target.
#[derive(Clone, Debug)]
pub(crate) struct Rust {
    pub rustc: PathBuf,
    /// The directory of the target's standard library.
    pub library: PathBuf,
}

impl Rust {
    /// The toolchain that is used in `directory`: a project may choose its own.
    pub fn find(tools: &Tools, directory: &Path) -> Result<Rust, Error> {
        let missing = |missing: &str, command: String| Error::MissingTool {
            missing: missing.to_owned(),
            purpose: "compiling Rust".to_owned(),
            install: format!("Get it with: {command}"),
            messages: String::new(),
        };
        let rustc = tools.find("rustc").ok_or_else(|| missing("rustc", install::rust()))?;
        let library = target_library(tools, TARGET, Some(directory))
            .ok_or_else(|| missing(&format!("Rust's target {TARGET}"), install::rust_target(TARGET)))?;
        Ok(Rust { rustc, library })
    }

    /// Notes what this choice depends on: `rustc` on the path may be rustup's, which starts the one of a toolchain.
    pub fn observe(&self, tools: &Tools, directory: &Path, observed: &Observed) {
        ["rustc", "cargo"].iter().for_each(|name| observed.programs(tools, name));
        // From …/lib/rustlib/TARGET/lib to the toolchain.
        if let Some(toolchain) = self.library.ancestors().nth(4) {
            ["rustc", "cargo"].iter().for_each(|name| observed.program(toolchain.join("bin").join(name)));
        }
        observed.listing(&self.library);
        let files = ["rust-toolchain", "rust-toolchain.toml"];
        let choices = directory.ancestors().flat_map(|place| files.map(|file| place.join(file)));
        choices.for_each(|choice| observed.file(choice));
        if let Some(rustup) = home("RUSTUP_HOME", ".rustup") {
            observed.file(rustup.join("settings.toml"));
        }
    }

    /// Flags for the linker of every program.
    pub fn link_flags(&self, kind: CrateKind) -> Vec<String> {
        let mut arguments = vec!["--emit-relocs".to_owned()];
        if kind == CrateKind::Library {
            // Without an `_initialize` of its own, the linker wraps every export with the constructors.
            let start = self.library.join("self-contained/crt1-reactor.o");
            if start.is_file() {
                arguments.extend([start.display().to_string(), "--export=_initialize".to_owned()]);
            }
        }
        arguments.into_iter().flat_map(|argument| ["-C".to_owned(), format!("link-arg={argument}")]).collect()
    }

    /// The user's code, by the directories rustc runs in; what is `foreign` is not, even below them.
    pub fn user_code(&self, roots: Vec<PathBuf>, mut foreign: Vec<PathBuf>) -> UserCode {
        foreign.extend(STANDARD_LIBRARY.map(PathBuf::from));
        foreign.push(crate::rust_harness::IN_DEBUG_INFO.into());
        // From …/rustlib/TARGET/lib to …/rustlib, where the rust-src component puts the sources.
        foreign.extend(self.library.ancestors().nth(2).map(Path::to_owned));
        UserCode { units: UserUnits::Under(roots), foreign }
    }
}

/// A directory that a variable names, or one in the user's own.
pub(crate) fn home(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).filter(|place| !place.is_empty());
    named.map(PathBuf::from).or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(usual)))
}

/// What a crate becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CrateKind {
    /// A program with `main`.
    Binary,
    /// A module that exports its `extern` functions.
    Library,
}

/// rustc's name of a level.
pub(crate) fn opt_level(optimise: Optimise) -> &'static str {
    match optimise {
        Optimise::Default | Optimise::O0 => "0",
        Optimise::O1 => "1",
        Optimise::O2 => "2",
        Optimise::O3 => "3",
        Optimise::Os => "s",
    }
}

/// The passes that make registers of locals, at the level that wants them.
pub(crate) fn pass_flags(optimise: Optimise) -> &'static [&'static str] {
    if optimise == Optimise::Default { &["-C", "passes=sroa,mem2reg"] } else { &[] }
}

/// The directory of a target's standard library, if it is installed for the toolchain used in `directory`.
pub(crate) fn target_library(tools: &Tools, target: &str, directory: Option<&Path>) -> Option<PathBuf> {
    let mut command = process::command(&tools.find("rustc")?);
    command
        .args(["--print", "target-libdir", "--target", target])
        .current_dir(directory.unwrap_or(Path::new(".")));
    let finished = process::run(&mut command).ok()?;
    let library = PathBuf::from(String::from_utf8_lossy(&finished.stdout).trim());
    // rustc names the directory whether it is there or not.
    (finished.success && library.is_dir()).then_some(library)
}

/// What the user should know about a Rust program.
pub(crate) fn notes(cache: &Cache, ubsan: bool, wasm: &[u8]) -> Vec<String> {
    let ubsan = ubsan.then_some(
        "UBSan is for C and C++. Rust's own overflow checks and debug assertions are on at the default level.",
    );
    let exports = object::exports_function(wasm);
    let exported = (!exports).then_some(
        "The library exports no function. `--entry` takes any function of it by its name, like `parse` or `module::parse`; or mark one \
         with #[unsafe(no_mangle)] pub extern \"C\", or add a main.",
    );
    let ours = ubsan.into_iter().chain(exported).map(str::to_owned);
    cache.note.clone().into_iter().chain(ours).collect()
}
