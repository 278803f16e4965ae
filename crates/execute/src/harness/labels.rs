//! The labels that a program can reach, as far as its code shows: texts that it says to its harness.

use super::{Place, Service, What};
use coax_program::ir::{Body, Def, Inst, Op, Value};
use coax_program::{Code, Func, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The labels of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// The texts, as they are when it begins.
    pub names: BTreeSet<String>,
    /// Whether there may be others, which are made while it runs.
    pub has_others: bool,
}

impl Labels {
    /// Looks at a program.
    pub fn of(program: &Program) -> Labels {
        let mut labels = Labels::default();
        let services = services(program);
        if services.is_empty() {
            return labels;
        }
        let texts = program.first_data().unwrap_or_default();
        let graph = program.calls();
        for (func, function) in program.functions.iter() {
            let indirect = graph.calls[func].iter().filter(|call| call.indirect || call.tail);
            labels.has_others |= indirect.flat_map(|call| &call.callees).any(|it| services.contains_key(it));
            let Some(defined) = function.defined() else { continue };
            let body = &defined.body;
            for data in body.blocks.values() {
                for inst in data.insts() {
                    let Some(place) = label_place(body, inst, &services) else { continue };
                    let argument = body.list(body.insts[inst].args).get(place).copied();
                    match argument.and_then(|value| constant(body, value)).and_then(|at| text_at(&texts, at))
                    {
                        Some(text) => {
                            labels.names.insert(text);
                        }
                        None => labels.has_others = true,
                    }
                }
                // There may be one among calls whose exceptions are caught: these end their blocks.
                labels.has_others |= !data.end.handlers().is_empty();
            }
        }
        labels
    }
}

/// The imports that take a label, with the place of it among their arguments.
fn services(program: &Program) -> BTreeMap<Func, Place> {
    let place = |func: Func| {
        let Code::Import(number) = program.functions[func].code else { return None };
        let import = &program.imports[number];
        match Service::find(&import.module, &import.name, program.signature(func))?.what {
            What::Label(place) => Some((func, place)),
            _ => None,
        }
    };
    program.functions.ids().filter_map(place).collect()
}

/// The place of the label, if an instruction says one.
fn label_place(body: &Body, inst: Inst, services: &BTreeMap<Func, Place>) -> Option<Place> {
    match body.insts[inst].op {
        Op::Call { function_index } => services.get(&Func(function_index)).copied(),
        _ => None,
    }
}

/// A value that is always the same.
fn constant(body: &Body, value: Value) -> Option<u32> {
    let Def::Result(inst, _) = body.values[value].def else { return None };
    match body.insts[inst].op {
        Op::I32Const { value } => Some(value as u32),
        _ => None,
    }
}

/// The text at an address, up to a zero, as it is when a program begins.
fn text_at(data: &[(u64, &[u8])], address: u32) -> Option<String> {
    let address = u64::from(address);
    let holds = |(at, bytes): &&(u64, &[u8])| (*at..at.saturating_add(bytes.len() as u64)).contains(&address);
    let (at, bytes) = data.iter().rev().find(holds)?;
    let text = &bytes[(address - at) as usize..];
    let length = text.iter().position(|byte| *byte == 0)?;
    String::from_utf8(text[..length].to_vec()).ok()
}
