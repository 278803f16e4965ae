//! The plan of one function: its segments and boundaries, and what the writer has to put between its operators.
//!
//! The planner follows the operators once (again until it is settled which locals may ever be symbolic), with
//! wasmparser's validator beside it for the types. It only decides; `write.rs` writes, the host replays.

use super::open::Open;
use super::operators::{Class, classify};
use super::segment::{Boundary, Replay, Segment, Slot, Step};
use super::stack::{Entry, Place, What, is_scalar};
use super::{Context, Variant};
use crate::TrapKind;
use crate::path::Concretisation;
use crate::semantics::Scalar;
use crate::semantics::memory::Access;
use coax_program::ops;
use wasmparser::{
    BinaryReaderError, BlockType, Catch, FuncToValidate, FuncValidator, FuncValidatorAllocations,
    FunctionBody, Operator, TryTable, ValType, ValidatorResources,
};

/// A segment is cut when it has so many inputs: each is an argument of the host call.
const MOST_INPUTS: usize = 12;
/// And when it has so many steps.
const MOST_STEPS: usize = 48;

/// What is to be done with one function.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) segments: Vec<Segment>,
    pub(crate) boundaries: Vec<Boundary>,
    /// How many slots a frame has.
    pub(crate) slots: Slot,
    /// For each operator.
    pub(super) notes: Vec<Notes>,
    /// Where and how each boundary is written.
    pub(super) code: Vec<BoundaryCode>,
    /// The types of the locals that the writer adds, after `sym` and `flags`.
    pub(super) temps: Vec<ValType>,
    /// How many locals the function has by itself.
    pub(super) locals: u32,
    /// Whether branches leave the function by its outermost label.
    pub(super) body_is_block: bool,
}

/// What is written at one operator.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Control never gets here: it is left out.
    pub(super) dead: bool,
    /// It is the first live operator after a dead end: `unreachable` has to stand for what was left out.
    pub(super) dead_end: bool,
    /// The boundary before it.
    pub(super) before: Option<usize>,
    /// The address whose flags it looks at, and whether they are the segment's first.
    pub(super) flags: Option<Flags>,
    /// Whether it calls a function of the host's, which may write memory.
    pub(super) imported: bool,
    /// Operands of a bulk memory operator, for the host.
    pub(super) bulk: Vec<(u32, ValType)>,
    /// The types of its results.
    pub(super) results: Vec<ValType>,
    /// Its results that are kept in locals.
    pub(super) keep: Vec<(usize, u32)>,
    /// The boundary after it.
    pub(super) after: Option<usize>,
}

/// A look at the flags of an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags {
    pub(super) address: u32,
    pub(super) bytes: u8,
    pub(super) first: bool,
}

/// When a boundary calls the host, and with what.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundaryCode {
    /// If one of these classes may be symbolic.
    pub(super) mask: u32,
    /// If one of these bits of `taint` is set.
    pub(super) taint: u64,
    /// If the flags are.
    pub(super) flags: bool,
    /// If the frame was ever symbolic.
    pub(super) frame: bool,
    /// In any case.
    pub(super) always: bool,
    /// The values it passes.
    pub(super) values: Vec<Source>,
}

impl BoundaryCode {
    /// Whether there is anything to write.
    pub(super) fn is_needed(&self) -> bool {
        self.mask != 0 || self.taint != 0 || self.flags || self.frame || self.always
    }
}

/// Where code finds a value, and its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    Local(u32, ValType),
    Global(u32, ValType),
    /// The number of elements of a table.
    TableSize(u32),
    /// The number of bytes of a memory.
    MemorySize(u32),
}

/// Plans a function.
pub(crate) fn plan(
    context: &Context,
    variant: Variant,
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
    loop {
        let again = FuncToValidate { resources: function.resources.clone(), ..*function };
        let mut validator = again.into_validator(allocations);
        let mut planner = Planner::new(context, variant, &types, params, may);
        planner.function(&mut validator, body, context.results(function.ty))?;
        allocations = validator.into_allocations();
        if !planner.may_grew {
            return Ok(planner.finish());
        }
        may = planner.may;
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
    types: &'a [ValType],
    params: usize,
    /// Which locals may be symbolic.
    may: Vec<bool>,
    may_grew: bool,
    plan: Plan,
    stack: Vec<Entry>,
    controls: Vec<Control>,
    open: Option<Open>,
    /// The added locals.
    temps: Vec<Temp>,
    /// Added locals whose values are no longer on the stack, but perhaps passed at the next boundary.
    retired: Vec<u32>,
    /// Whether the function catches exceptions: then labels have slots of their own.
    catches: bool,
    next_label_slot: Slot,
    /// Where the next boundary finds the inputs of the segment that it settles.
    unsettled: Vec<Source>,
    /// The operator at hand.
    at: usize,
}

impl<'a> Planner<'a> {
    fn new(
        context: &'a Context,
        variant: Variant,
        types: &'a [ValType],
        params: usize,
        may: Vec<bool>,
    ) -> Self {
        let locals = types.len() as Slot;
        let plan = Plan { locals, slots: locals, ..Plan::default() };
        let (stack, controls, temps, retired, unsettled) = Default::default();
        let (may_grew, catches, next_label_slot, at) = (false, false, 0, 0);
        let open = None;
        Planner {
            context,
            variant,
            types,
            params,
            may,
            may_grew,
            plan,
            stack,
            controls,
            open,
            temps,
            retired,
            catches,
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
        self.plan.notes = vec![Notes::default(); operators.len()];
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
            Unreachable => self.stop(),
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

    // Control.

    fn push_control(&mut self, kind: Kind, params: Vec<ValType>, results: Vec<ValType>) {
        let height = self.stack.len() - if kind == Kind::Function { 0 } else { params.len() };
        let values = if kind == Kind::Loop { params.len() } else { results.len() };
        let locals = self.types.len() as Slot;
        let label_slots: Vec<Slot> = (0..values)
            .map(|index| match self.catches {
                // Slots by depth are shared by labels; one that an exception may lead to must not find there
                // what was meant for another.
                true => {
                    self.next_label_slot += 1;
                    locals + 3 * self.next_label_slot + 2
                }
                false => locals + 3 * (height + index) as Slot + 1,
            })
            .collect();
        self.plan.slots = label_slots.iter().map(|slot| slot + 1).fold(self.plan.slots, Slot::max);
        let (targeted, catches, dead, if_params) = (false, false, false, Vec::new());
        self.controls.push(Control {
            kind,
            height,
            params,
            results,
            targeted,
            catches,
            landing: None,
            dead,
            if_params,
            label_slots,
        });
    }

    fn block_type(&self, ty: BlockType) -> (Vec<ValType>, Vec<ValType>) {
        match ty {
            BlockType::Empty => (vec![], vec![]),
            BlockType::Type(ty) => (vec![], vec![ty]),
            BlockType::FuncType(index) => {
                (self.context.params(index).to_vec(), self.context.results(index).to_vec())
            }
        }
    }

    /// A construct that is never entered is only counted.
    fn enter_dead(&mut self) {
        self.plan.notes[self.at].dead = true;
        self.push_dead();
    }

    fn push_dead(&mut self) {
        let height = self.stack.len();
        self.controls.push(Control {
            kind: Kind::Block,
            height,
            params: vec![],
            results: vec![],
            targeted: false,
            catches: false,
            landing: None,
            dead: true,
            if_params: vec![],
            label_slots: vec![],
        });
    }

    fn enter(&mut self, kind: Kind, ty: BlockType, live: bool, offset: u32) {
        if !live {
            return self.enter_dead();
        }
        let (params, results) = self.block_type(ty);
        match kind {
            Kind::Loop => {
                self.settle();
                self.keep_stack();
                self.push_control(kind, params, results);
                self.edge(0);
                self.close();
                self.land();
            }
            Kind::If => {
                self.settle();
                let condition = self.pop();
                let condition = self.reg(&condition);
                self.keep_stack();
                self.save_stack();
                self.push_control(kind, params, results);
                let from = self.stack.len() - self.controls.last().map_or(0, |control| control.params.len());
                let mut if_params = self.stack[from..].to_vec();
                let locals = self.types.len();
                for (index, entry) in if_params.iter_mut().enumerate() {
                    entry.forget_segment(locals, from + index);
                }
                let control = self.controls.last_mut().expect("just pushed");
                control.if_params = if_params;
                // Without `else` the parameters are the results.
                if control.params.len() == control.results.len() {
                    self.edge_values(0);
                }
                self.step(Step::Branch { condition, leaves_if: false, at: offset });
            }
            _ => {
                self.keep_stack();
                self.push_control(kind, params, results);
            }
        }
    }

    fn enter_try(&mut self, try_table: &TryTable, live: bool) {
        if !live {
            return self.enter_dead();
        }
        self.settle();
        self.keep_stack();
        self.save_stack();
        for catch in &try_table.catches {
            let label = match *catch {
                Catch::One { label, .. }
                | Catch::OneRef { label, .. }
                | Catch::All { label }
                | Catch::AllRef { label } => label,
            };
            self.target(label);
            let index = self.controls.len() - 1 - label as usize;
            self.controls[index].catches = true;
            if let Some(landing) = self.controls[index].landing {
                self.plan.code[landing].always |= self.variant.sees_calls();
            }
            self.clear_label(label);
        }
        let (params, results) = self.block_type(try_table.ty);
        self.push_control(Kind::Block, params, results);
    }

    fn else_(&mut self) {
        let control = self.controls.last().expect("validated");
        if control.kind == Kind::Block {
            // The `else` of an `if` that is never entered.
            self.plan.notes[self.at].dead = true;
            return;
        }
        if !control.dead {
            self.settle();
            self.edge_values(0);
            self.close();
        }
        let control = self.controls.last_mut().expect("validated");
        control.kind = Kind::Else;
        control.targeted |= !control.dead;
        control.dead = false;
        let (height, if_params) = (control.height, std::mem::take(&mut control.if_params));
        self.drop_to(height);
        self.stack.extend(if_params);
        self.start(false, None);
    }

    fn end(&mut self) {
        let control = self.controls.last().expect("validated");
        let dead = control.dead;
        if dead && control.kind == Kind::Block && self.outer_dead() {
            self.controls.pop();
            self.plan.notes[self.at].dead = true;
            return;
        }
        if control.kind == Kind::Function && !control.targeted {
            if !dead {
                self.return_();
            }
            return;
        }
        let merges = match control.kind {
            Kind::If => true,
            Kind::Loop => false,
            _ => control.targeted,
        };
        if !merges {
            let height = control.height;
            self.controls.pop();
            if dead {
                self.drop_to(height);
                self.dead_end();
            }
            return;
        }
        if !dead {
            self.settle();
            self.edge_values(0);
            self.close();
        }
        let control = self.controls.pop().expect("validated");
        self.drop_to(control.height);
        for (index, (&ty, &slot)) in control.results.iter().zip(&control.label_slots).enumerate() {
            self.push_from_slot(ty, slot, index);
        }
        self.start(false, None);
        self.note_landing(control.catches);
        if control.kind == Kind::Function {
            // The writer puts the body into a block, so that branches out of it come here.
            self.plan.body_is_block = true;
            self.controls.push(Control { dead: false, ..control });
            self.return_();
        }
    }

    /// An exception may have ended calls: the host must know whose code is running.
    fn note_landing(&mut self, catches: bool) {
        if catches && self.variant.sees_calls() {
            let boundary = self.open_mut().boundary;
            self.plan.code[boundary].always = true;
        }
    }

    /// Whether the construct around the innermost one is dead as well.
    fn outer_dead(&self) -> bool {
        self.controls.len() >= 2 && self.controls[self.controls.len() - 2].dead
    }

    /// After a construct that control does not leave nothing is live.
    fn dead_end(&mut self) {
        self.plan.notes[self.at].dead_end = true;
        if let Some(control) = self.controls.last_mut() {
            control.dead = true;
        }
    }

    /// Control does not go on here.
    fn stop(&mut self) {
        self.close();
        let control = self.controls.last_mut().expect("validated");
        control.dead = true;
        let height = control.height;
        self.drop_to(height);
    }

    /// The start of a loop: its parameters come by its label's slots.
    fn land(&mut self) {
        let control = self.controls.last().expect("just pushed");
        let (height, params, slots) = (control.height, control.params.clone(), control.label_slots.clone());
        self.drop_to(height);
        for (index, (ty, slot)) in params.into_iter().zip(slots).enumerate() {
            self.push_from_slot(ty, slot, index);
        }
        self.start(false, None);
        let boundary = self.open_mut().boundary;
        self.controls.last_mut().expect("just pushed").landing = Some(boundary);
    }

    fn push_from_slot(&mut self, ty: ValType, slot: Slot, index: usize) {
        let what = if is_scalar(ty) { What::Slot(slot) } else { What::Concrete };
        self.push_result(ty, what, is_scalar(ty), index);
    }

    /// Plans what a branch to a label passes on; the values are on top of the stack.
    fn edge(&mut self, label: u32) {
        self.target(label);
        self.edge_values(label);
    }

    fn target(&mut self, label: u32) {
        let index = self.controls.len() - 1 - label as usize;
        self.controls[index].targeted = true;
    }

    fn edge_values(&mut self, label: u32) {
        let index = self.controls.len() - 1 - label as usize;
        let slots = self.controls[index].label_slots.clone();
        let from = self.stack.len() - slots.len();
        for (offset, slot) in slots.into_iter().enumerate() {
            let entry = self.stack[from + offset];
            if entry.is_scalar() {
                self.set(slot, &entry);
            }
        }
    }

    fn clear_label(&mut self, label: u32) {
        let index = self.controls.len() - 1 - label as usize;
        for slot in self.controls[index].label_slots.clone() {
            self.step(Step::Set { slot, from: None });
        }
    }

    fn return_(&mut self) {
        self.settle();
        let count = self.controls[0].results.len();
        let from = self.stack.len() - count;
        let results = (from..self.stack.len()).map(|index| self.passed(index)).collect();
        self.step(Step::Return { results });
        self.open_mut().frame = true;
        self.stop();
    }

    /// The register of a value that is passed to another function, if it may be symbolic (or must be known).
    fn passed(&mut self, index: usize) -> Option<u16> {
        let entry = self.stack[index];
        let wanted = entry.is_scalar() && (entry.may || self.variant.sees_calls());
        wanted.then(|| self.reg(&entry))
    }

    // Calls.

    fn call(&mut self, op: &Operator<'_>, offset: u32, pops: usize, results: &[ValType]) {
        self.settle();
        self.call_arguments(op, offset, pops, false);
        self.close();
        let from = self.stack.len();
        let slots: Vec<Option<Slot>> = results
            .iter()
            .enumerate()
            .map(|(index, &ty)| is_scalar(ty).then(|| self.stack_slot(from + index)))
            .collect();
        for (index, &ty) in results.iter().enumerate() {
            let slot = self.stack_slot(from + index);
            self.push_from_slot(ty, slot, index);
        }
        let indirect = !matches!(op, Operator::Call { .. });
        let receives = indirect || self.variant.sees_calls() || slots.iter().any(Option::is_some);
        self.start(false, receives.then_some(slots));
    }

    fn tail_call(&mut self, op: &Operator<'_>, offset: u32, pops: usize) {
        self.settle();
        self.call_arguments(op, offset, pops, true);
        self.open_mut().frame = true;
        self.stop();
    }

    fn call_arguments(&mut self, op: &Operator<'_>, offset: u32, pops: usize, tail: bool) {
        let from = self.stack.len() - pops;
        let mut count = pops;
        match *op {
            Operator::CallIndirect { table_index, .. } | Operator::ReturnCallIndirect { table_index, .. } => {
                count -= 1;
                let index = self.stack[from + count];
                if index.may {
                    let index = self.reg(&index);
                    let size = self.open_mut().size(Source::TableSize(table_index));
                    self.step(Step::Index { index, size, at: offset });
                }
            }
            Operator::Call { function_index } | Operator::ReturnCall { function_index }
                if self.context.is_import(function_index) =>
            {
                for index in from..from + count {
                    let entry = self.stack[index];
                    self.concretise(&entry, Concretisation::Import, offset);
                }
                self.plan.notes[self.at].imported = true;
                count = 0;
            }
            _ => {}
        }
        let args: Vec<Option<u16>> = (from..from + count).map(|index| self.passed(index)).collect();
        match tail {
            true => self.step(Step::TailCall { args, at: offset }),
            false if args.iter().any(Option::is_some) => self.step(Step::Call { args, at: offset }),
            false => {}
        }
        self.save_below(from);
        self.drop_to(from);
    }

    // Locals, globals, constants.

    fn local_get(&mut self, local: u32) {
        let entry = self.now(local);
        self.plan.notes[self.at].results.push(entry.ty);
        self.stack.push(entry);
    }

    /// A local's value at this point.
    fn now(&mut self, local: u32) -> Entry {
        let ty = self.types[local as usize];
        let may = self.may[local as usize];
        let what = match (is_scalar(ty), self.open_mut().local(local)) {
            (false, _) => What::Concrete,
            (true, Some(what)) => what,
            (true, None) => What::Local(local),
        };
        Entry { ty, what, may, place: Place::Local(local), producer: (self.at, 0) }
    }

    fn local_set(&mut self, local: u32, entry: &Entry) {
        // Whoever still needs the old value must have kept it.
        for index in 0..self.stack.len() {
            if self.stack[index].what == What::Local(local) {
                let reg = self.reg(&self.stack[index].clone());
                self.stack[index].what = What::Reg(reg);
            }
            if self.stack[index].place == Place::Local(local) {
                self.stack[index].place = Place::Stack;
            }
        }
        if !entry.is_scalar() {
            return;
        }
        if entry.may && !self.may[local as usize] {
            self.may[local as usize] = true;
            self.may_grew = true;
        }
        let what = match entry.what {
            What::Constant(_) => entry.what,
            _ => What::Reg(self.reg(entry)),
        };
        if self.may[local as usize] {
            self.set(local, entry);
        }
        self.open_mut().assign(local, what);
    }

    fn global_get(&mut self, global: u32, ty: ValType) {
        let may = is_scalar(ty) && self.context.is_mutable(global);
        let what = match is_scalar(ty) {
            true => What::Reg(self.open_mut().global(global, ty, may)),
            false => What::Concrete,
        };
        self.push_result(ty, what, may, 0);
    }

    fn global_set(&mut self, global: u32) {
        self.settle();
        let entry = self.pop();
        if !entry.is_scalar() {
            return;
        }
        let from = self.reg(&entry);
        self.open_mut().taint |= super::segment::global_bit(global);
        self.step(Step::SetGlobal { global, from });
        self.cut_after();
    }

    fn constant(&mut self, ty: ValType, bits: u64) {
        self.push_result(ty, What::Constant(bits), false, 0);
    }

    // Everything else.

    fn select(&mut self, offset: u32) {
        if self.pending(1) {
            self.cut();
        }
        let [first, second, condition] = self.pop_n();
        if !first.is_scalar() {
            let is_vector = first.ty == ValType::V128;
            let reason = if is_vector { Concretisation::Simd } else { Concretisation::Table };
            if condition.may {
                let condition = self.reg(&condition);
                self.step(Step::Choose { condition, reason, at: offset });
            }
            self.push_result(first.ty, What::Concrete, false, 0);
            return;
        }
        let may = first.may || second.may || condition.may;
        let [then, otherwise, condition] = [first, second, condition].map(|entry| self.reg(&entry));
        let to = self.open_mut().register(&[then, otherwise, condition]);
        self.step(Step::Select { condition, then, otherwise, to, at: offset });
        self.push_result(first.ty, What::Reg(to), may, 0);
    }

    fn compute(&mut self, op: &Operator<'_>, offset: u32, pops: usize, results: &[ValType]) {
        let access = Access::of(op);
        let other_memory = access.is_some_and(|access| access.memarg.memory != 0);
        let access = || access.expect("a load or store");
        match classify(op) {
            Class::Scalar { operands, traps } => {
                if traps && self.pending(operands) {
                    self.cut();
                }
                let entries = self.stack.split_off(self.stack.len() - operands);
                self.retire(&entries);
                let may = entries.iter().any(|entry| entry.may);
                let mut args = [0; 2];
                for (arg, entry) in args.iter_mut().zip(&entries) {
                    *arg = self.reg(entry);
                }
                let to = self.open_mut().register(&args[..operands]);
                let scalar = Scalar::of(op).expect("classified as scalar");
                self.step(Step::Scalar { scalar, args, operands: operands as u8, to, at: offset });
                self.push_result(results[0], What::Reg(to), may, 0);
            }
            Class::Load(_) | Class::VectorLoad(_) | Class::Store(_) | Class::VectorStore(_)
                if other_memory =>
            {
                let from = self.stack.len() - pops;
                if self.pending(pops) {
                    self.cut();
                }
                let address = self.stack[from];
                let value = (pops == 2 && self.stack[from + 1].is_scalar()).then(|| self.stack[from + 1]);
                if address.may || value.is_some_and(|value| value.may) {
                    let address = self.reg(&address);
                    let value = value.map(|value| self.reg(&value));
                    let memory = access().memarg.memory;
                    let size = self.open_mut().size(Source::MemorySize(memory));
                    self.step(Step::OtherMemory { access: access(), address, value, size, at: offset });
                }
                self.drop_to(from);
                self.push_opaque(results, true);
            }
            Class::Load(bytes) => {
                if self.pending(1) {
                    self.cut();
                }
                let entry = self.pop();
                let address = self.reg(&entry);
                self.look_at_flags(&entry, bytes);
                let to = self.open_mut().load_register();
                self.step(Step::Load { access: access(), address, to, at: offset });
                self.push_result(results[0], What::Reg(to), true, 0);
            }
            Class::VectorLoad(bytes) => {
                if self.pending(pops) {
                    self.cut();
                }
                let from = self.stack.len() - pops;
                let entry = self.stack[from];
                let address = self.reg(&entry);
                self.look_at_flags(&entry, bytes);
                self.step(Step::VectorLoad { access: access(), address, at: offset });
                self.drop_to(from);
                self.push_result(results[0], What::Concrete, false, 0);
                // What it dropped is an event: no trap may come before it is recorded.
                self.cut_after();
            }
            Class::Store(bytes) => {
                if self.open_mut().loads {
                    self.cut();
                }
                let [entry, value] = self.pop_n();
                let [address, value] = [entry, value].map(|entry| self.reg(&entry));
                self.look_at_flags(&entry, bytes);
                self.step(Step::Store { access: access(), address, value, at: offset });
            }
            Class::VectorStore(bytes) => {
                // The host does not know the vector, so a segment with one has no other store (a replay after it would
                // undo this one) and nothing after it (a replay ahead would load what was there before).
                self.settle();
                let [entry, _] = self.pop_n();
                let address = self.reg(&entry);
                self.look_at_flags(&entry, bytes);
                self.step(Step::VectorStore { access: access(), address, at: offset });
                self.cut_after();
            }
            Class::Opaque(reason) => self.opaque(op, reason, offset, pops, results),
        }
    }

    fn opaque(
        &mut self,
        op: &Operator<'_>,
        reason: Concretisation,
        offset: u32,
        pops: usize,
        results: &[ValType],
    ) {
        let changes_memory = matches!(reason, Concretisation::Bulk | Concretisation::Grow);
        if changes_memory || self.pending(pops) {
            self.settle();
        }
        let from = self.stack.len() - pops;
        self.bulk_operands(op, from, pops, offset);
        for index in from..from + pops {
            // These are dealt with on their own: an index with its check, the value of a fill below.
            let is_index = matches!(op, Operator::TableGet { .. } | Operator::TableSet { .. });
            let is_fill_value = matches!(op, Operator::MemoryFill { .. }) && index == from + 1;
            if !is_index && !is_fill_value {
                let entry = self.stack[index];
                self.concretise(&entry, reason, offset);
            }
        }
        if let Operator::MemoryFill { mem } = *op {
            self.fill_value(mem, from, offset);
        }
        if changes_memory && !matches!(op, Operator::TableGrow { .. }) {
            let bulk =
                (from..from + pops).map(|index| (self.local_of(index), self.stack[index].ty)).collect();
            self.plan.notes[self.at].bulk = bulk;
        }
        if matches!(op, Operator::Throw { .. } | Operator::ThrowRef) {
            self.save_below(from);
            return self.stop();
        }
        self.drop_to(from);
        self.push_opaque(results, changes_memory || ops::may_trap(op));
    }

    /// Checks of the ranges and indices that an operator is given, if they may be symbolic.
    fn bulk_operands(&mut self, op: &Operator<'_>, from: usize, pops: usize, at: u32) {
        use Operator::*;
        if !self.stack[from..from + pops].iter().any(|entry| entry.may) {
            return;
        }
        // Each range: which operand it starts at, and in what. (A segment's size is not known here.)
        let ranges = match *op {
            MemoryCopy { dst_mem, src_mem } => {
                vec![(0, Source::MemorySize(dst_mem)), (1, Source::MemorySize(src_mem))]
            }
            MemoryFill { mem } | MemoryInit { mem, .. } => vec![(0, Source::MemorySize(mem))],
            TableCopy { dst_table, src_table } => {
                vec![(0, Source::TableSize(dst_table)), (1, Source::TableSize(src_table))]
            }
            TableFill { table } | TableInit { table, .. } => vec![(0, Source::TableSize(table))],
            TableGet { table } | TableSet { table } => {
                let index = self.reg_at(from);
                let size = self.open_mut().size(Source::TableSize(table));
                return self.step(Step::Index { index, size, at });
            }
            _ => return,
        };
        let length = self.reg_at(from + 2);
        for (operand, source) in ranges {
            let kind = match source {
                Source::MemorySize(_) => TrapKind::MemoryOutOfBounds,
                _ => TrapKind::TableOutOfBounds,
            };
            let start = self.reg_at(from + operand);
            let size = self.open_mut().size(source);
            self.step(Step::Range { start, length, size, kind, at });
        }
    }

    fn fill_value(&mut self, memory: u32, from: usize, at: u32) {
        if self.stack[from + 1].may {
            let value = self.reg_at(from + 1);
            if memory == 0 {
                self.step(Step::Fill { value });
            } else {
                let length = self.reg_at(from + 2);
                self.step(Step::FillOther { value, length, at });
            }
        }
    }

    fn reg_at(&mut self, index: usize) -> u16 {
        let entry = self.stack[index];
        self.reg(&entry)
    }

    /// Results that are only known when the operator has run: a replay cannot go past it. Nor can it if only the operator
    /// itself knows whether it traps, or changes memory.
    fn push_opaque(&mut self, results: &[ValType], ends_segment: bool) {
        for (index, &ty) in results.iter().enumerate() {
            self.push_result(ty, What::Concrete, false, index);
        }
        if ends_segment || results.iter().any(|&ty| is_scalar(ty)) {
            self.cut_after();
        }
    }

    fn push_result(&mut self, ty: ValType, what: What, may: bool, index: usize) {
        self.plan.notes[self.at].results.push(ty);
        self.stack.push(Entry { ty, what, may, place: Place::Stack, producer: (self.at, index) });
    }

    fn concretise(&mut self, entry: &Entry, reason: Concretisation, at: u32) {
        if entry.is_scalar() && entry.may {
            let value = self.reg(entry);
            self.step(Step::Concretise { value, reason, at });
        }
    }

    fn look_at_flags(&mut self, address: &Entry, bytes: u8) {
        let address = self.keep(address);
        let open = self.open_mut();
        let first = !open.segment.touches_memory;
        open.segment.touches_memory = true;
        self.plan.notes[self.at].flags = Some(Flags { address, bytes, first });
    }

    // The stack.

    fn pop(&mut self) -> Entry {
        let entry = self.stack.pop().expect("validated");
        self.retire(&[entry]);
        entry
    }

    fn pop_n<const N: usize>(&mut self) -> [Entry; N] {
        let mut entries = [(); N].map(|()| self.pop());
        entries.reverse();
        entries
    }

    fn drop_to(&mut self, height: usize) {
        if height < self.stack.len() {
            let dropped = self.stack.split_off(height);
            self.retire(&dropped);
        }
    }

    /// Whether one of the topmost values depends on what this segment has loaded.
    fn pending(&self, count: usize) -> bool {
        let open = self.open.as_ref().expect("live code is in a segment");
        self.stack[self.stack.len() - count..]
            .iter()
            .any(|entry| matches!(entry.what, What::Reg(reg) if open.is_pending(reg)))
    }

    fn stack_slot(&mut self, depth: usize) -> Slot {
        let slot = self.types.len() as Slot + 3 * depth as Slot;
        self.plan.slots = self.plan.slots.max(slot + 1);
        slot
    }

    /// The register of a value in the open segment.
    fn reg(&mut self, entry: &Entry) -> u16 {
        let source = match entry.what {
            What::Reg(reg) => return reg,
            What::Constant(bits) => return self.open_mut().constant(entry.ty, bits),
            What::Local(local) => {
                let may = self.may[local as usize];
                return self.open_mut().local_input(local, entry.ty, may, entry.producer);
            }
            What::Slot(_) | What::Concrete => self.keep(entry),
        };
        let slot = match entry.what {
            What::Slot(slot) if entry.may => Some(slot),
            _ => None,
        };
        self.open_mut().kept_input(source, entry.ty, slot, entry.producer)
    }

    /// A local that has a value's bits; one is added if there is none.
    fn keep(&mut self, entry: &Entry) -> u32 {
        if let Place::Local(local) = entry.place {
            return local;
        }
        let local = self.keep_result(entry.producer, entry.ty);
        for other in &mut self.stack {
            if other.producer == entry.producer && other.place == Place::Stack {
                other.place = Place::Local(local);
            }
        }
        local
    }

    fn local_of(&mut self, index: usize) -> u32 {
        let entry = self.stack[index];
        self.keep(&entry)
    }

    /// Makes the operator with that number keep a result, and those above it, in locals.
    fn keep_result(&mut self, (op, result): (usize, usize), ty: ValType) -> u32 {
        if let Some(local) = self.kept((op, result)) {
            return local;
        }
        // Those above it are in the way.
        for above in result + 1..self.plan.notes[op].results.len() {
            if self.kept((op, above)).is_none() {
                let ty = self.plan.notes[op].results[above];
                self.temp((op, above), ty);
            }
        }
        self.temp((op, result), ty)
    }

    /// The local that keeps a result, if there is one that was not given to another since.
    fn kept(&mut self, producer: (usize, usize)) -> Option<u32> {
        let index = self.temps.iter().position(|temp| temp.owner == producer)?;
        self.temps[index].last = usize::MAX;
        let local = self.types.len() as u32 + 2 + index as u32;
        self.retired.push(local);
        Some(local)
    }

    /// A local that nobody has used since the operator of this result, which keeps it from now on.
    fn temp(&mut self, owner: (usize, usize), ty: ValType) -> u32 {
        let free = self.temps.iter().position(|temp| temp.ty == ty && temp.last < owner.0);
        let index = free.unwrap_or_else(|| {
            self.temps.push(Temp { ty, owner, last: 0 });
            self.temps.len() - 1
        });
        let temp = &mut self.temps[index];
        (temp.owner, temp.last) = (owner, usize::MAX);
        let local = self.types.len() as u32 + 2 + index as u32;
        self.retired.push(local);
        self.plan.notes[owner.0].keep.push((owner.1, local));
        local
    }

    /// These values have left the stack; their locals are free once no boundary needs them.
    fn retire(&mut self, entries: &[Entry]) {
        let first = self.types.len() as u32 + 2;
        for entry in entries {
            if let Place::Local(local) = entry.place
                && local >= first
            {
                self.retired.push(local);
            }
        }
    }

    /// Locals that nothing on the stack refers to are free from now on.
    fn release(&mut self) {
        let first = self.types.len() as u32 + 2;
        for local in std::mem::take(&mut self.retired) {
            let used = self.stack.iter().any(|entry| entry.place == Place::Local(local));
            let used = used
                || self
                    .controls
                    .iter()
                    .any(|control| control.if_params.iter().any(|entry| entry.place == Place::Local(local)));
            if used {
                self.retired.push(local);
            } else {
                self.temps[(local - first) as usize].last = self.at;
            }
        }
    }

    /// Gives all values on the stack a local of their own: control is about to split or come back.
    fn keep_stack(&mut self) {
        let own = self.types.len() as u32;
        for index in 0..self.stack.len() {
            let entry = self.stack[index];
            let wanted = entry.is_scalar() && !matches!(entry.what, What::Constant(_));
            if wanted && !matches!(entry.place, Place::Local(local) if local >= own) {
                self.stack[index].place = Place::Stack;
                self.local_of(index);
            }
        }
    }

    /// Puts the terms of all values on the stack where they survive this segment.
    fn save_stack(&mut self) {
        self.save_below(self.stack.len());
    }

    fn save_below(&mut self, height: usize) {
        for index in 0..height {
            let entry = self.stack[index];
            let slot = self.stack_slot(index);
            let in_segment = matches!(entry.what, What::Reg(_) | What::Local(_))
                || matches!(entry.what, What::Slot(other) if other != slot);
            if entry.is_scalar()
                && entry.may
                && in_segment
                && !self.open_mut().is_saved(index, entry.producer)
            {
                self.set(slot, &entry);
                self.open_mut().saved.push((index, entry.producer));
            }
        }
    }

    // Segments.

    fn open_mut(&mut self) -> &mut Open {
        self.open.as_mut().expect("live code is in a segment")
    }

    fn step(&mut self, step: Step) {
        self.open_mut().segment.steps.push(step);
    }

    fn set(&mut self, slot: Slot, entry: &Entry) {
        let from = entry.may.then(|| self.reg(entry));
        self.plan.slots = self.plan.slots.max(slot + 1);
        let open = self.open_mut();
        open.segment.mask |= super::segment::class(slot);
        open.segment.steps.push(Step::Set { slot, from });
    }

    /// Ends the segment if its flags are not yet looked at.
    fn settle(&mut self) {
        if self.open_mut().segment.touches_memory {
            self.cut();
        }
    }

    /// Ends the segment before the operator at hand and starts another.
    fn cut(&mut self) {
        let after = self.close();
        self.begin(true, None, after);
    }

    /// Ends the segment after the operator at hand and starts another.
    fn cut_after(&mut self) {
        let after = self.close();
        self.begin(false, None, after);
    }

    /// Ends the open segment: the values on the stack outlive it. Returns it if it was not settled.
    fn close(&mut self) -> Option<u32> {
        self.open.as_ref()?;
        self.save_stack();
        let locals = self.types.len();
        for (index, entry) in self.stack.iter_mut().enumerate() {
            entry.forget_segment(locals, index);
        }
        let mut open = self.open.take().expect("checked above");
        if open.segment.touches_memory && open.segment.mask == 0 && open.taint != 0 {
            // A replay ahead must be able to make the program come back: that takes a class.
            open.segment.mask = super::segment::class(0);
        }
        let number = self.plan.segments.len() as u32;
        let unsettled = open.segment.touches_memory;
        let (boundary, ahead) = (open.boundary, open.ahead(self.variant));
        if let Some(wanted) = ahead {
            let code = &mut self.plan.code[boundary];
            code.mask |= open.segment.mask;
            code.taint |= open.taint;
            code.frame |= open.frame;
            code.always |= wanted;
            let values = open.sources.iter().map(|source| add(&mut code.values, source.ahead)).collect();
            self.plan.boundaries[boundary].ahead = Some(Replay { segment: number, values });
        }
        if unsettled {
            // The next boundary has to know the inputs as they were.
            let sources: Vec<_> = open.sources.clone();
            self.unsettled = sources
                .into_iter()
                .map(|source| match source.kept {
                    None => source.ahead,
                    Some((producer, ty)) => Source::Local(self.keep_result(producer, ty), ty),
                })
                .collect();
        }
        self.plan.segments.push(open.segment);
        unsettled.then_some(number)
    }

    /// Makes the first boundary pass the arguments.
    fn arguments(&self, code: &mut BoundaryCode) -> Vec<Option<u16>> {
        let argument = |(local, &ty): (u32, &ValType)| {
            is_scalar(ty).then(|| add(&mut code.values, Source::Local(local, ty)))
        };
        (0..).zip(&self.types[..self.params]).map(argument).collect()
    }

    /// Starts a segment at the operator at hand.
    fn start(&mut self, before: bool, receive: Option<Vec<Option<Slot>>>) {
        self.begin(before, receive, None);
    }

    fn begin(&mut self, before: bool, receive: Option<Vec<Option<Slot>>>, after: Option<u32>) {
        let number = self.plan.boundaries.len();
        let mut code = BoundaryCode::default();
        let after = after.map(|segment| {
            code.flags = true;
            code.always = self.variant.sees_cells();
            let sources = std::mem::take(&mut self.unsettled);
            Replay {
                segment,
                values: sources.into_iter().map(|source| add(&mut code.values, source)).collect(),
            }
        });
        if let Some(slots) = &receive {
            code.taint |= super::segment::TRANSFER;
            code.mask |= slots.iter().flatten().fold(0, |mask, &slot| mask | super::segment::class(slot));
            code.always |= self.variant.sees_calls();
        }
        let arguments = match number == 0 && self.variant.sees_calls() {
            true => self.arguments(&mut code),
            false => Vec::new(),
        };
        self.plan.boundaries.push(Boundary { receive, arguments, after, ahead: None });
        self.plan.code.push(code);
        let notes = &mut self.plan.notes[self.at];
        *(if before { &mut notes.before } else { &mut notes.after }) = Some(number);
        self.release();
        self.open = Some(Open::new(number));
    }
}

/// The number of a value among those that a boundary passes.
fn add(values: &mut Vec<Source>, source: Source) -> u16 {
    let index = values.iter().position(|&other| other == source).unwrap_or_else(|| {
        values.push(source);
        values.len() - 1
    });
    index as u16
}
