//! Static variables that nothing writes: what they hold is known as long as the program runs.
//!
//! The linker's relocations tell which numbers are addresses, and of which variable. Each is followed through the code that can be called: through operators, into functions and
//! back. If it becomes the place of a store, is stored itself, is given to the host, or goes where it is not followed, then the variable may be written. Only what is left counts:
//! such a variable is written by nobody, unless a write leaves the variable or block that its address was made from. That is assumed of programs, and told
//! ([`super::Trust::writes`]).
//!
//! If the program's past is known, only code counts that is executed: stores of the past are over, but an address that became known then may still be written to.

use super::flow::Called;
use super::past::Past;
use coax_execute::semantics::Scalar;
use coax_execute::semantics::memory::{Access, Accessed};
use coax_program::addresses::{Address, Addresses};
use coax_program::calls::CallGraph;
use coax_program::ir::{Block, BlockData, Body, Inst, Op, Terminator, Value};
use coax_program::ops::{is_call, is_select};
use coax_program::{Extern, Func, Program};
use std::collections::{BTreeMap, BTreeSet};

/// So many values are looked at for one variable: those of which more is made are taken for written.
const MOST_STEPS: usize = 20_000;

/// What is known of memory as long as the program runs: where variables are that nothing writes, in order, and what they hold.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Constants(Vec<(u64, Vec<u8>)>);

impl Constants {
    /// The variables of a program that this code does not write, if this is what was before; none if the linker left nothing behind.
    pub(super) fn of(
        program: &Program,
        calls: &CallGraph,
        code: &Code<'_>,
        past: Option<&Past>,
    ) -> Constants {
        // Whoever has the memory can write to it.
        let is_shared = program.imports.iter().any(|import| matches!(import.kind, Extern::Memory(_)));
        let (Some(addresses), Some(data), false) =
            (Addresses::read(program), program.first_data(), is_shared)
        else {
            return Constants::default();
        };
        let traces = Traces::new(program, calls, code);
        let mut written: BTreeSet<u32> = addresses.in_memory().filter_map(variable).collect();
        let mut made: BTreeMap<u32, Vec<(Func, Value)>> = BTreeMap::new();
        for &func in &code.functions {
            let Some(defined) = program.functions[func].defined() else { continue };
            let understood = understood(&defined.body);
            let blocks = blocks(&defined.body);
            for (at, address) in addresses.in_code(defined.range.clone()) {
                let Some(number) = variable(address) else { continue };
                let executed = match blocks.range(..=at).next_back() {
                    Some((_, block)) => code.when(func, *block),
                    None => Executed::Later,
                };
                if executed == Executed::Never {
                    continue;
                }
                match understood.get(&at) {
                    Some(Understood::Constant(result)) => {
                        made.entry(number).or_default().push((func, *result))
                    }
                    Some(Understood::Load) => {}
                    Some(Understood::Store) if executed == Executed::Before => {}
                    // It is written, or nobody knows.
                    Some(Understood::Store) | None => {
                        written.insert(number);
                    }
                }
            }
        }
        written.extend(made.into_iter().filter(|(_, made)| traces.may_write(made)).map(|(number, _)| number));
        let mut constants = Vec::new();
        let variables = (0..).zip(&addresses.variables);
        for (_, variable) in variables.filter(|(number, _)| !written.contains(number)) {
            if let Some(past) = past {
                let place = variable.start as usize..variable.end as usize;
                constants.extend(past.memory.get(place).map(|held| (variable.start, held.to_vec())));
                continue;
            }
            // What the module says nothing of is zero.
            let mut held = vec![0; (variable.end - variable.start) as usize];
            for (at, bytes) in &data {
                let within = variable.start.max(*at)..variable.end.min(at + bytes.len() as u64);
                within
                    .for_each(|place| held[(place - variable.start) as usize] = bytes[(place - at) as usize]);
            }
            constants.push((variable.start, held));
        }
        Constants(constants)
    }

    /// What is known to one or the other.
    pub(super) fn and(&self, other: Constants) -> Constants {
        let all = self.0.iter().cloned().chain(other.0);
        Constants(all.collect::<BTreeMap<u64, Vec<u8>>>().into_iter().collect())
    }

    /// The number in so many bytes from an address on, if nothing writes them.
    pub(crate) fn number(&self, address: u64, count: u8) -> Option<u64> {
        let number = self.0.partition_point(|(start, _)| *start <= address);
        let (start, held) = &self.0[number.checked_sub(1)?];
        let first = usize::try_from(address - start).ok()?;
        let bytes = held.get(first..first.checked_add(count.into())?)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}

/// The code that is looked at.
pub(super) struct Code<'a> {
    functions: Vec<Func>,
    /// What of it is executed, if that is known.
    executed: Option<&'a [Option<Box<Called>>]>,
}

/// When code is executed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Executed {
    Never,
    /// Only in the past.
    Before,
    /// It may be again.
    Later,
}

impl<'a> Code<'a> {
    /// All of the functions that these can call.
    pub(super) fn callable(calls: &CallGraph, roots: &[Func]) -> Code<'a> {
        Code { functions: calls.reachable(roots.iter().copied()).into_iter().collect(), executed: None }
    }

    /// What was followed.
    pub(super) fn executed(called: &'a [Option<Box<Called>>]) -> Code<'a> {
        let functions = (0..).zip(called).filter(|(_, called)| called.is_some());
        Code { functions: functions.map(|(func, _)| Func(func)).collect(), executed: Some(called) }
    }

    fn when(&self, func: Func, block: Block) -> Executed {
        let Some(executed) = self.executed else { return Executed::Later };
        match &executed[func.0 as usize] {
            Some(called) if called.passed[block.0 as usize].is_some() => Executed::Later,
            Some(called) if called.before[block.0 as usize].is_some() => Executed::Before,
            _ => Executed::Never,
        }
    }
}

/// The blocks of a function, by where in the module each of their instructions begins.
fn blocks(body: &Body) -> BTreeMap<u32, Block> {
    let insts = |(block, data): (Block, &BlockData)| {
        let offsets: Vec<u32> = data.insts().map(|inst| body.insts[inst].offset).collect();
        offsets.into_iter().map(move |offset| (offset, block))
    };
    body.blocks.iter().flat_map(insts).collect()
}

/// The variable that an address is of.
fn variable(address: Address) -> Option<u32> {
    match address {
        Address::Variable(number) => Some(number),
        Address::Function(_) | Address::End => None,
    }
}

/// An operator with an address in it, and what it does with that.
enum Understood {
    /// It makes the address this value.
    Constant(Value),
    Load,
    /// It writes there and nowhere else.
    Store,
}

/// The operators of a function that may have an address in them, by where in the module it would be.
fn understood(body: &Body) -> BTreeMap<u32, Understood> {
    let mut understood = BTreeMap::new();
    for inst in body.insts.values() {
        match (&inst.op, Access::of(&inst.op), body.list(inst.results)) {
            // A byte that says which operator it is.
            (Op::I32Const { .. }, _, &[result]) => {
                understood.insert(inst.offset + 1, Understood::Constant(result));
            }
            // And one for how it is aligned; others are longer.
            (_, Some(Access { store, value: Accessed::Scalar { .. }, .. }), _) => {
                let what = if store { Understood::Store } else { Understood::Load };
                understood.insert(inst.offset + 2, what);
            }
            _ => {}
        }
    }
    understood
}

/// What becomes of a value.
#[derive(Clone, Copy)]
enum Use {
    /// It is an operand of an instruction.
    Operand(Inst, usize),
    /// It is this value from there on.
    Passed(Value),
    /// It is given back, as so manieth.
    Returned(usize),
    /// It is given to a function that takes the place of this one: that is not followed.
    Lost,
}

/// Who uses what, and where values go.
struct Traces<'a> {
    program: &'a Program,
    uses: BTreeMap<Func, Vec<Vec<Use>>>,
    /// By caller and byte of the module; none if not all are known.
    callees: BTreeMap<(Func, u32), Option<&'a [Func]>>,
    /// The calls of each function.
    results: BTreeMap<Func, Vec<(Func, Inst)>>,
    /// The functions that take the place of others: what they give goes to callers of these.
    replacing: BTreeSet<Func>,
}

impl<'a> Traces<'a> {
    fn new(program: &'a Program, calls: &'a CallGraph, code: &Code<'_>) -> Traces<'a> {
        let mut traces = Traces {
            program,
            uses: BTreeMap::new(),
            callees: BTreeMap::new(),
            results: BTreeMap::new(),
            replacing: BTreeSet::new(),
        };
        for &func in &code.functions {
            let Some(defined) = program.functions[func].defined() else { continue };
            traces.uses.insert(func, uses(&defined.body, |block| code.when(func, block)));
            for call in &calls.calls[func] {
                let callees = (!call.open).then_some(&call.callees[..]);
                traces.callees.insert((func, program.sites[call.site].offset), callees);
                if call.tail {
                    traces.replacing.extend(&call.callees);
                }
            }
            for (inst, data) in defined.body.insts.iter().filter(|(_, data)| is_call(&data.op)) {
                let callees = traces.callees.get(&(func, data.offset)).copied().flatten();
                for &callee in callees.unwrap_or_default() {
                    traces.results.entry(callee).or_default().push((func, inst));
                }
            }
        }
        traces
    }

    /// Whether something may be written by way of addresses that are made there.
    fn may_write(&self, made: &[(Func, Value)]) -> bool {
        let mut seen: BTreeSet<(Func, Value)> = made.iter().copied().collect();
        let mut waiting: Vec<(Func, Value)> = made.to_vec();
        while let Some((func, value)) = waiting.pop() {
            let Some(uses) = self.uses.get(&func) else { return true };
            for used in &uses[value.0 as usize] {
                let Some(next) = self.follow(func, *used) else { return true };
                waiting.extend(next.into_iter().filter(|it| seen.insert(*it)));
            }
            if seen.len() > MOST_STEPS {
                return true;
            }
        }
        false
    }

    /// Where a value goes that is used so; none if something may be written then.
    fn follow(&self, func: Func, used: Use) -> Option<Vec<(Func, Value)>> {
        let body = &self.program.functions[func].defined()?.body;
        let (inst, place) = match used {
            Use::Passed(value) => return Some(vec![(func, value)]),
            Use::Returned(place) => return self.given_back(func, place),
            Use::Lost => return None,
            Use::Operand(inst, place) => (&body.insts[inst], place),
        };
        let results = || body.list(inst.results).iter().map(|&result| (func, result)).collect();
        match (&inst.op, Access::of(&inst.op), Scalar::of(&inst.op)) {
            (op, ..) if is_call(op) => self.given_to_callees(func, inst.offset, op, place),
            (_, Some(access), _) => (place == 0 && !access.store).then(Vec::new),
            // Whether it is less than another tells nobody where it is.
            (
                _,
                _,
                Some(
                    Scalar::Compare(_) | Scalar::CompareExchanged(_) | Scalar::CompareNot(_) | Scalar::IsZero,
                ),
            ) => Some(Vec::new()),
            (_, _, Some(_)) => Some(results()),
            (op, ..) if is_select(op) => Some(if place < 2 { results() } else { Vec::new() }),
            // From there, and so many.
            (Op::MemoryCopy { .. }, ..) => (place > 0).then(Vec::new),
            _ => None,
        }
    }

    /// The parameters that an operand of a call becomes.
    fn given_to_callees(&self, func: Func, at: u32, op: &Op, place: usize) -> Option<Vec<(Func, Value)>> {
        let callees = self.callees.get(&(func, at)).copied().flatten()?;
        let mut given = Vec::new();
        for &callee in callees {
            let params = &self.program.signature(callee).params;
            // Which function is called: no address of a variable's.
            if matches!(op, Op::CallIndirect { .. }) && place >= params.len() {
                continue;
            }
            // The host may write wherever it is told to.
            let body = &self.program.functions[callee].defined()?.body;
            given.push((callee, *body.list(body.blocks[Body::ENTRY].params).get(place)?));
        }
        Some(given)
    }

    /// What calls of a function have given; none if others may be given it, too.
    fn given_back(&self, func: Func, place: usize) -> Option<Vec<(Func, Value)>> {
        if self.replacing.contains(&func) {
            return None;
        }
        let calls = self.results.get(&func).map_or(&[][..], Vec::as_slice);
        let result = |&(caller, inst): &(Func, Inst)| {
            let body = &self.program.functions[caller].defined()?.body;
            Some((caller, *body.list(body.insts[inst].results).get(place)?))
        };
        calls.iter().map(result).collect()
    }
}

/// The uses of each value of a function that matter: those in blocks that are executed, but for places to which something was stored in the past.
fn uses(body: &Body, executed: impl Fn(Block) -> Executed) -> Vec<Vec<Use>> {
    let mut uses: Vec<Vec<Use>> = vec![Vec::new(); body.values.len()];
    let mut add = |value: Value, used: Use| uses[value.0 as usize].push(used);
    for (block, data) in body.blocks.iter() {
        let executed = executed(block);
        if executed == Executed::Never {
            continue;
        }
        for inst in data.insts() {
            let is_store = Access::of(&body.insts[inst].op).is_some_and(|access| access.store);
            let is_over = |place: usize| executed == Executed::Before && is_store && place == 0;
            let args = body.list(body.insts[inst].args).iter().enumerate();
            let args = args.filter(|(place, _)| !is_over(*place));
            args.for_each(|(place, &value)| add(value, Use::Operand(inst, place)));
        }
        for edge in data.end.edges() {
            let params = body.list(body.blocks[edge.to].params);
            body.list(edge.args)
                .iter()
                .zip(params)
                .for_each(|(&value, &param)| add(value, Use::Passed(param)));
        }
        match &data.end {
            Terminator::Return(values) => {
                let values = body.list(*values).iter().enumerate();
                values.for_each(|(place, &value)| add(value, Use::Returned(place)));
            }
            Terminator::TailCall { args, .. } | Terminator::Throw { args, .. } => {
                body.list(*args).iter().for_each(|&value| add(value, Use::Lost));
            }
            _ => {}
        }
    }
    uses
}
