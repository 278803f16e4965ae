//! What there is besides the code: static variables and what they begin as, functions and their slots.

use super::known::{Known, Numbers, Object, Offsets, Places};
use coax_program::addresses::{Address, Addresses};
use coax_program::{DataPlace, Func, Program};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// What there is besides the code.
pub(super) struct World<'p> {
    pub(super) program: &'p Program,
    /// Which numbers are addresses, if that is of use.
    addresses: Option<Addresses>,
    /// What is written to memory before the program begins, in that order.
    data: Vec<(u64, &'p [u8])>,
    /// Which slots of the table each function has.
    slots: BTreeMap<Func, Vec<u64>>,
    /// What each variable begins as, wherever in it.
    anywhere: Vec<OnceLock<Anywhere>>,
}

/// What a variable begins as, wherever in it.
struct Anywhere {
    is_zero: bool,
    places: Places,
}

/// Below this there are no variables.
const LOWEST_ADDRESS: u64 = 1024;

impl<'p> World<'p> {
    /// Where every number is just a number.
    pub(super) fn of_numbers(program: &'p Program) -> World<'p> {
        World { program, addresses: None, data: Vec::new(), slots: slots(program), anywhere: Vec::new() }
    }

    /// Where addresses are made from variables; none if nobody knows which are, or if memory may change in other ways than are followed.
    pub(super) fn of_addresses(program: &'p Program) -> Option<World<'p>> {
        let is_passive = program.data.iter().any(|segment| segment.place == DataPlace::Passive);
        let memory = program.memories.first().filter(|_| program.memories.len() == 1)?;
        if is_passive || memory.ty.memory64 || memory.ty.shared || memory_is_imported(program) {
            return None;
        }
        let addresses = Addresses::read(program)?;
        if addresses.variables.first().is_some_and(|first| first.start < LOWEST_ADDRESS) {
            return None;
        }
        Some(World {
            program,
            anywhere: addresses.variables.iter().map(|_| OnceLock::new()).collect(),
            addresses: Some(addresses),
            data: program.first_data()?,
            slots: slots(program),
        })
    }

    /// Whether addresses are told apart from numbers.
    pub(super) fn has_addresses(&self) -> bool {
        self.addresses.is_some()
    }

    /// A number that is smaller is no address.
    pub(super) fn lowest_address(&self) -> u64 {
        LOWEST_ADDRESS
    }

    /// The address that an operator has in itself.
    pub(super) fn address_in(&self, op: &coax_program::ir::Op, offset: u32) -> Option<Known> {
        self.addresses.as_ref()?.of_operator(op, offset).map(known)
    }

    /// Whether functions, if they are called by an address, are called by one that is made from them.
    pub(super) fn signature_fits(&self, func: Func, type_index: u32) -> bool {
        *self.program.signature(func) == self.program.types[type_index as usize]
    }

    /// All numbers that a value may be, as which an address counts, too.
    pub(super) fn hull(&self, known: &Known, width: u8) -> Numbers {
        let mut numbers = known.numbers.clone();
        for (object, offsets) in known.places.iter() {
            let of_place = match (object, offsets) {
                (_, Offsets::Part) => continue,
                // More than an address may have been put together in it.
                _ if width != 32 => Numbers::all(width),
                (Object::Variable(variable), Offsets::Few(few)) => {
                    let start = self.variable(variable).start as u32;
                    let at = |offset: &i32| u64::from(start.wrapping_add(*offset as u32));
                    Numbers::from_few(few.iter().map(at).collect())
                }
                (Object::Code(func), Offsets::Few(few)) if few[..] == [0] => {
                    Numbers::from_few(self.slots.get(&func).cloned().unwrap_or_default())
                }
                // Nothing is at address zero.
                (Object::Variable(_) | Object::Frame(_), _) => Numbers::Between(1, coax_term::mask(32)),
                (Object::Code(_) | Object::Outside, _) => Numbers::all(32),
            };
            numbers.add(&of_place);
        }
        numbers
    }

    fn variable(&self, variable: u32) -> Range<u64> {
        let addresses = self.addresses.as_ref().expect("who knows a variable knows addresses");
        addresses.variables[variable as usize].clone()
    }

    /// What bytes of a variable begin as; none stands for any place in it.
    pub(super) fn first(&self, variable: u32, at: Option<i32>, bytes: u32) -> Known {
        let whole = self.variable(variable);
        let addresses = self.addresses.as_ref().expect("who knows a variable knows addresses");
        let width = (8 * bytes.min(8)) as u8;
        let Some(at) = at else { return self.first_anywhere(variable, bytes) };
        let begin = whole.start.wrapping_add_signed(at.into());
        // What lies elsewhere is never read.
        if begin < whole.start || begin + u64::from(bytes) > whole.end || bytes > 8 {
            return Known::any(width);
        }
        let around = addresses.in_memory(begin.saturating_sub(3)..begin + u64::from(bytes));
        match around.collect::<Vec<_>>()[..] {
            [] => {
                let byte = |place: u32| u64::from(self.byte(begin + u64::from(place))) << (8 * place);
                Known::number((0..bytes).map(byte).sum())
            }
            [(place, address)] if place == begin && bytes == 4 => known(address),
            ref several => {
                let mut all = Known::any(width);
                several.iter().for_each(|(_, address)| {
                    all.add(&known(*address).smeared(width));
                });
                all
            }
        }
    }

    fn first_anywhere(&self, variable: u32, bytes: u32) -> Known {
        let found = self.anywhere[variable as usize].get_or_init(|| {
            let addresses = self.addresses.as_ref().expect("who knows a variable knows addresses");
            let whole = self.variable(variable);
            let mut places = Places::default();
            addresses.in_memory(whole.clone()).for_each(|(_, address)| {
                places.add(&known(address).places);
            });
            Anywhere { is_zero: whole.into_iter().all(|at| self.byte(at) == 0), places }
        });
        let places = if bytes == 4 { found.places.clone() } else { found.places.smeared() };
        let numbers = if found.is_zero { Numbers::one(0) } else { Numbers::all((8 * bytes.min(8)) as u8) };
        Known { numbers, places }
    }

    /// A byte of memory when the program begins.
    fn byte(&self, at: u64) -> u8 {
        let holds = |(begin, bytes): &&(u64, &[u8])| (*begin..begin + bytes.len() as u64).contains(&at);
        self.data.iter().rev().find(holds).map_or(0, |(begin, bytes)| bytes[(at - begin) as usize])
    }
}

/// An address as a value.
fn known(address: Address) -> Known {
    match address {
        Address::Variable(variable, offset) => Known::place(Object::Variable(variable), Offsets::one(offset)),
        Address::Function(func) => Known::place(Object::Code(func), Offsets::one(0)),
        Address::Other => Known { places: Places::one(Object::Outside, Offsets::Any), ..Known::any(32) },
    }
}

fn slots(program: &Program) -> BTreeMap<Func, Vec<u64>> {
    let mut slots: BTreeMap<Func, Vec<u64>> = BTreeMap::new();
    for table in &program.tables {
        table.slots.iter().for_each(|(slot, func)| slots.entry(*func).or_default().push(*slot));
    }
    slots
}

fn memory_is_imported(program: &Program) -> bool {
    program.imports.iter().any(|import| matches!(import.kind, coax_program::Extern::Memory(_)))
}
