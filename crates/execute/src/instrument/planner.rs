//! The planner: follows the operators of one function once and decides where segments end.
//!
//! It keeps a stack beside wasm's: for each value, how a replay names it and how code can get at it. `control.rs`,
//! `values.rs` and `compute.rs` go through the operators; `keep.rs` and `cut.rs` are what they share.

pub(super) mod causes;
mod compute;
mod control;
mod cut;
mod keep;
mod values;

use super::open::Open;
use super::operators::beyond;
use super::plan::{Notes, Plan, Source};
use super::segment::{Slot, Step};
use super::stack::{Entry, is_scalar};
use super::{Context, Variant};
use causes::Causes;
use wasmparser::{
    BinaryReaderError, FuncToValidate, FuncValidator, FuncValidatorAllocations, FunctionBody, Operator,
    ValType, ValidatorResources,
};

/// A segment is cut when it has so many inputs: each is an argument of the host call.
const MOST_INPUTS: usize = 12;
/// And when it has so many steps.
const MOST_STEPS: usize = 48;

/// What the host is told of a function.
#[derive(Clone, Copy)]
pub(crate) struct Told {
    pub(crate) variant: Variant,
    /// Whether it may supply the results of calls that could meet something symbolic.
    pub(crate) joins: bool,
}

impl Told {
    /// Whether it is told the arguments of calls, and can supply their results.
    fn can_supply(self) -> bool {
        self.joins || self.variant.sees_calls()
    }
}

/// Plans a function: once, and again if more of its locals turn out to be symbolic at times than was known at first.
pub(crate) fn plan(
    context: &Context,
    told: Told,
    function: &FuncToValidate<ValidatorResources>,
    body: &FunctionBody<'_>,
) -> Result<Plan, BinaryReaderError> {
    let mut types: Vec<ValType> = context.params(function.ty).to_vec();
    let params = types.len();
    for local in body.get_locals_reader()? {
        let (count, ty) = local?;
        types.extend(std::iter::repeat_n(ty, count as usize));
    }
    let mut may: Vec<bool> =
        (0..types.len()).map(|local| local < params && is_scalar(types[local])).collect();
    let mut allocations = FuncValidatorAllocations::default();
    let mut is_closed = false;
    loop {
        let again = FuncToValidate { resources: function.resources.clone(), ..*function };
        let mut validator = again.into_validator(allocations);
        let mut planner = Planner::new(context, told, &types, params, may);
        planner.function(&mut validator, body, context.results(function.ty))?;
        allocations = validator.into_allocations();
        if !planner.may_grew {
            return Ok(planner.finish());
        }
        debug_assert!(!is_closed, "what a round notes is all that there is to know");
        may = planner.causes.close(planner.may);
        is_closed = true;
    }
}

/// A construct of structured control.
struct Control {
    kind: Kind,
    /// How many values are below its parameters.
    height: usize,
    params: Vec<ValType>,
    results: Vec<ValType>,
    /// Whether a branch goes to its label.
    targeted: bool,
    /// Whether an exception does.
    catches: bool,
    /// The boundary at the start of a loop.
    landing: Option<usize>,
    /// Whether code here is not reached.
    dead: bool,
    /// The values at the start of an `if`, for its `else`.
    if_params: Vec<Entry>,
    /// Where the terms of its label's values are passed.
    label_slots: Vec<Slot>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Block,
    Loop,
    If,
    Else,
    Function,
}

/// A local that is added to keep values in.
struct Temp {
    ty: ValType,
    /// The result that it keeps: operator and number.
    owner: (usize, usize),
    /// The operator that used it last; `usize::MAX` while it is needed.
    last: usize,
}

struct Planner<'a> {
    context: &'a Context,
    variant: Variant,
    told: Told,
    types: &'a [ValType],
    params: usize,
    /// Which locals may be symbolic.
    may: Vec<bool>,
    may_grew: bool,
    /// Which would be if others were.
    causes: Causes,
    plan: Plan,
    stack: Vec<Entry>,
    controls: Vec<Control>,
    open: Option<Open>,
    /// The added locals.
    temps: Vec<Temp>,
    /// Added locals whose values are no longer on the stack, but perhaps passed at the next boundary.
    retired: Vec<u32>,
    /// Whether the function catches exceptions.
    catches: bool,
    /// Whether each label has slots of its own, rather than sharing those of its depth.
    has_own_label_slots: bool,
    next_label_slot: Slot,
    /// Where the next boundary finds the inputs of the segment that it settles.
    unsettled: Vec<Source>,
    /// The operator at hand.
    at: usize,
}

impl<'a> Planner<'a> {
    fn new(context: &'a Context, told: Told, types: &'a [ValType], params: usize, may: Vec<bool>) -> Self {
        let locals = types.len() as Slot;
        let plan = Plan { locals, slots: locals, ..Plan::default() };
        let (stack, controls, temps, retired, unsettled) = Default::default();
        let (may_grew, catches, has_own_label_slots, next_label_slot, at) = (false, false, false, 0, 0);
        let open = None;
        let causes = Causes::new(types.len());
        Planner {
            context,
            variant: told.variant,
            told,
            types,
            params,
            may,
            may_grew,
            causes,
            plan,
            stack,
            controls,
            open,
            temps,
            retired,
            catches,
            has_own_label_slots,
            next_label_slot,
            unsettled,
            at,
        }
    }

    fn finish(mut self) -> Plan {
        self.plan.temps = self.temps.iter().map(|temp| temp.ty).collect();
        self.plan
    }

    fn function(
        &mut self,
        validator: &mut FuncValidator<ValidatorResources>,
        body: &FunctionBody<'_>,
        results: &[ValType],
    ) -> Result<(), BinaryReaderError> {
        let mut locals = body.get_locals_reader()?;
        for _ in 0..locals.get_count() {
            let offset = locals.original_position();
            let (count, ty) = locals.read()?;
            validator.define_locals(offset, count, ty)?;
        }
        let operators: Vec<(Operator<'_>, usize)> =
            body.get_operators_reader()?.into_iter_with_offsets().collect::<Result<_, _>>()?;
        self.catches = operators.iter().any(|(op, _)| matches!(op, Operator::TryTable { .. }));
        // An exception that leads to a label must not find there what was meant for another; and a switch sends its values to
        // several labels at once, which overlap if they take several values at different depths.
        let switches = operators.iter().any(|(op, _)| matches!(op, Operator::BrTable { .. }));
        let takes_several = operators.iter().any(|(op, _)| match op {
            Operator::Loop { blockty } => self.block_type(*blockty).0.len() > 1,
            Operator::Block { blockty } | Operator::If { blockty } => self.block_type(*blockty).1.len() > 1,
            _ => false,
        });
        self.has_own_label_slots = self.catches || switches && takes_several;
        self.plan.notes = vec![Notes::default(); operators.len()];
        let supplied = self.told.can_supply() && results.iter().all(|&ty| is_scalar(ty));
        self.plan.supplied = supplied.then(|| results.to_vec());
        self.push_control(Kind::Function, vec![], results.to_vec());
        let received =
            (0..self.params).map(|param| is_scalar(self.types[param]).then_some(param as Slot)).collect();
        self.start(true, Some(received));
        for (at, (op, offset)) in operators.iter().enumerate() {
            self.at = at;
            let live = !self.controls.last().is_some_and(|control| control.dead);
            if live && self.open.as_ref().is_some_and(|open| open.is_full(MOST_INPUTS, MOST_STEPS)) {
                self.cut();
            }
            let (pops, pushes) = op.operator_arity(validator).unwrap_or((0, 0));
            validator.op(*offset, op)?;
            let pushes = pushes as usize;
            let result_types = (0..pushes).map(|index| {
                validator.get_operand_type(pushes - 1 - index).flatten().unwrap_or(ValType::I32)
            });
            let result_types: Vec<ValType> = if live { result_types.collect() } else { vec![] };
            self.operator(op, *offset as u32, live, pops as usize, &result_types);
        }
        Ok(())
    }

    fn operator(&mut self, op: &Operator<'_>, offset: u32, live: bool, pops: usize, results: &[ValType]) {
        use Operator::*;
        if live && self.variant.sees_cells() {
            self.plan.notes[self.at].beyond = beyond(op, self.context);
        }
        match op {
            Block { blockty } | Loop { blockty } | If { blockty } => {
                let kind = match op {
                    Block { .. } => Kind::Block,
                    Loop { .. } => Kind::Loop,
                    _ => Kind::If,
                };
                self.enter(kind, *blockty, live, offset);
            }
            TryTable { try_table } => self.enter_try(try_table, live),
            Else => self.else_(),
            End => self.end(),
            _ if !live => self.plan.notes[self.at].dead = true,
            Br { relative_depth } => {
                self.settle();
                self.save_stack();
                self.edge(*relative_depth);
                self.stop();
            }
            BrIf { relative_depth } => {
                self.settle();
                let condition = self.pop();
                let condition = self.reg(&condition);
                self.save_stack();
                self.edge(*relative_depth);
                self.step(Step::Branch { condition, leaves_if: true, at: offset });
                if self.catches {
                    self.clear_label(*relative_depth);
                }
            }
            BrTable { targets } => {
                self.settle();
                let index = self.pop();
                let index = self.reg(&index);
                self.save_stack();
                // Directions are numbered as those of the SSA: by their first appearance.
                let mut labels: Vec<u32> = Vec::new();
                let mut direction = |label: u32| {
                    let known = labels.iter().position(|&other| other == label);
                    known.unwrap_or_else(|| {
                        labels.push(label);
                        labels.len() - 1
                    }) as u32
                };
                let all = targets.targets().flatten().chain([targets.default()]);
                let directions = all.map(&mut direction).collect();
                for label in labels {
                    self.edge(label);
                }
                self.step(Step::Switch { index, directions, at: offset });
                self.stop();
            }
            Return => self.return_(),
            Unreachable => {
                // What was loaded is of no use any more, but what was stored is seen by others: the run's image.
                self.settle();
                self.stop();
            }
            Call { .. } | CallIndirect { .. } => self.call(op, offset, pops, results),
            ReturnCall { .. } | ReturnCallIndirect { .. } => self.tail_call(op, offset, pops),
            Drop => drop(self.pop()),
            LocalGet { local_index } => self.local_get(*local_index),
            LocalSet { local_index } => {
                let entry = self.pop();
                self.local_set(*local_index, &entry);
            }
            LocalTee { local_index } => {
                let entry = self.pop();
                self.local_set(*local_index, &entry);
                self.local_get(*local_index);
            }
            GlobalGet { global_index } => self.global_get(*global_index, results[0]),
            GlobalSet { global_index } => self.global_set(*global_index),
            I32Const { value } => self.constant(ValType::I32, u64::from(*value as u32)),
            I64Const { value } => self.constant(ValType::I64, *value as u64),
            F32Const { value } => self.constant(ValType::F32, u64::from(value.bits())),
            F64Const { value } => self.constant(ValType::F64, value.bits()),
            Select | TypedSelect { .. } => self.select(offset),
            _ => self.compute(op, offset, pops, results),
        }
    }
}
