//! Instrumented modules, compiled and linked: by one of wasmtime's compilers, or from the cache.

use super::cache::ModuleCache;
use super::host;
use crate::compiled::{bad_imports, host as host_error};
use crate::instrument::Variant;
use crate::sandbox::State;
use crate::{Error, wasi};
use wasmtime::{Engine, InstancePre, Linker, Module};

/// A module that can be run.
pub(super) struct Code {
    pub(super) engine: Engine,
    pub(super) linked: InstancePre<State>,
}

/// One of wasmtime's compilers, and what programs may import.
#[derive(Clone)]
pub(super) struct Compiler {
    engine: Engine,
    linker: Linker<State>,
}

impl Compiler {
    pub(super) fn new(engine: Engine) -> Result<Self, Error> {
        let mut linker = Linker::new(&engine);
        wasi::add_to_linker(&mut linker).map_err(host_error)?;
        host::add_to_linker(&mut linker).map_err(host_error)?;
        Ok(Compiler { engine, linker })
    }

    /// A program's code, if it is in the cache.
    pub(super) fn cached(
        &self,
        cache: Option<&ModuleCache>,
        plain: &[u8],
        variant: Variant,
    ) -> Option<Result<Code, Error>> {
        let cache = cache?;
        let module = ModuleCache::load(&self.engine, &cache.file(&self.engine, plain, variant))?;
        Some(self.link(&module))
    }

    /// Compiles an instrumented module.
    pub(super) fn compile(&self, instrumented: &[u8]) -> wasmtime::Result<Module> {
        Module::new(&self.engine, instrumented)
    }

    /// Keeps a program's code in the cache. One that cannot be written costs time, nothing else.
    pub(super) fn keep(&self, cache: Option<&ModuleCache>, plain: &[u8], variant: Variant, module: &Module) {
        if let Some(cache) = cache {
            let _ = cache.store(&cache.file(&self.engine, plain, variant), module);
        }
    }

    /// Gives a module its imports.
    pub(super) fn link(&self, module: &Module) -> Result<Code, Error> {
        let bad = |error| bad_imports(&self.linker, module, error);
        let linked = self.linker.instantiate_pre(module).map_err(bad)?;
        Ok(Code { engine: self.engine.clone(), linked })
    }

    /// Makes code that is watching look up: see [`super::tiers::Tiers::watch`].
    pub(super) fn nudge(&self) {
        self.engine.increment_epoch();
    }
}
