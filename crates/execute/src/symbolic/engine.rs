//! What all symbolic runs share, and how a program becomes a module that can be run so.
//!
//! A module is compiled once, by Cranelift, before its first run; the second start of a program takes it from the cache. Why there
//! is no quicker compiler for the first is in `docs/decisions/0003-compiled-once.md`.

use super::host;
use super::run::SymbolicModule;
use crate::compiled::{bad_imports, host as host_error};
use crate::engine::Pool;
use crate::instrument::{Detail, Instrumenter};
use crate::module_cache::ModuleCache;
use crate::tier::Tier;
use crate::{Error, Limits, engine, imports};
use coax_program::Program;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use wasmtime::{Engine, Linker, Module};

/// What all symbolic runs share: the compiler, and the pool of instances.
pub struct SymbolicEngine {
    limits: Limits,
    /// By what programs need.
    engines: Mutex<BTreeMap<(Tier, Pool), Engine>>,
    cache: Option<ModuleCache>,
}

impl SymbolicEngine {
    /// An engine for runs within these limits.
    pub fn new(limits: &Limits) -> Result<Self, Error> {
        let engines = Mutex::default();
        let all = SymbolicEngine { limits: limits.clone(), engines, cache: None };
        // What nearly all programs need is made at once: who cannot have it is told so here.
        all.engine(Tier::Speed, Pool::Usual)?;
        Ok(all)
    }

    fn engine(&self, tier: Tier, pool: Pool) -> Result<Engine, Error> {
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = engines.get(&(tier, pool)) {
            return Ok(engine.clone());
        }
        let engine = engine::instrumented(&self.limits, tier, pool)?;
        engines.insert((tier, pool), engine.clone());
        Ok(engine)
    }

    /// Keeps compiled modules in this directory.
    pub fn with_cache(self, directory: &Path) -> Self {
        SymbolicEngine { cache: Some(ModuleCache::new(directory)), ..self }
    }

    /// Instruments and compiles a program.
    pub fn module<'p>(
        &self,
        program: &'p Program,
        detail: impl Into<Detail>,
    ) -> Result<SymbolicModule<'p>, Error> {
        let instrumenter = Instrumenter::new(program, detail.into())?;
        let engine = self.engine(Tier::of(program), Pool::of(program, &self.limits))?;
        let module = self.compiled(&engine, program, &instrumenter)?;
        let mut linker = Linker::new(&engine);
        imports::add_to_linker(&mut linker, program).map_err(host_error)?;
        host::add_to_linker(&mut linker).map_err(host_error)?;
        let linked = linker.instantiate_pre(&module).map_err(|error| bad_imports(program, &error))?;
        Ok(SymbolicModule::linked(program, instrumenter, linked))
    }

    /// The instrumented module, from the cache if it is there.
    fn compiled(
        &self,
        engine: &Engine,
        program: &Program,
        instrumenter: &Instrumenter,
    ) -> Result<Module, Error> {
        let compile = || {
            let wasm = instrumenter.module(program)?;
            Module::new(engine, wasm).map_err(|error| Error::Instrument(format!("{error:#}")))
        };
        match &self.cache {
            Some(cache) => cache.instrumented(engine, &program.wasm, instrumenter.detail(), compile),
            None => compile(),
        }
    }
}
