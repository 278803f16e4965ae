//! The instrumenter: the program's module, made to tell the host where its symbolic values go.
//!
//! ```text
//! Program ── plan ──▶ segments, boundaries ── write ──▶ functions ── rewrite ──▶ module
//! ```
//!
//! Why it is done this way is in `docs/decisions/0002-mask-and-replay.md`. The same plan, made again from the
//! same bytes, tells the host what to replay.

mod idle;
mod layout;
mod open;
mod operators;
mod plan;
mod rewrite;
pub(crate) mod segment;
mod stack;
mod write;

use crate::Error;
use coax_program::{Program, Signature};
pub use idle::define_idle_host;
pub(crate) use layout::Layout;
pub(crate) use plan::Plan;
use rewrite::Rewriter;
use wasmparser::{FuncToValidate, FunctionBody, Parser, ValType, ValidPayload, Validator, ValidatorResources};
use write::Written;

/// Changes when the same module is instrumented in another way: part of the name of what is cached.
pub(crate) const VERSION: u32 = 1;

/// How much the host is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// Only what happens to symbolic values.
    #[default]
    Light,
    /// Also every call and return, so that calls can be observed, skipped or cut.
    Calls,
    /// Also every access to memory.
    Cells,
}

impl Variant {
    /// Whether the host sees every call.
    pub(crate) fn sees_calls(self) -> bool {
        self != Variant::Light
    }

    /// Whether the host sees every access to memory.
    pub(crate) fn sees_cells(self) -> bool {
        self == Variant::Cells
    }
}

/// The most that engines accept, as the JavaScript interface of wasm has it.
mod most {
    pub(super) const LOCALS: usize = 50_000;
    pub(super) const BODY_BYTES: usize = 7_654_321;
}

/// Facts about the module that the plan of a function needs.
pub(crate) struct Context<'p> {
    types: &'p [Signature],
    imported_functions: u32,
    mutable_globals: Vec<bool>,
}

impl<'p> Context<'p> {
    fn new(program: &'p Program, layout: &Layout) -> Self {
        let mutable_globals = program.globals.iter().map(|global| global.ty.mutable).collect();
        Context { types: &program.types, imported_functions: layout.imported_functions, mutable_globals }
    }

    fn params(&self, type_index: u32) -> &[ValType] {
        &self.types[type_index as usize].params
    }

    fn results(&self, type_index: u32) -> &[ValType] {
        &self.types[type_index as usize].results
    }

    fn is_import(&self, function: u32) -> bool {
        function < self.imported_functions
    }

    fn is_mutable(&self, global: u32) -> bool {
        self.mutable_globals[global as usize]
    }
}

/// A program's functions, ready to be planned one by one.
pub(crate) struct Instrumenter<'p> {
    program: &'p Program,
    pub(crate) layout: Layout,
    variant: Variant,
    bodies: Vec<(FuncToValidate<ValidatorResources>, FunctionBody<'p>)>,
}

impl<'p> Instrumenter<'p> {
    pub(crate) fn new(program: &'p Program, variant: Variant) -> Result<Self, Error> {
        let layout = Layout::new(program)?;
        let mut validator = Validator::new_with_features(coax_program::FEATURES);
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(&program.wasm) {
            let payload = payload.map_err(broken)?;
            if let ValidPayload::Func(function, body) = validator.payload(&payload).map_err(broken)? {
                bodies.push((function, body));
            }
        }
        Ok(Instrumenter { program, layout, variant, bodies })
    }

    /// The plan of the function with this index among those defined.
    pub(crate) fn plan(&self, defined: usize) -> Result<Plan, Error> {
        let context = Context::new(self.program, &self.layout);
        let (function, body) = &self.bodies[defined];
        plan::plan(&context, self.variant, function, body).map_err(broken)
    }

    /// The instrumented module.
    pub(crate) fn module(&self) -> Result<Vec<u8>, Error> {
        let functions: Vec<Written> = (0..self.bodies.len()).map(|index| self.write(index)).collect::<Result<_, _>>()?;
        Rewriter::new(self.program, &self.layout).module(functions).map_err(broken)
    }

    /// An instrumented function.
    pub(crate) fn write(&self, defined: usize) -> Result<Written, Error> {
        let plan = self.plan(defined)?;
        let (function, body) = &self.bodies[defined];
        let mut rewriter = Rewriter::new(self.program, &self.layout);
        let func = self.layout.imported_functions + defined as u32;
        let locals = plan.locals as usize + 2 + plan.temps.len();
        let written = write::write(&mut rewriter, func, function.ty, &plan, body).map_err(broken)?;
        if locals > most::LOCALS || written.code.byte_len() > most::BODY_BYTES {
            let name = &self.program.functions[coax_program::Func(func)].name;
            return Err(Error::FunctionTooLarge(name.clone()));
        }
        Ok(written)
    }
}

/// The instrumented module of a program.
pub fn instrument(program: &Program, variant: Variant) -> Result<Vec<u8>, Error> {
    Instrumenter::new(program, variant)?.module()
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::Instrument(error.to_string())
}
