//! The instrumenter: the program's module, made to tell the host where its symbolic values go.
//!
//! ```text
//! Program ── plan ──▶ segments, boundaries ── write ──▶ functions ── rewrite ──▶ module
//! ```
//!
//! Why it is done this way is in `docs/decisions/0002-mask-and-replay.md`. The same plan, made again from the
//! same bytes, tells the host what to replay.

mod idle;
mod joinable;
mod layout;
mod open;
mod operators;
mod plan;
mod planner;
mod rewrite;
pub(crate) mod segment;
mod stack;
mod write;

use crate::Error;
use coax_program::{Func, Program, Signature};
pub use idle::define_idle_host;
pub(crate) use joinable::Joined;
pub use joinable::joinable;
pub(crate) use layout::{
    FLAGS, HOST, HostFunction, Layout, MEMORY, PLACE, TAINT, function_name, global_name, own_name,
};
pub(crate) use plan::Plan;
use rewrite::Rewriter;
pub(crate) use rewrite::mutable_numbers;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;
use wasmparser::{
    BinaryReader, FuncToValidate, FunctionBody, Operator, Parser, ValType, ValidPayload, Validator,
    ValidatorResources,
};
use write::Written;

/// Changes when the same module may be instrumented in another way (`build.rs` makes it from the sources): part of the name of
/// what is cached.
pub(crate) const VERSION: &str = env!("COAX_INSTRUMENTER");

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

/// How much the host is told of each function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Of all of them.
    base: Variant,
    /// Functions of which it is told everything.
    closer: BTreeSet<Func>,
    /// Functions whose ways are joined: the host may supply what they give.
    joined: BTreeSet<Func>,
}

impl From<Variant> for Detail {
    fn from(base: Variant) -> Detail {
        Detail { base, ..Detail::default() }
    }
}

impl Detail {
    /// Everything about these functions and all that they may call, and of all others only what happens to symbolic values: so the
    /// calls of these can be suspended, and the rest of the program is as quick as without.
    pub fn closely(program: &Program, functions: impl IntoIterator<Item = Func>) -> Detail {
        let closer = program.calls().reachable(functions);
        Detail { closer, ..Detail::default() }
    }

    /// The same, and the ways of these functions are joined ([`joinable`]).
    pub fn joining(self, functions: impl IntoIterator<Item = Func>) -> Detail {
        Detail { joined: functions.into_iter().collect(), ..self }
    }

    /// Whether the ways of a function are joined.
    fn joins(&self, func: Func) -> bool {
        self.joined.contains(&func)
    }

    /// How much the host is told of a function.
    pub(crate) fn of(&self, func: Func) -> Variant {
        if self.closer.contains(&func) { Variant::Cells } else { self.base }
    }

    /// How much it is told of any.
    pub(crate) fn most(&self) -> Variant {
        if self.closer.is_empty() { self.base } else { Variant::Cells }
    }

    /// For whoever has to tell one from another.
    pub(crate) fn key(&self) -> Vec<u8> {
        let bytes = |functions: &BTreeSet<Func>| {
            let count = (functions.len() as u32).to_le_bytes().into_iter();
            count.chain(functions.iter().flat_map(|func| func.0.to_le_bytes())).collect::<Vec<u8>>()
        };
        [&[self.base as u8], &bytes(&self.closer)[..], &bytes(&self.joined)].concat()
    }
}

/// The most that engines accept, as the JavaScript interface of wasm has it.
mod most {
    pub(super) const LOCALS: usize = 50_000;
    pub(super) const BODY_BYTES: usize = 7_654_321;
    /// Not of theirs: boundaries of a function, times its locals. Compilers note of each boundary what is alive there: as many take half a
    /// gigabyte, and compiled programs have a tenth of it.
    pub(super) const KEPT: usize = 60_000_000;
}

/// Facts about the module that the plan of a function needs.
pub(crate) struct Context {
    types: Vec<Signature>,
    mutable_globals: Vec<bool>,
    /// The mutable globals that are no numbers.
    opaque_globals: Vec<bool>,
    /// Whether the program changes tables.
    changes_tables: bool,
    /// Whether it drops segments.
    drops_segments: bool,
}

impl Context {
    fn new(program: &Program) -> Self {
        let mutable_globals = program.globals.iter().map(|global| global.ty.mutable).collect();
        let is_opaque =
            |global: &coax_program::Global| global.ty.mutable && !stack::is_scalar(global.ty.content_type);
        Context {
            types: program.types.clone(),
            mutable_globals,
            opaque_globals: program.globals.iter().map(is_opaque).collect(),
            changes_tables: false,
            drops_segments: false,
        }
    }

    /// Looks for what makes other operators depend on more than memory and globals.
    fn survey(&mut self, body: &FunctionBody<'_>) -> Result<(), Error> {
        for operator in body.get_operators_reader().map_err(broken)? {
            let operator = operator.map_err(broken)?;
            self.changes_tables |= operators::changes_table(&operator);
            self.drops_segments |= matches!(operator, Operator::DataDrop { .. } | Operator::ElemDrop { .. });
        }
        Ok(())
    }

    fn params(&self, type_index: u32) -> &[ValType] {
        &self.types[type_index as usize].params
    }

    fn results(&self, type_index: u32) -> &[ValType] {
        &self.types[type_index as usize].results
    }

    fn is_opaque(&self, global: u32) -> bool {
        self.opaque_globals[global as usize]
    }

    fn is_mutable(&self, global: u32) -> bool {
        self.mutable_globals[global as usize]
    }
}

/// A program's functions, ready to be planned one by one.
pub(crate) struct Instrumenter {
    wasm: Vec<u8>,
    pub(crate) layout: Layout,
    context: Context,
    detail: Detail,
    joined: Joined,
    /// Types, and place in the module, of the functions defined here.
    bodies: Vec<(FuncToValidate<ValidatorResources>, Range<usize>)>,
    /// Plans that were asked for.
    plans: Vec<OnceLock<Result<Plan, Error>>>,
    /// Where the operators of functions are that were asked for: see [`Written::offsets`].
    offsets: Vec<OnceLock<Vec<(u32, u32)>>>,
}

impl Instrumenter {
    pub(crate) fn new(program: &Program, detail: Detail) -> Result<Self, Error> {
        let layout = Layout::new(program, detail.most())?;
        let mut context = Context::new(program);
        let mut validator = Validator::new_with_features(coax_program::FEATURES);
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(&program.wasm) {
            let payload = payload.map_err(broken)?;
            if let ValidPayload::Func(function, body) = validator.payload(&payload).map_err(broken)? {
                if detail.most().sees_cells() {
                    context.survey(&body)?;
                }
                bodies.push((function, body.range()));
            }
        }
        let plans = bodies.iter().map(|_| OnceLock::new()).collect();
        let offsets = bodies.iter().map(|_| OnceLock::new()).collect();
        let joined = Joined::new(program, &detail.joined);
        Ok(Instrumenter {
            wasm: program.wasm.clone(),
            layout,
            context,
            detail,
            joined,
            bodies,
            plans,
            offsets,
        })
    }

    /// How much the host is told.
    pub(crate) fn detail(&self) -> &Detail {
        &self.detail
    }

    /// The function with the code of all whose ways are joined, if its are.
    pub(crate) fn joined(&self, func: Func) -> Option<(Func, &Joined)> {
        self.detail.joins(func).then_some((func, &self.joined))
    }

    /// The plan of a function, by its index in the plain module; made when it is first asked for.
    pub(crate) fn plan_of(&self, func: u32) -> Result<&Plan, &Error> {
        let defined = (func - self.layout.imported_functions) as usize;
        self.plans[defined].get_or_init(|| self.plan(defined).map(Plan::without_code)).as_ref()
    }

    fn body(&self, defined: usize) -> FunctionBody<'_> {
        let range = self.bodies[defined].1.clone();
        FunctionBody::new(BinaryReader::new(&self.wasm[range.clone()], range.start))
    }

    fn plan(&self, defined: usize) -> Result<Plan, Error> {
        let (function, _) = &self.bodies[defined];
        let func = Func(self.layout.imported_functions + defined as u32);
        let told = planner::Told { variant: self.detail.of(func), joins: self.detail.joins(func) };
        planner::plan(&self.context, told, function, &self.body(defined)).map_err(broken)
    }

    /// The instrumented module.
    pub(crate) fn module(&self, program: &Program) -> Result<Vec<u8>, Error> {
        // Where operators are is asked of few functions, later.
        let without_offsets = |written: Written| Written { offsets: Vec::new(), ..written };
        let written = |index| self.write(program, index).map(without_offsets);
        let functions: Vec<Written> = (0..self.bodies.len()).map(written).collect::<Result<_, _>>()?;
        Rewriter::new(program, &self.layout).module(functions).map_err(broken)
    }

    /// An instrumented function, by its index among those defined.
    fn write(&self, program: &Program, defined: usize) -> Result<Written, Error> {
        let func = self.layout.imported_functions + defined as u32;
        let too_large = || Error::FunctionTooLarge(program.functions[Func(func)].name.clone());
        // Values on the stack are kept in locals: what has too many is not planned first.
        let size = program.functions[Func(func)].defined().map(|defined| defined.size).unwrap_or_default();
        if size.height as usize > most::LOCALS {
            return Err(too_large());
        }
        let plan = self.plan(defined)?;
        let locals = plan.locals as usize + 2 + plan.temps.len();
        if plan.too_large || locals.saturating_mul(plan.boundaries.len()) > most::KEPT {
            return Err(too_large());
        }
        let (function, _) = &self.bodies[defined];
        let mut rewriter = Rewriter::new(program, &self.layout);
        let written = write::write(
            &mut rewriter,
            (func, self.detail.of(Func(func))),
            function.ty,
            &plan,
            &self.body(defined),
        )
        .map_err(broken)?;
        if locals > most::LOCALS || written.code.byte_len() > most::BODY_BYTES {
            return Err(too_large());
        }
        Ok(written)
    }

    /// The offset in the plain module of what is at this offset in the body of an instrumented function.
    pub(crate) fn plain_offset(&self, program: &Program, func: u32, offset: u32) -> Option<u32> {
        let defined = (func - self.layout.imported_functions) as usize;
        let write = || self.write(program, defined).map(|written| written.offsets).unwrap_or_default();
        let offsets = self.offsets[defined].get_or_init(write);
        let after = offsets.partition_point(|&(start, _)| start <= offset);
        offsets.get(after.checked_sub(1)?).map(|&(_, plain)| plain)
    }
}

/// The instrumented module of a program.
pub fn instrument(program: &Program, variant: Variant) -> Result<Vec<u8>, Error> {
    Instrumenter::new(program, variant.into())?.module(program)
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::Instrument(error.to_string())
}
