//! Compiled modules on disk, so that the second start of a program is quick.
//!
//! A file's name is a hash of everything that its contents depend on: the plain module and how it is instrumented, or the very bytes that
//! are compiled, and how this build of wasmtime compiles for this machine. It begins with a hash of the rest: a file that was damaged is taken for
//! missing, and written again. The directory is a cache: it may be deleted at any time, and if it cannot be written nothing is lost
//! but time.

use crate::Error;
use crate::instrument::{Detail, VERSION};
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wasmtime::{Engine, Module};

const HASH_BYTES: usize = blake3::OUT_LEN;

/// A directory of compiled modules.
pub(crate) struct ModuleCache {
    directory: PathBuf,
}

impl ModuleCache {
    pub(crate) fn new(directory: &Path) -> Self {
        ModuleCache { directory: directory.to_path_buf() }
    }

    /// A program's module, instrumented so: from its file, or compiled now and written.
    pub(crate) fn instrumented(
        &self,
        engine: &Engine,
        wasm: &[u8],
        detail: &Detail,
        compile: impl FnOnce() -> Result<Module, Error>,
    ) -> Result<Module, Error> {
        self.module(engine, &[VERSION.as_bytes(), blake3::hash(wasm).as_bytes(), &detail.key()], compile)
    }

    /// A module of these very bytes: from its file, or compiled now and written.
    pub(crate) fn exact(
        &self,
        engine: &Engine,
        wasm: &[u8],
        compile: impl FnOnce() -> Result<Module, Error>,
    ) -> Result<Module, Error> {
        self.module(engine, &[b"as it is", wasm], compile)
    }

    fn module(
        &self,
        engine: &Engine,
        made_from: &[&[u8]],
        compile: impl FnOnce() -> Result<Module, Error>,
    ) -> Result<Module, Error> {
        let mut compiler = Blake(blake3::Hasher::new());
        engine.precompile_compatibility_hash().hash(&mut compiler);
        let mut hasher = compiler.0;
        for part in made_from {
            hasher.update(part);
        }
        let file = self.directory.join(format!("{}.module", hasher.finalize().to_hex()));
        if let Some(module) = ModuleCache::load(engine, &file) {
            return Ok(module);
        }
        let module = compile()?;
        // A cache that cannot be written costs time, nothing else.
        let _ = self.store(&file, &module);
        Ok(module)
    }

    /// The module in a file, if it is there and whole.
    fn load(engine: &Engine, file: &Path) -> Option<Module> {
        let bytes = fs::read(file).ok()?;
        let (hash, artifact) = bytes.split_at_checked(HASH_BYTES)?;
        (blake3::hash(artifact).as_bytes() == hash).then_some(())?;
        deserialize(engine, artifact)
    }

    /// Writes a module; nobody ever sees half of it.
    fn store(&self, file: &Path, module: &Module) -> io::Result<()> {
        let artifact = module.serialize().map_err(io::Error::other)?;
        fs::create_dir_all(&self.directory)?;
        let mut unfinished = tempfile::NamedTempFile::new_in(&self.directory)?;
        unfinished.write_all(blake3::hash(&artifact).as_bytes())?;
        unfinished.write_all(&artifact)?;
        unfinished.persist(file)?;
        Ok(())
    }
}

/// Makes a module of what [`Module::serialize`] has written.
#[allow(unsafe_code, reason = "wasmtime cannot check machine code")]
fn deserialize(engine: &Engine, artifact: &[u8]) -> Option<Module> {
    // SAFETY: the bytes are what `serialize` wrote: their hash was just checked, and the file's name has a hash of all
    // that they were made from. Somebody who can forge both in the user's cache can run code as the user anyway. wasmtime
    // itself refuses artifacts of another version or machine.
    unsafe { Module::deserialize(engine, artifact) }.ok()
}

/// Hashes what std can hash, the same on every run.
struct Blake(blake3::Hasher);

impl Hasher for Blake {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Never asked for: the whole hash is.
    fn finish(&self) -> u64 {
        0
    }
}
