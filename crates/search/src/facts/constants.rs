//! Static variables that nothing writes: what they hold is known as long as the program runs.
//!
//! The linker's relocations tell which numbers are addresses, and of which variable. Each is followed through the code that can be called: through operators, into functions and
//! back. If it becomes the place of a store, is stored itself, is given to the host, or goes where it is not followed, then the variable may be written. Only what is left counts:
//! such a variable is written by nobody, unless a write leaves the variable or block that its address was made from. That is assumed of programs, and told
//! ([`super::Trust::writes`]).
//!
//! If the program's past is known, only code that is executed after it counts, and a variable whose address is anywhere by then, in memory or in a call that is under way, may be written.

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
use std::ops::Range;

/// So many values are looked at for one variable: those of which more is made are taken for written.
const MOST_STEPS: usize = 20_000;

/// A number in a call under way that is so near to a variable may be made from its address: compilers let pointers begin before tables. What programs
/// keep in memory are pointers to something.
const NEAR: u64 = 16;

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
        written.extend(past.iter().flat_map(|past| traces.known_addresses(past, &addresses.variables)));
        let mut made: BTreeMap<u32, Vec<(Func, Value)>> = BTreeMap::new();
        for &func in &code.functions {
            let Some(defined) = program.functions[func].defined() else { continue };
            let understood = understood(&defined.body);
            let blocks = blocks(&defined.body);
            for (at, address) in addresses.in_code(defined.range.clone()) {
                let Some(number) = variable(address) else { continue };
                let block = blocks.range(..=at).next_back().map(|(_, block)| *block);
                if block.is_some_and(|block| !code.is_executed(func, block)) {
                    continue;
                }
                match understood.get(&at) {
                    Some(Understood::Constant(result)) => {
                        made.entry(number).or_default().push((func, *result))
                    }
                    Some(Understood::Load) => {}
                    // It may be anything.
                    None => {
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

    fn is_executed(&self, func: Func, block: Block) -> bool {
        self.executed.is_none_or(|executed| {
            let called = executed[func.0 as usize].as_ref();
            called.is_some_and(|called| called.passed[block.0 as usize].is_some())
        })
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

/// An operator with an address in it that is known to write nothing by itself.
enum Understood {
    /// It makes the address this value.
    Constant(Value),
    Load,
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
            (_, Some(Access { store: false, value: Accessed::Scalar { .. }, .. }), _) => {
                understood.insert(inst.offset + 2, Understood::Load);
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
            traces.uses.insert(func, uses(&defined.body, |block| code.is_executed(func, block)));
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

    /// The variables whose addresses may be known to somebody when the past ends: in memory, in globals or to calls that are under way there is a number like that.
    fn known_addresses(&self, past: &Past, variables: &[Range<u64>]) -> BTreeSet<u32> {
        let (Some(first), Some(last)) = (variables.first(), variables.last()) else { return BTreeSet::new() };
        let may_be = |number: &u64| (first.start.saturating_sub(NEAR)..=last.end + NEAR).contains(number);
        let words =
            past.memory.windows(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let kept: BTreeSet<u64> = words.map(u64::from).filter(may_be).collect();
        // What a call under way has computed and does not use any more is known to nobody.
        let values = past.frames.iter().flat_map(|frame| {
            let uses = self.uses.get(&frame.func).into_iter().flatten();
            frame.values.iter().zip(uses).filter(|(_, uses)| !uses.is_empty()).map(|(value, _)| value)
        });
        let values = values.chain(&past.globals).flatten();
        let computed: BTreeSet<u64> =
            values.map(|value| value & u64::from(u32::MAX)).filter(may_be).collect();
        let is_known = |variable: &Range<u64>| {
            let near = variable.start.saturating_sub(NEAR)..=variable.end + NEAR;
            kept.range(variable.start..=variable.end).next().is_some()
                || computed.range(near).next().is_some()
        };
        (0..).zip(variables).filter(|(_, variable)| is_known(variable)).map(|(number, _)| number).collect()
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

/// The uses of each value of a function, in blocks that are executed.
fn uses(body: &Body, is_executed: impl Fn(Block) -> bool) -> Vec<Vec<Use>> {
    let mut uses: Vec<Vec<Use>> = vec![Vec::new(); body.values.len()];
    let mut add = |value: Value, used: Use| uses[value.0 as usize].push(used);
    for (_, data) in body.blocks.iter().filter(|(block, _)| is_executed(*block)) {
        for inst in data.insts() {
            let args = body.list(body.insts[inst].args).iter().enumerate();
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
