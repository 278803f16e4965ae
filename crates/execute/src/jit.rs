//! Terms compiled to wasm and run by the JIT, for those who evaluate the same terms thousands of times: the concolic walk.
//!
//! Terms are first interpreted, since most searches end soon. A search that goes on is worth the time that compiling takes
//! ([`MOST_INTERPRETED`]). `plan.rs` decides what is computed where, `write.rs` writes the module, `operator.rs` the code of an operator; its judge is
//! `coax_term::fold`, on random terms.
//!
//! A function that terms leave unknown is no call from wasm: the module is cut into stages, and between two of them the host fills in what functions
//! say. So the module needs nothing but its memory, and nobody's functions are kept in it.

mod operator;
mod plan;
mod write;

use crate::engine;
use coax_term::{Compiled, Compiler, Functions, Interpreter, Symbol, Term, Terms, mask};
use plan::Plan;
use std::sync::OnceLock;
use wasmtime::{Engine, Instance, Memory, Module, Store, TypedFunc};

/// After so many runs terms are compiled. Measured by `examples/jit.rs`: compiling takes as long as 4,000 to 9,000 runs save, where they save much.
const MOST_INTERPRETED: u32 = 8_000;
/// Fewer steps stay interpreted: entering compiled code, and computing what did not change, takes as long as they do.
const FEWEST_STEPS: usize = 256;

/// Compiles terms to wasm, once they were evaluated often.
#[derive(Clone, Copy, Debug)]
pub struct Jit {
    most_interpreted: u32,
    fewest_steps: usize,
}

impl Default for Jit {
    fn default() -> Jit {
        Jit { most_interpreted: MOST_INTERPRETED, fewest_steps: FEWEST_STEPS }
    }
}

impl Jit {
    /// One that compiles everything at once, or not at all: to test it, and to measure it.
    pub fn eager() -> Jit {
        Jit { most_interpreted: 0, fewest_steps: 0 }
    }

    /// The default one, as [`coax_term::Compiler`]s are passed around.
    pub fn boxed() -> Box<dyn Compiler + Send> {
        Box::new(Jit::default())
    }
}

impl Compiler for Jit {
    fn compile(&mut self, terms: &Terms, roots: &[Term], variables: &[Symbol]) -> Option<Box<dyn Compiled>> {
        let interpreted = Interpreter.compile(terms, roots, variables)?;
        let mut plan = Plan::new(terms, roots, variables).filter(|plan| plan.len() >= self.fewest_steps);
        let native = match self.most_interpreted {
            0 => Some(Native::new(plan.take()?)?),
            _ => None,
        };
        Some(Box::new(Tiered { interpreted, plan, left: self.most_interpreted, native }))
    }
}

/// Terms that are interpreted, and compiled after a while.
struct Tiered {
    interpreted: Box<dyn Compiled>,
    /// What to compile; none if that is done, or not worth it, or not possible.
    plan: Option<Plan>,
    /// So many runs until then.
    left: u32,
    native: Option<Native>,
}

impl Compiled for Tiered {
    fn run(&mut self, functions: &mut dyn Functions, values: &[u64], out: &mut [u64]) {
        if self.left > 0 {
            self.left -= 1;
        } else if let Some(plan) = self.plan.take() {
            self.native = Native::new(plan);
        }
        if let Some(native) = &mut self.native {
            match native.run(functions, values, out) {
                Some(()) => return,
                None => {
                    debug_assert!(false, "what terms are compiled to does not trap");
                    self.native = None;
                }
            }
        }
        self.interpreted.run(functions, values, out);
    }
}

/// A module that computes terms, and its instance.
struct Native {
    plan: Plan,
    store: Store<()>,
    memory: Memory,
    /// The code of each stage.
    stages: Vec<TypedFunc<(), ()>>,
    arguments: Vec<u64>,
}

/// The engine of all of them; none if the host has none.
fn shared_engine() -> Option<&'static Engine> {
    static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();
    ENGINE.get_or_init(|| engine::evaluating().ok()).as_ref()
}

impl Native {
    fn new(plan: Plan) -> Option<Native> {
        let engine = shared_engine()?;
        let module = Module::new(engine, write::module(&plan)).ok()?;
        let mut store = Store::new(engine, ());
        let instance = Instance::new(&mut store, &module, &[]).ok()?;
        let memory = instance.get_memory(&mut store, write::MEMORY)?;
        let stages = (0..plan.stages.len())
            .map(|stage| instance.get_typed_func(&mut store, &write::stage_name(stage)).ok())
            .collect::<Option<Vec<_>>>()?;
        Some(Native { plan, store, memory, stages, arguments: Vec::new() })
    }

    /// The values of the roots; none if the code failed, which it does not.
    fn run(&mut self, functions: &mut dyn Functions, values: &[u64], out: &mut [u64]) -> Option<()> {
        for given in &self.plan.variables {
            let value = values[given.variable] & mask(given.width);
            write_word(self.memory.data_mut(&mut self.store), given.slot, value)?;
        }
        for (stage, code) in self.stages.iter().enumerate() {
            for application in self.plan.applications.iter().filter(|one| one.stage == stage) {
                let data = self.memory.data_mut(&mut self.store);
                self.arguments.clear();
                for &slot in &application.arguments {
                    self.arguments.push(read_word(data, slot)?);
                }
                let value = functions.apply(application.function, &self.arguments).unwrap_or(0);
                write_word(data, application.slot, value & mask(application.width))?;
            }
            code.call(&mut self.store, ()).ok()?;
        }
        let data = self.memory.data(&self.store);
        for (value, &slot) in out.iter_mut().zip(&self.plan.roots) {
            *value = read_word(data, slot)?;
        }
        Some(())
    }
}

fn read_word(data: &[u8], slot: u32) -> Option<u64> {
    Some(u64::from_le_bytes(data.get(8 * slot as usize..)?.first_chunk().copied()?))
}

fn write_word(data: &mut [u8], slot: u32, value: u64) -> Option<()> {
    *data.get_mut(8 * slot as usize..)?.first_chunk_mut()? = value.to_le_bytes();
    Some(())
}
