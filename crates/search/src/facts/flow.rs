//! What values may be in all calls of all functions, found by following the program from where it is entered: code that nothing leads to gives nothing.
//!
//! Everything only ever becomes more, so that it ends. Blocks wait to be looked at again when something that they use has become more.

use super::compute::{self, Operand};
use super::constants::Constants;
use super::numbers::Numbers;
use super::past::{Done, Past, UnderWay};
use coax_execute::semantics::Scalar;
use coax_execute::semantics::memory::{Access, Accessed};
use coax_program::calls::CallGraph;
use coax_program::ir::{Block, Body, Edge, InstData, Op, Terminator, ValType, Value};
use coax_program::ops::is_call;
use coax_program::{Extern, Func, Program};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A block of a function.
pub(super) type Spot = (Func, Block);

/// What was found out of a function that is called.
#[derive(Default)]
pub(super) struct Called {
    /// By number of the value.
    pub(super) values: Vec<Numbers>,
    /// How many instructions of each block were executed, and one more if its end was come to.
    pub(super) passed: Vec<Option<usize>>,
    /// What it gives back, once it has come back.
    pub(super) results: Option<Vec<Numbers>>,
    pub(super) callers: BTreeSet<Spot>,
    /// The blocks in which each value is used.
    pub(super) uses: Vec<Vec<Block>>,
    /// The blocks that wait, in the order of the code.
    waiting: BTreeSet<Block>,
    /// How much of each block was executed before it is followed, as in `passed`.
    pub(super) before: Vec<Option<usize>>,
    /// Blocks that were left for a call which is under way when it begins, as long as nothing else leads to them.
    under_way: BTreeMap<Block, Awaited>,
}

/// A call that was under way when the program is followed from there.
#[derive(Clone, Copy)]
struct Awaited {
    /// How many instructions of the block are before it.
    before: usize,
    /// The function that will come back; none if it is the host.
    callee: Option<Func>,
}

/// The search for what values may be.
pub(super) struct Flow<'a, 'p> {
    pub(super) program: &'p Program,
    stack_pointer: Option<u32>,
    constants: &'a Constants,
    /// The functions that an indirect call may reach at all, by its place in the module; none if that is not known.
    pub(super) candidates: BTreeMap<u32, Option<&'a [Func]>>,
    pub(super) called: Vec<Option<Box<Called>>>,
    globals: Vec<Numbers>,
    /// Who reads each.
    global_readers: Vec<BTreeSet<Spot>>,
    /// The functions that indirect calls reach.
    pub(super) reached: BTreeMap<(Func, u32), BTreeSet<Func>>,
    /// Functions with blocks that wait.
    waiting: VecDeque<Func>,
    /// Steps that are left.
    steps: usize,
}

/// Something that cannot be followed, or not in time.
pub(super) struct TooMuch;

/// How often a block is looked at, on average, before it is too much.
const MOST_STEPS: usize = 30;

impl<'a, 'p> Flow<'a, 'p> {
    pub(super) fn new(
        program: &'p Program,
        calls: &'a CallGraph,
        stack_pointer: Option<u32>,
        constants: &'a Constants,
    ) -> Flow<'a, 'p> {
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
            Some(first) if !global.ty.mutable || !is_shared(index as u32) => Numbers::one(first),
            _ => any(global.ty.content_type),
        };
        let globals: Vec<Numbers> = program.globals.iter().enumerate().map(first).collect();
        let blocks: usize =
            program.functions.values().filter_map(|it| it.defined()).map(|it| it.body.blocks.len()).sum();
        Flow {
            program,
            stack_pointer,
            constants,
            candidates,
            called: program.functions.ids().map(|_| None).collect(),
            global_readers: globals.iter().map(|_| BTreeSet::new()).collect(),
            globals,
            reached: BTreeMap::new(),
            waiting: VecDeque::new(),
            steps: MOST_STEPS * blocks.max(1000),
        }
    }

    /// Follows the program from these functions, which are called from outside with anything.
    pub(super) fn follow(&mut self, roots: &[Func]) -> Result<(), TooMuch> {
        for &root in roots {
            let params = self.program.signature(root).params.clone();
            let given: Vec<Numbers> = params.iter().map(|ty| any(*ty)).collect();
            self.enter(root, &given);
        }
        self.go_on()
    }

    /// Follows the program from where its past ends.
    pub(super) fn follow_from(&mut self, past: &Past) -> Result<(), TooMuch> {
        for (&func, done) in &past.functions {
            self.begin(func).before.clone_from(&done.passed);
        }
        for (global, now) in self.globals.iter_mut().zip(&past.globals) {
            // What others may set is anything, whatever it is now.
            if let (Numbers::Few(_), Some(now)) = (&*global, now) {
                *global = Numbers::one(*now);
            }
        }
        for (place, frame) in past.frames.iter().enumerate() {
            let &UnderWay { func, block, before, ref values } = frame;
            let callee = past.frames.get(place + 1).map(|frame| frame.func);
            let called = self.called_mut(func);
            called.values.iter_mut().zip(values).for_each(|(known, now)| {
                known.add(now);
            });
            // The same block, left for another call: that is not followed.
            let earlier = called.under_way.insert(block, Awaited { before, callee });
            if earlier.is_some_and(|it| (it.before, it.callee) != (before, callee)) {
                return Err(TooMuch);
            }
            called.passed[block.0 as usize] = Some(before);
            if let Some(callee) = callee {
                self.called_mut(callee).callers.insert((func, block));
            }
            self.wake((func, block));
        }
        self.go_on()
    }

    fn go_on(&mut self) -> Result<(), TooMuch> {
        // All of a function at once: what it tells others is then told once.
        while let Some(func) = self.waiting.pop_front() {
            while let Some(block) = self.called_mut(func).waiting.pop_first() {
                self.steps = self.steps.checked_sub(1).ok_or(TooMuch)?;
                self.look_at(func, block)?;
            }
        }
        Ok(())
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
    pub(super) fn enter(&mut self, func: Func, given: &[Numbers]) {
        self.begin(func);
        self.go_to(func, Body::ENTRY, given);
    }

    /// What is known of a function; nothing, at first.
    fn begin(&mut self, func: Func) -> &mut Called {
        let body = body(self.program, func);
        self.called[func.0 as usize].get_or_insert_with(|| Box::new(Called::new(body)))
    }

    /// A block is come to with this.
    fn go_to(&mut self, func: Func, block: Block, given: &[Numbers]) {
        let body = body(self.program, func);
        for (param, known) in body.list(body.blocks[block].params).iter().zip(given) {
            self.add(func, *param, known);
        }
        let called = self.called_mut(func);
        let was_left = called.under_way.remove(&block).is_some();
        if was_left || called.passed[block.0 as usize].is_none() {
            called.passed[block.0 as usize].get_or_insert(0);
            self.wake((func, block));
        }
    }

    /// A value may be this, too.
    fn add(&mut self, func: Func, value: Value, numbers: &Numbers) {
        let called = self.called_mut(func);
        if called.values[value.0 as usize].add(numbers) {
            let uses = called.uses[value.0 as usize].clone();
            uses.into_iter().for_each(|block| self.wake((func, block)));
        }
    }

    pub(super) fn value(&self, func: Func, value: Value) -> &Numbers {
        &self.called[func.0 as usize].as_ref().expect("it was entered").values[value.0 as usize]
    }

    pub(super) fn values(&self, func: Func, values: &[Value]) -> Vec<Numbers> {
        values.iter().map(|value| self.value(func, *value).clone()).collect()
    }

    fn look_at(&mut self, func: Func, block: Block) -> Result<(), TooMuch> {
        let body = body(self.program, func);
        let data = &body.blocks[block];
        let awaited = self.called_mut(func).under_way.get(&block).copied();
        let first = awaited.map_or(0, |awaited| awaited.before);
        for (number, inst) in data.insts().enumerate().skip(first) {
            let passed = &mut self.called_mut(func).passed[block.0 as usize];
            *passed = (*passed).max(Some(number));
            let of_inst = &body.insts[inst];
            if !is_call(&of_inst.op) {
                self.execute(func, block, of_inst);
                continue;
            }
            let results = match awaited.filter(|_| number == first) {
                Some(Awaited { callee: Some(callee), .. }) => {
                    self.check_followed(of_inst)?;
                    self.called_mut(callee).results.clone()
                }
                _ => {
                    let args = self.values(func, body.list(of_inst.args));
                    self.call((func, block), &of_inst.op, of_inst.offset, &args)?
                }
            };
            if !data.end.handlers().is_empty() {
                self.catch(func, &data.end);
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

    /// An exception may come here, with anything.
    fn catch(&mut self, func: Func, end: &Terminator) {
        for handler in end.handlers() {
            let body = body(self.program, func);
            let params = body.list(body.blocks[handler.to].params);
            let given: Vec<Numbers> = params.iter().map(|value| any(body.values[*value].ty)).collect();
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
                    if called.may_take(&data.end, direction) {
                        self.take(func, *edge);
                    }
                }
            }
            Terminator::Throw { .. } => self.catch(func, &data.end),
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

    fn come_back(&mut self, func: Func, results: &[Numbers]) {
        let called = self.called_mut(func);
        let is_first = called.results.is_none();
        let known = called.results.get_or_insert_with(|| vec![Numbers::None; results.len()]);
        let mut is_more = is_first;
        for (known, more) in known.iter_mut().zip(results) {
            is_more |= known.add(more);
        }
        if is_more {
            let callers = called.callers.clone();
            callers.into_iter().for_each(|spot| self.wake(spot));
        }
    }

    fn execute(&mut self, func: Func, block: Block, data: &InstData) {
        let body = body(self.program, func);
        let (args, results) = (body.list(data.args), body.list(data.results));
        let numbers = match &data.op {
            Op::GlobalGet { global_index } => self.global(func, block, *global_index),
            Op::GlobalSet { global_index } => {
                let numbers = self.value(func, args[0]).clone();
                if self.globals[*global_index as usize].add(&numbers) {
                    let readers = self.global_readers[*global_index as usize].clone();
                    readers.into_iter().for_each(|spot| self.wake(spot));
                }
                return;
            }
            Op::Select | Op::TypedSelect { .. } => self.select(func, args),
            op => match (Access::of(op), Scalar::of(op)) {
                (Some(access), _) => self.load(func, &access, args),
                (_, Some(scalar)) => self.compute(func, scalar, args, results),
                _ => Numbers::all(64),
            },
        };
        for result in results {
            let most = width(body.values[*result].ty);
            let is_wide = matches!(numbers, Numbers::Between(_, high) if high > coax_term::mask(most));
            match is_wide {
                true => self.add(func, *result, &Numbers::all(most)),
                false => self.add(func, *result, &numbers),
            }
        }
    }

    /// What an access loads; one that stores has no results.
    fn load(&self, func: Func, access: &Access, args: &[Value]) -> Numbers {
        let Accessed::Scalar { width, signed } = access.value else { return Numbers::all(64) };
        let held = match args.first().map(|address| self.value(func, *address)) {
            Some(Numbers::None) => return Numbers::None,
            Some(Numbers::Few(few)) => {
                let number = |at: &u64| {
                    let address = at.checked_add(access.memarg.offset)?;
                    self.constants.number(address, access.bytes).filter(|_| access.memarg.memory == 0)
                };
                few.iter().map(number).collect::<Option<Vec<u64>>>().map(Numbers::from_few)
            }
            _ => None,
        };
        compute::loaded(held, access.bytes, width, signed)
    }

    fn compute(&self, func: Func, scalar: Scalar, args: &[Value], results: &[Value]) -> Numbers {
        let body = body(self.program, func);
        let is_float = |value: &Value| matches!(body.values[*value].ty, ValType::F32 | ValType::F64);
        let most = results.first().map_or(64, |result| width(body.values[*result].ty));
        if let Scalar::Constant { bits, .. } = scalar {
            return Numbers::one(bits);
        }
        // Floats are left to those who compute with them as the machine does.
        if !matches!(scalar, Scalar::Reinterpret) && args.iter().chain(results).any(is_float) {
            return Numbers::all(most);
        }
        let operands: Vec<Operand<'_>> =
            args.iter().map(|arg| (self.value(func, *arg), width(body.values[*arg].ty))).collect();
        compute::scalar(scalar, &operands, most)
    }

    fn select(&self, func: Func, args: &[Value]) -> Numbers {
        let [one, other, condition] = args else { return Numbers::all(64) };
        let condition = self.value(func, *condition);
        let mut numbers = Numbers::None;
        if may_be_true(condition) {
            numbers.add(self.value(func, *one));
        }
        if condition.may_be(0) {
            numbers.add(self.value(func, *other));
        }
        numbers
    }

    /// What a global holds; where the stack is nobody knows.
    fn global(&mut self, func: Func, block: Block, global: u32) -> Numbers {
        if Some(global) == self.stack_pointer {
            return Numbers::all(32);
        }
        self.global_readers[global as usize].insert((func, block));
        self.globals[global as usize].clone()
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
            used(body.operands(&data.end));
        }
        Called {
            values: vec![Numbers::None; body.values.len()],
            passed: vec![None; body.blocks.len()],
            before: vec![None; body.blocks.len()],
            uses,
            ..Called::default()
        }
    }

    /// Adds what was executed before, and what values were then.
    pub(super) fn add_past(&mut self, done: &Done) {
        self.values.iter_mut().zip(&done.values).for_each(|(known, before)| {
            known.add(before);
        });
        for (passed, before) in self.passed.iter_mut().zip(&done.passed) {
            *passed = (*passed).max(*before);
        }
    }

    /// Forgets what only matters while something is still looked at.
    pub(super) fn forget_the_way(&mut self) {
        (self.callers, self.uses, self.waiting) = Default::default();
        (self.before, self.under_way) = Default::default();
    }

    /// Whether a block that ends so may end in this direction.
    pub(super) fn may_take(&self, end: &Terminator, direction: u32) -> bool {
        match end {
            Terminator::Branch { condition, .. } => {
                let numbers = &self.values[condition.0 as usize];
                if direction == 0 { numbers.may_be(0) } else { may_be_true(numbers) }
            }
            Terminator::Switch { index, cases, default, .. } => {
                let numbers = &self.values[index.0 as usize];
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

/// Any number of a type.
pub(super) fn any(ty: ValType) -> Numbers {
    Numbers::all(width(ty))
}

/// How wide the numbers of a type are; what is no number is as good as any.
fn width(ty: ValType) -> u8 {
    match ty {
        ValType::I32 | ValType::F32 => 32,
        _ => 64,
    }
}
