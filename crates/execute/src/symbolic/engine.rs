//! What all symbolic runs share, and how a program becomes a module that can be run so.

use super::background::Background;
use super::cache::ModuleCache;
use super::compiler::{Code, Compiler};
use super::run::SymbolicModule;
use super::tiers::{LARGE, Tier, Tiers};
use crate::instrument::{Instrumenter, Variant, instrument};
use crate::{Error, Limits, engine};
use coax_program::Program;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// What all symbolic runs share: compilers, the pool of instances, and what programs may import.
pub struct SymbolicEngine {
    optimising: Arc<Compiler>,
    /// Made for the first large module.
    quick: OnceLock<Arc<Compiler>>,
    limits: Limits,
    only: Option<Tier>,
    cache: Option<ModuleCache>,
}

impl SymbolicEngine {
    /// An engine for runs within these limits.
    pub fn new(limits: &Limits) -> Result<Self, Error> {
        let optimising = Arc::new(Compiler::new(engine::optimising(limits)?)?);
        let limits = limits.clone();
        Ok(SymbolicEngine { optimising, quick: OnceLock::new(), limits, only: None, cache: None })
    }

    /// Keeps compiled modules in this directory.
    pub fn with_cache(self, directory: &Path) -> Self {
        SymbolicEngine { cache: Some(ModuleCache::new(directory)), ..self }
    }

    /// Compiles all modules in one way, and none twice.
    ///
    /// Without this, large modules start on quick code, and runs that begin when optimised code is ready use that; what a run
    /// finds is the same.
    pub fn only(self, tier: Tier) -> Self {
        SymbolicEngine { only: Some(tier), ..self }
    }

    /// Instruments and compiles a program.
    pub fn module<'p>(&self, program: &'p Program, variant: Variant) -> Result<SymbolicModule<'p>, Error> {
        let instrumenter = Instrumenter::new(program, variant)?;
        let tiers = self.tiers(program, &instrumenter)?;
        Ok(SymbolicModule::new_compiled(program, instrumenter, tiers))
    }

    fn tiers(&self, program: &Program, instrumenter: &Instrumenter) -> Result<Tiers, Error> {
        let (plain, variant, cache) = (&program.wasm, instrumenter.variant(), self.cache.as_ref());
        if self.only != Some(Tier::Quick)
            && let Some(code) = self.optimising.cached(cache, plain, variant)
        {
            return Ok(Tiers::One(Tier::Optimised, code?));
        }
        let is_quick = self.only.map_or(instrumenter.code_bytes() >= LARGE, |tier| tier == Tier::Quick);
        if is_quick {
            let compiler = self.quick()?;
            let quick = self.compiled(compiler, program, instrumenter)?;
            return Ok(match self.only {
                Some(_) => Tiers::One(Tier::Quick, quick),
                None => Tiers::Two { quick, optimised: self.optimise(compiler, plain, variant) },
            });
        }
        Ok(Tiers::One(Tier::Optimised, self.compiled(&self.optimising, program, instrumenter)?))
    }

    fn quick(&self) -> Result<&Arc<Compiler>, Error> {
        if let Some(compiler) = self.quick.get() {
            return Ok(compiler);
        }
        let compiler = Arc::new(Compiler::new(engine::quick(&self.limits)?)?);
        Ok(self.quick.get_or_init(|| compiler))
    }

    /// A program's code, from the cache if it is there.
    fn compiled(
        &self,
        compiler: &Compiler,
        program: &Program,
        instrumenter: &Instrumenter,
    ) -> Result<Code, Error> {
        let (plain, variant, cache) = (&program.wasm, instrumenter.variant(), self.cache.as_ref());
        if let Some(code) = compiler.cached(cache, plain, variant) {
            return code;
        }
        let module = compiler.compile(&instrumenter.module(program)?).map_err(wrong)?;
        compiler.keep(cache, plain, variant, &module);
        compiler.link(&module)
    }

    /// Has a program optimised in the background. The thread begins with the plain module, for it outlives the program.
    fn optimise(&self, quick: &Arc<Compiler>, plain: &[u8], variant: Variant) -> Background<Code> {
        let (compiler, plain) = (Arc::clone(&self.optimising), Arc::<[u8]>::from(plain));
        let (keeper, kept, cache) = (Arc::clone(&compiler), Arc::clone(&plain), self.cache.clone());
        let quick = Arc::clone(quick);
        let make = move || {
            let program = Program::parse(plain.to_vec()).map_err(|error| error.to_string())?;
            let instrumented = instrument(&program, variant).map_err(|error| error.to_string())?;
            let module = compiler.compile(&instrumented).map_err(|error| format!("{error:#}"))?;
            compiler.link(&module).map_err(|error| error.to_string())
        };
        let keep = move |code: &Code| {
            quick.nudge();
            keeper.keep(cache.as_ref(), &kept, variant, code.linked.module());
        };
        Background::start(make, keep)
    }
}

fn wrong(error: wasmtime::Error) -> Error {
    Error::Instrument(format!("{error:#}"))
}
