//! Finding a clang that can make wasm, and what belongs to it.
//!
//! The newest complete one wins: clang, its linker, and compiler-rt's builtins for wasm, whose version must match.
//! `opt` is optional, because only the default level uses it.

use std::path::PathBuf;

use crate::asked::Asked;
use crate::observed::Observed;
use crate::tools::{Libc, Tools};
use crate::{Error, install};

/// The versions of clang whose command lines we know, newest first.
pub(crate) const KNOWN_VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// The first version that lowers setjmp to exceptions in their standard form (with `exnref`).
const FIRST_WITH_STANDARD_EXCEPTIONS: u32 = 20;

/// The first version whose wasm-ld keeps relocations without crashing and takes single objects as needed.
const FIRST_WITH_RECENT_LINKER: u32 = 19;

/// A clang with everything it needs.
#[derive(Clone, Debug)]
pub(crate) struct Clang {
    pub program: PathBuf,
    pub version: u32,
    /// What `--version` says: part of every cache key.
    pub banner: String,
    /// LLVM's optimiser of the same version: another version may not read clang's bitcode.
    pub opt: Option<PathBuf>,
    pub linker: PathBuf,
    /// compiler-rt's builtins for wasm32.
    pub builtins: PathBuf,
    pub libc: Libc,
    pub libcxx: Option<LibCxx>,
}

/// The C++ library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LibCxx {
    pub include: PathBuf,
    pub lib: PathBuf,
}

/// A clang on the path, complete or not.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub program: PathBuf,
    pub version: u32,
    pub banner: String,
}

impl Clang {
    /// The newest complete clang; the error names what the newest incomplete one lacks.
    pub fn find(asked: &Asked<'_>) -> Result<Clang, Error> {
        let tools = asked.tools;
        let candidates = candidates(asked);
        let Some(newest) = candidates.first() else {
            return Err(missing("clang", "compiling C and C++", install::clang()));
        };
        let libc = tools
            .find_libc()
            .ok_or_else(|| missing("wasi-libc", "compiling C and C++", install::libc()))?
            .clone();
        let lacking = match complete(asked, newest, &libc) {
            Ok(clang) => return Ok(clang),
            Err(error) => error,
        };
        candidates[1..].iter().find_map(|older| complete(asked, older, &libc).ok()).ok_or(lacking)
    }

    /// Notes what this choice depends on.
    pub fn observe(&self, tools: &Tools, observed: &Observed) {
        let names = ["clang", "wasm-ld", "opt"];
        let versioned = KNOWN_VERSIONS.flat_map(|version| names.map(|name| format!("{name}-{version}")));
        versioned.chain(names.map(str::to_owned)).for_each(|name| observed.programs(tools, &name));
        tools.libc.iter().flat_map(Libc::marks).for_each(|mark| observed.file(mark));
        observed.file(&self.builtins);
        let libcxxs = libcxx_places(self.version, &self.libc);
        libcxxs.iter().flat_map(LibCxx::marks).for_each(|mark| observed.file(mark));
    }

    /// Directories of headers that came with it.
    pub fn brought(&self) -> Vec<PathBuf> {
        // From …/lib/wasi/libclang_rt.builtins-wasm32.a to clang's own headers beside lib.
        let own = self.builtins.ancestors().nth(3).map(std::path::Path::to_owned);
        let libcxx = self.libcxx.as_ref().map(|libcxx| libcxx.include.clone());
        [self.libc.include.clone()].into_iter().chain(libcxx).chain(own).collect()
    }

    /// The target's name: wasip1 is new, and the old name is deprecated.
    pub fn target(&self) -> &'static str {
        if self.version >= 19 { "wasm32-wasip1" } else { "wasm32-wasi" }
    }

    /// Whether the linker knows `--emit-relocs` and `--start-lib`.
    pub fn has_recent_linker(&self) -> bool {
        self.version >= FIRST_WITH_RECENT_LINKER
    }

    /// Whether setjmp can be compiled to instructions that engines run today.
    pub fn has_setjmp(&self) -> bool {
        self.version >= FIRST_WITH_STANDARD_EXCEPTIONS
    }
}

/// All clangs on the path, newest first.
pub(crate) fn candidates(asked: &Asked<'_>) -> Vec<Candidate> {
    let versioned = KNOWN_VERSIONS.rev().map(|version| format!("clang-{version}"));
    let mut found: Vec<Candidate> = versioned
        .chain(["clang".to_owned()])
        .filter_map(|name| {
            let program = asked.tools.find(&name)?;
            let banner = asked.first_line(&program, "--version")?;
            Some(Candidate { version: version_in(&banner)?, program, banner })
        })
        .filter(|clang| clang.version >= *KNOWN_VERSIONS.start())
        .collect();
    found.sort_by_key(|clang| std::cmp::Reverse(clang.version));
    found
}

/// The major version in a line such as `Debian clang version 22.1.8 (1~deb12u1)`.
pub(crate) fn version_in(banner: &str) -> Option<u32> {
    let number = banner.split_once("version ")?.1;
    number.split('.').next()?.trim().parse().ok()
}

/// A tool that belongs to a version of LLVM: `name-22`, or `name` if it says that it is of that version.
pub(crate) fn sibling(asked: &Asked<'_>, name: &str, version: u32) -> Option<PathBuf> {
    asked.tools.find(&format!("{name}-{version}")).or_else(|| {
        let plain = asked.tools.find(name)?;
        let text = asked.answer(&plain, "--version")?;
        let says = text.lines().find_map(|line| version_in(line).or_else(|| linker_version_in(line)));
        (says == Some(version)).then_some(plain)
    })
}

/// The major version in a line such as `LLD 22.1.8` or `Debian LLD 22.1.8 (compatible with …)`.
fn linker_version_in(line: &str) -> Option<u32> {
    line.split_once("LLD ")?.1.split('.').next()?.trim().parse().ok()
}

/// compiler-rt's builtins of a clang, wherever its version keeps them.
pub(crate) fn builtins(asked: &Asked<'_>, clang: &std::path::Path) -> Option<PathBuf> {
    let resources = PathBuf::from(asked.first_line(clang, "-print-resource-dir")?);
    let places = [
        "lib/wasi/libclang_rt.builtins-wasm32.a",
        "lib/wasm32-unknown-wasip1/libclang_rt.builtins.a",
        "lib/wasm32-unknown-wasi/libclang_rt.builtins.a",
        "lib/wasm32-wasip1/libclang_rt.builtins.a",
    ];
    places.iter().map(|place| resources.join(place)).find(|file| file.is_file())
}

/// The C++ library: LLVM's own of this version, or one inside the C library's place.
pub(crate) fn libcxx(version: u32, libc: &Libc) -> Option<LibCxx> {
    libcxx_places(version, libc).into_iter().find(|cxx| cxx.marks().iter().all(|mark| mark.is_file()))
}

fn libcxx_places(version: u32, libc: &Libc) -> [LibCxx; 2] {
    let llvm = PathBuf::from(format!("/usr/lib/llvm-{version}"));
    let own = LibCxx { include: llvm.join("include/wasm32-wasi/c++/v1"), lib: llvm.join("lib/wasm32-wasi") };
    let beside = LibCxx { include: libc.include.join("c++/v1"), lib: libc.lib.clone() };
    [own, beside]
}

impl LibCxx {
    /// The files by which it is known.
    fn marks(&self) -> [PathBuf; 2] {
        [self.include.join("vector"), self.lib.join("libc++.a")]
    }
}

fn complete(asked: &Asked<'_>, candidate: &Candidate, libc: &Libc) -> Result<Clang, Error> {
    let Candidate { program, version, banner } = candidate.clone();
    let linker = sibling(asked, "wasm-ld", version).ok_or_else(|| {
        missing("wasm-ld, the linker for wasm,", "compiling C and C++", install::linker(version))
    })?;
    let builtins = builtins(asked, &program).ok_or_else(|| {
        missing("compiler-rt's builtins for wasm", "compiling C and C++", install::builtins(version))
    })?;
    let opt = sibling(asked, "opt", version);
    let libcxx = libcxx(version, libc);
    Ok(Clang { program, version, banner, opt, linker, builtins, libc: libc.clone(), libcxx })
}

fn missing(what: &str, purpose: &str, command: String) -> Error {
    Error::MissingTool {
        missing: what.to_owned(),
        purpose: purpose.to_owned(),
        install: format!("Get it with: {command}"),
        messages: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_banners() {
        assert_eq!(version_in("Debian clang version 22.1.8 (1~deb12u1)"), Some(22));
        assert_eq!(version_in("clang version 16.0.6"), Some(16));
        assert_eq!(version_in("gcc (Debian) 12.2"), None);
        assert_eq!(linker_version_in("Debian LLD 19.1.7"), Some(19));
    }
}
