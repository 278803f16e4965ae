//! What values may be in all calls of all functions, found by following the program from where it is entered: code that nothing leads to gives nothing.
//!
//! Everything only ever becomes more, so that it ends. Blocks wait to be looked at again when something that they use has become more.

use super::compute::{self, Operand};
use super::contents::{Contents, Spot};
use super::known::{Known, Numbers, Object, Offsets, Places};
use super::world::World;
use coax_execute::semantics::Scalar;
use coax_execute::semantics::memory::Access;
use coax_program::calls::CallGraph;
use coax_program::ir::{Block, Body, Edge, Inst, InstData, Op, Terminator, ValType, Value};
use coax_program::ops::is_call;
use coax_program::{Extern, Func, Program};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What was found out of a function that is called.
#[derive(Default)]
pub(super) struct Called {
    /// By number of the value.
    pub(super) values: Vec<Known>,
    /// How many instructions of each block were executed, and one more if its end was come to.
    pub(super) passed: Vec<Option<usize>>,
    /// What it gives back, once it has come back.
    pub(super) results: Option<Vec<Known>>,
    pub(super) callers: BTreeSet<Spot>,
    /// The blocks in which each value is used.
    pub(super) uses: Vec<Vec<Block>>,
    /// The blocks that wait, in the order of the code.
    waiting: BTreeSet<Block>,
}

/// The search for what values may be.
pub(super) struct Flow<'a, 'p> {
    pub(super) world: &'a World<'p>,
    pub(super) program: &'p Program,
    stack_pointer: Option<u32>,
    /// The functions that an indirect call may reach at all, by its place in the module; none if that is not known.
    pub(super) candidates: BTreeMap<u32, Option<&'a [Func]>>,
    pub(super) called: Vec<Option<Box<Called>>>,
    globals: Vec<Known>,
    /// Who reads each.
    global_readers: Vec<BTreeSet<Spot>>,
    pub(super) contents: Contents,
    /// What exceptions carry, and who catches them.
    thrown: Places,
    catchers: BTreeSet<Spot>,
    /// Loads of what is never written: they read anything.
    pub(super) blind: BTreeSet<(Func, Inst)>,
    /// The functions that indirect calls reach.
    pub(super) reached: BTreeMap<(Func, u32), BTreeSet<Func>>,
    /// Functions with blocks that wait.
    waiting: VecDeque<Func>,
    /// Steps that are left.
    steps: usize,
}

/// Something that cannot be followed, or not in time.
pub(super) struct TooMuch;

/// How much of what memory holds is looked at before it is too much: a second's work or so.
const MOST_WORK: usize = 10_000_000;
/// How often a block is looked at, on average, before it is too much.
const MOST_STEPS: usize = 30;

impl<'a, 'p> Flow<'a, 'p> {
    pub(super) fn new(
        world: &'a World<'p>,
        calls: &'a CallGraph,
        stack_pointer: Option<u32>,
    ) -> Flow<'a, 'p> {
        let program = world.program;
        let mut candidates = BTreeMap::new();
        for call in calls.calls.values().flatten().filter(|call| call.indirect) {
            let known = (!call.open).then_some(&call.callees[..]);
            candidates.insert(program.sites[call.site].offset, known);
        }
        let is_shared = |index: u32| {
            let is_it = |kind: &Extern| matches!(kind, Extern::Global(global) if *global == index);
            program.imports.iter().any(|import| is_it(&import.kind))
                || program.exports.iter().any(|export| is_it(&export.kind))
        };
        let first = |(index, global): (usize, &coax_program::Global)| match global.first {
            Some(first) if !global.ty.mutable || !is_shared(index as u32) => Known::number(first),
            _ => Known::any(width(global.ty.content_type)),
        };
        let globals: Vec<Known> = program.globals.iter().enumerate().map(first).collect();
        let blocks: usize =
            program.functions.values().filter_map(|it| it.defined()).map(|it| it.body.blocks.len()).sum();
        Flow {
            world,
            program,
            stack_pointer,
            candidates,
            called: program.functions.ids().map(|_| None).collect(),
            global_readers: globals.iter().map(|_| BTreeSet::new()).collect(),
            globals,
            contents: Contents::default(),
            thrown: Places::default(),
            catchers: BTreeSet::new(),
            blind: BTreeSet::new(),
            reached: BTreeMap::new(),
            waiting: VecDeque::new(),
            steps: MOST_STEPS * blocks.max(1000),
        }
    }

    /// Follows the program from these functions, which are called from outside with anything.
    pub(super) fn follow(&mut self, roots: &[Func]) -> Result<(), TooMuch> {
        for &root in roots {
            let params = self.program.signature(root).params.clone();
            let given: Vec<Known> = params.iter().map(|ty| self.given(*ty)).collect();
            self.enter(root, &given);
        }
        loop {
            // All of a function at once: what it tells others is then told once.
            while let Some(func) = self.waiting.pop_front() {
                while let Some(block) = self.called_mut(func).waiting.pop_first() {
                    self.steps = self.steps.checked_sub(1).ok_or(TooMuch)?;
                    if self.contents.work > MOST_WORK {
                        return Err(TooMuch);
                    }
                    self.look_at(func, block)?;
                }
            }
            if !self.find_blind_loads() {
                return Ok(());
            }
        }
    }

    /// Loads that read nothing, though they are executed, read what was never written. Whether there are more.
    fn find_blind_loads(&mut self) -> bool {
        let mut found = Vec::new();
        for (func, called) in self.called.iter().enumerate() {
            let (func, Some(called)) = (Func(func as u32), called) else { continue };
            let body = body(self.program, func);
            for (block, data) in body.blocks.iter() {
                let passed = called.passed[block.0 as usize].unwrap_or_default();
                for inst in data.insts().take(passed) {
                    let of_inst = &body.insts[inst];
                    let is_load = Access::of(&of_inst.op).is_some_and(|access| !access.store);
                    let reads_nothing = || {
                        body.list(of_inst.results).iter().all(|it| called.values[it.0 as usize].is_nothing())
                    };
                    if is_load && reads_nothing() && self.blind.insert((func, inst)) {
                        found.push((func, block));
                    }
                }
            }
        }
        found.iter().for_each(|spot| self.wake(*spot));
        !found.is_empty()
    }

    /// What comes from outside: any number, and addresses of what is there.
    pub(super) fn given(&self, ty: ValType) -> Known {
        let places = match ty {
            ValType::I32 if self.world.has_addresses() => Places::one(Object::Outside, Offsets::Any),
            _ => Places::default(),
        };
        Known { places, ..Known::any(width(ty)) }
    }

    pub(super) fn called_mut(&mut self, func: Func) -> &mut Called {
        self.called[func.0 as usize].as_mut().expect("it was entered")
    }

    pub(super) fn wake(&mut self, (func, block): Spot) {
        let called = self.called_mut(func);
        if called.passed[block.0 as usize].is_some() {
            let is_first = called.waiting.is_empty();
            called.waiting.insert(block);
            if is_first {
                self.waiting.push_back(func);
            }
        }
    }

    /// A function is called with this.
    pub(super) fn enter(&mut self, func: Func, given: &[Known]) {
        let body = body(self.program, func);
        if self.called[func.0 as usize].is_none() {
            self.called[func.0 as usize] = Some(Box::new(Called::new(body)));
        }
        self.go_to(func, Body::ENTRY, given);
    }

    /// A block is come to with this.
    fn go_to(&mut self, func: Func, block: Block, given: &[Known]) {
        let body = body(self.program, func);
        for (param, known) in body.list(body.blocks[block].params).iter().zip(given) {
            self.add(func, *param, known);
        }
        let called = self.called_mut(func);
        if called.passed[block.0 as usize].is_none() {
            called.passed[block.0 as usize] = Some(0);
            self.wake((func, block));
        }
    }

    /// A value may be this, too.
    pub(super) fn add(&mut self, func: Func, value: Value, known: &Known) {
        let known = self.of_few_objects(known);
        if self.called_mut(func).values[value.0 as usize].add(&known) {
            let all = self.value(func, value).clone();
            let few = self.of_few_objects(&all).into_owned();
            let called = self.called_mut(func);
            called.values[value.0 as usize] = few;
            let uses = called.uses[value.0 as usize].clone();
            uses.into_iter().for_each(|block| self.wake((func, block)));
        }
    }

    pub(super) fn value(&self, func: Func, value: Value) -> &Known {
        &self.called[func.0 as usize].as_ref().expect("it was entered").values[value.0 as usize]
    }

    pub(super) fn values(&self, func: Func, values: &[Value]) -> Vec<Known> {
        values.iter().map(|value| self.value(func, *value).clone()).collect()
    }

    fn look_at(&mut self, func: Func, block: Block) -> Result<(), TooMuch> {
        let body = body(self.program, func);
        let data = &body.blocks[block];
        for (number, inst) in data.insts().enumerate() {
            let passed = &mut self.called_mut(func).passed[block.0 as usize];
            *passed = (*passed).max(Some(number));
            let of_inst = &body.insts[inst];
            if !is_call(&of_inst.op) {
                self.execute(func, block, inst, of_inst)?;
                continue;
            }
            let args = self.values(func, body.list(of_inst.args));
            let results = self.call((func, block), &of_inst.op, of_inst.offset, &args)?;
            if !data.end.handlers().is_empty() {
                self.catch(func, block, &data.end);
            }
            // What comes behind a call that does not come back is not executed.
            let Some(results) = results else { return Ok(()) };
            for (value, known) in body.list(of_inst.results).iter().zip(&results) {
                self.add(func, *value, known);
            }
        }
        self.called_mut(func).passed[block.0 as usize] = Some(data.insts().len() + 1);
        self.leave(func, block)
    }

    /// An exception may come here.
    fn catch(&mut self, func: Func, block: Block, end: &Terminator) {
        self.catchers.insert((func, block));
        for handler in end.handlers() {
            let body = body(self.program, func);
            let params = body.list(body.blocks[handler.to].params);
            let any = |value: &Value| Known {
                places: self.thrown.clone(),
                ..Known::any(width(body.values[*value].ty))
            };
            let given: Vec<Known> = params.iter().map(any).collect();
            self.go_to(func, handler.to, &given);
        }
    }

    fn leave(&mut self, func: Func, block: Block) -> Result<(), TooMuch> {
        let body = body(self.program, func);
        let data = &body.blocks[block];
        match &data.end {
            Terminator::Jump(edge) | Terminator::Invoke { normal: edge, .. } => self.take(func, *edge),
            Terminator::Branch { .. } | Terminator::Switch { .. } => {
                for (direction, edge) in (0..).zip(data.end.edges()) {
                    let called = self.called[func.0 as usize].as_ref().expect("it was entered");
                    if called.may_take(self.world, &data.end, direction) {
                        self.take(func, *edge);
                    }
                }
            }
            Terminator::Throw { args, .. } => {
                let mut is_more = false;
                for known in self.values(func, body.list(*args)) {
                    is_more |= self.thrown.add(&known.places);
                }
                if is_more {
                    self.catchers.clone().into_iter().for_each(|spot| self.wake(spot));
                }
                self.catch(func, block, &data.end);
            }
            Terminator::Return(values) => {
                let results = self.values(func, body.list(*values));
                self.come_back(func, &results);
            }
            Terminator::TailCall { op, args } => {
                let args = self.values(func, body.list(*args));
                if let Some(results) = self.call((func, block), op, data.end_offset, &args)? {
                    self.come_back(func, &results);
                }
            }
            Terminator::Unreachable => {}
        }
        Ok(())
    }

    fn take(&mut self, func: Func, edge: Edge) {
        let args = self.values(func, body(self.program, func).list(edge.args));
        self.go_to(func, edge.to, &args);
    }

    fn come_back(&mut self, func: Func, results: &[Known]) {
        let called = self.called_mut(func);
        let is_first = called.results.is_none();
        let known = called.results.get_or_insert_with(|| vec![Known::default(); results.len()]);
        let mut is_more = is_first;
        for (known, more) in known.iter_mut().zip(results) {
            is_more |= known.add(more);
        }
        if is_more {
            let callers = called.callers.clone();
            callers.into_iter().for_each(|spot| self.wake(spot));
        }
    }

    fn execute(&mut self, func: Func, block: Block, inst: Inst, data: &InstData) -> Result<(), TooMuch> {
        let body = body(self.program, func);
        let args = body.list(data.args);
        let results = body.list(data.results);
        let is_vector = |value: &Value| body.values[*value].ty == ValType::V128;
        if self.world.has_addresses() && args.iter().chain(results).any(is_vector) {
            return Err(TooMuch);
        }
        let known = match &data.op {
            Op::I32Const { value } => {
                let address = self.world.address_in(&data.op, data.offset);
                address.unwrap_or_else(|| Known::number(u64::from(*value as u32)))
            }
            Op::GlobalGet { global_index } => self.global(func, block, inst, *global_index),
            Op::GlobalSet { global_index } => {
                let known = self.value(func, args[0]).clone();
                if self.globals[*global_index as usize].add(&known) {
                    let readers = self.global_readers[*global_index as usize].clone();
                    readers.into_iter().for_each(|spot| self.wake(spot));
                }
                return Ok(());
            }
            Op::Select | Op::TypedSelect { .. } => self.select(func, args),
            Op::MemoryCopy { .. } | Op::MemoryFill { .. } | Op::MemoryInit { .. } => {
                self.write_at_once(func, &data.op, args);
                return Ok(());
            }
            op => match (Access::of(op), Scalar::of(op)) {
                (Some(access), _) => return self.access((func, block), inst, data, &access),
                (_, Some(scalar)) => self.compute(func, scalar, args, results),
                // What it gives is no address: the size of memory, or no number at all.
                _ if self.world.has_addresses() && writes_otherwise(op) => return Err(TooMuch),
                _ => Known::any(64),
            },
        };
        for result in results {
            let most = width(body.values[*result].ty);
            let is_wide = matches!(known.numbers, Numbers::Between(_, high) if high > coax_term::mask(most));
            match is_wide {
                true => self.add(func, *result, &Known { numbers: Numbers::all(most), ..known.clone() }),
                false => self.add(func, *result, &known),
            }
        }
        Ok(())
    }

    fn compute(&self, func: Func, scalar: Scalar, args: &[Value], results: &[Value]) -> Known {
        let body = body(self.program, func);
        let is_float = |value: &Value| matches!(body.values[*value].ty, ValType::F32 | ValType::F64);
        let is_moved = matches!(scalar, Scalar::Constant { .. } | Scalar::Reinterpret);
        let most = results.first().map_or(64, |result| width(body.values[*result].ty));
        if let Scalar::Constant { bits, .. } = scalar {
            return Known::number(bits);
        }
        // Floats are left to those who compute with them as the machine does.
        if !is_moved && args.iter().chain(results).any(is_float) {
            return Known::any(most);
        }
        let operands: Vec<Operand<'_>> =
            args.iter().map(|arg| (self.value(func, *arg), width(body.values[*arg].ty))).collect();
        compute::scalar(self.world, scalar, &operands, most)
    }

    fn select(&self, func: Func, args: &[Value]) -> Known {
        let [one, other, condition] = args else { return Known::any(64) };
        let condition = self.world.hull(self.value(func, *condition), 32);
        let mut known = Known::default();
        if may_be_true(&condition) {
            known.add(self.value(func, *one));
        }
        if condition.may_be(0) {
            known.add(self.value(func, *other));
        }
        known
    }

    fn global(&mut self, func: Func, block: Block, inst: Inst, global: u32) -> Known {
        if Some(global) != self.stack_pointer {
            self.global_readers[global as usize].insert((func, block));
            return self.globals[global as usize].clone();
        }
        if !self.world.has_addresses() {
            return Known::any(32);
        }
        let offsets = if is_first(body(self.program, func), block, inst, global) {
            Offsets::one(0)
        } else {
            Offsets::Any
        };
        Known::place(Object::Frame(func), offsets)
    }
}

impl Called {
    fn new(body: &Body) -> Called {
        let mut uses: Vec<Vec<Block>> = vec![Vec::new(); body.values.len()];
        for (block, data) in body.blocks.iter() {
            let mut used = |values: &[Value]| {
                for value in values {
                    let blocks = &mut uses[value.0 as usize];
                    if blocks.last() != Some(&block) {
                        blocks.push(block);
                    }
                }
            };
            data.insts().for_each(|inst| used(body.list(body.insts[inst].args)));
            data.end.edges().iter().for_each(|edge| used(body.list(edge.args)));
            match &data.end {
                Terminator::Branch { condition: value, .. } | Terminator::Switch { index: value, .. } => {
                    used(&[*value]);
                }
                Terminator::Return(values)
                | Terminator::TailCall { args: values, .. }
                | Terminator::Throw { args: values, .. } => used(body.list(*values)),
                _ => {}
            }
        }
        Called {
            values: vec![Known::default(); body.values.len()],
            passed: vec![None; body.blocks.len()],
            uses,
            ..Called::default()
        }
    }

    /// Whether a block that ends so may end in this direction.
    pub(super) fn may_take(&self, world: &World<'_>, end: &Terminator, direction: u32) -> bool {
        match end {
            Terminator::Branch { condition, .. } => {
                let numbers = world.hull(&self.values[condition.0 as usize], 32);
                if direction == 0 { numbers.may_be(0) } else { may_be_true(&numbers) }
            }
            Terminator::Switch { index, cases, default, .. } => {
                let numbers = world.hull(&self.values[index.0 as usize], 32);
                let is_case = |(case, to): (u64, &u32)| *to == direction && numbers.may_be(case);
                let is_beyond = || numbers.extent().is_some_and(|(_, high)| high >= cases.len() as u64);
                (0..).zip(cases).any(is_case) || *default == direction && is_beyond()
            }
            _ => true,
        }
    }
}

fn may_be_true(numbers: &Numbers) -> bool {
    numbers.extent().is_some_and(|(_, high)| high > 0)
}

pub(super) fn body(program: &Program, func: Func) -> &Body {
    &program.functions[func].defined().expect("only functions with code are entered").body
}

/// How wide the numbers of a type are; what is no number is as good as any.
fn width(ty: ValType) -> u8 {
    match ty {
        ValType::I32 | ValType::F32 => 32,
        _ => 64,
    }
}

/// Whether a global is read here before the function can have changed it.
fn is_first(body: &Body, block: Block, inst: Inst, global: u32) -> bool {
    let before = body.blocks[block].insts().take_while(|it| *it != inst);
    let sets =
        |it: Inst| matches!(body.insts[it].op, Op::GlobalSet { global_index } if global_index == global);
    block == Body::ENTRY && !before.into_iter().any(sets)
}

/// Whether an operator that is not followed may write to memory.
fn writes_otherwise(op: &Op) -> bool {
    coax_program::ops::memarg(op).is_some()
}
