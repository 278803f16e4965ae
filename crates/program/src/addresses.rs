//! Which numbers in the code and in data are addresses, and of what: the linker's relocations tell.
//!
//! A number alone does not: the address `table - 4` that a compiler makes for a loop may be that of another variable.

use crate::hash::linking::{Linking, Symbol};
use crate::program::{DataPlace, DataSegment, Func, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wasmparser::{BinaryReader, RelocationEntry, RelocationType};

/// All addresses that a module mentions.
#[derive(Debug, Default)]
pub struct Addresses {
    /// Where static variables and constants are in memory, in order; none overlaps another.
    pub variables: Vec<Range<u64>>,
    /// By the place of the number in the module.
    in_code: BTreeMap<u32, Address>,
    /// By the place of the number in memory.
    in_data: BTreeMap<u64, Address>,
    /// The variables to which no code may write.
    constants: BTreeSet<u32>,
}

/// What an address is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// A variable, by its number.
    Variable(u32),
    /// A function: its slot in the table.
    Function(Func),
    /// Where variables end, and what is behind them.
    End,
}

/// What the linker makes that is at no variable.
const ENDS: [&str; 6] =
    ["__heap_base", "__heap_end", "__data_end", "__stack_low", "__stack_high", "__dso_handle"];

impl Addresses {
    /// Reads them; none if the module has no relocations, or some that are not understood.
    pub fn read(program: &Program) -> Option<Addresses> {
        // What is placed later, or elsewhere, is not to be seen here.
        let is_first = |segment: &DataSegment| matches!(segment.place, DataPlace::Active(0, Some(_)));
        let linking = Linking::read(program).filter(|_| program.data.iter().all(is_first))?;
        let mut found = Vec::new();
        for relocation in linking.all() {
            let symbol = linking.symbols.get(relocation.index as usize);
            // An address that is in a global: which code takes it from there is not followed.
            if let (RelocationType::GlobalIndexLeb, Some(Symbol::Data { .. })) = (relocation.ty, symbol) {
                return None;
            }
            if let Some(kind) = Kind::of(relocation.ty)? {
                found.push((relocation, kind, number(&program.wasm, relocation)?));
            }
        }
        let variables = variables(&linking, &found)?;
        let mut addresses = Addresses { variables, ..Addresses::default() };
        for (relocation, kind, number) in found {
            let address = match (kind, &linking.symbols[relocation.index as usize]) {
                (Kind::Slot, Symbol::Func(func)) => Address::Function(*func),
                (Kind::Memory, Symbol::Data { size: None | Some(0), name, .. }) if ENDS.contains(name) => {
                    Address::End
                }
                (Kind::Memory, Symbol::Data { size: Some(1..), constant, .. }) => {
                    let variable = addresses.variable_at(beginning(relocation, number).into())?;
                    if *constant {
                        addresses.constants.insert(variable);
                    }
                    Address::Variable(variable)
                }
                _ => return None,
            };
            match place_in_memory(program, relocation.offset) {
                Some(at) => addresses.in_data.insert(at, address),
                None => addresses.in_code.insert(relocation.offset, address),
            };
        }
        Some(addresses)
    }

    /// The variable that has this byte, by its number.
    pub fn variable_at(&self, at: u64) -> Option<u32> {
        let number = self.variables.partition_point(|variable| variable.end <= at);
        self.variables.get(number).filter(|variable| variable.contains(&at)).map(|_| number as u32)
    }

    /// Whether no code may write to a variable.
    pub fn is_constant(&self, variable: u32) -> bool {
        self.constants.contains(&variable)
    }

    /// The addresses in a part of the module's code, by the place of the number.
    pub fn in_code(&self, bytes: Range<u32>) -> impl Iterator<Item = (u32, Address)> + '_ {
        self.in_code.range(bytes).map(|(at, address)| (*at, *address))
    }

    /// The addresses that memory holds when the program begins.
    pub fn in_memory(&self) -> impl Iterator<Item = Address> + '_ {
        self.in_data.values().copied()
    }
}

/// What the number of a relocation is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Memory,
    Slot,
}

impl Kind {
    /// None of one that is not understood, nothing for what is no address.
    #[expect(
        clippy::option_option,
        reason = "what is not understood is something else than what does not matter"
    )]
    fn of(ty: RelocationType) -> Option<Option<Kind>> {
        use RelocationType as R;
        Some(match ty {
            R::MemoryAddrLeb | R::MemoryAddrSleb | R::MemoryAddrI32 => Some(Kind::Memory),
            R::TableIndexSleb | R::TableIndexI32 => Some(Kind::Slot),
            R::FunctionIndexLeb
            | R::TypeIndexLeb
            | R::GlobalIndexLeb
            | R::EventIndexLeb
            | R::TableNumberLeb => None,
            _ => return None,
        })
    }
}

/// The number that the linker has put there.
fn number(wasm: &[u8], relocation: &RelocationEntry) -> Option<u32> {
    let mut reader = BinaryReader::new(wasm.get(relocation.offset as usize..)?, 0);
    match relocation.ty {
        RelocationType::MemoryAddrLeb => reader.read_var_u32().ok(),
        RelocationType::MemoryAddrSleb | RelocationType::TableIndexSleb => {
            reader.read_var_i32().ok().map(|number| number as u32)
        }
        _ => reader.read_u32().ok(),
    }
}

/// Where the symbol of a relocation begins, whose number is this.
fn beginning(relocation: &RelocationEntry, number: u32) -> u32 {
    number.wrapping_sub(relocation.addend as u32)
}

/// The variables that are mentioned; symbols that overlap are one. None if relocations contradict each other.
fn variables(linking: &Linking<'_>, found: &[(&RelocationEntry, Kind, u32)]) -> Option<Vec<Range<u64>>> {
    let mut starts: BTreeMap<u32, u32> = BTreeMap::new();
    let mut symbols: Vec<Range<u64>> = Vec::new();
    for (relocation, _, number) in found.iter().filter(|(_, kind, _)| *kind == Kind::Memory) {
        let Some(Symbol::Data { size: Some(size @ 1..), .. }) =
            linking.symbols.get(relocation.index as usize)
        else {
            continue;
        };
        let start = beginning(relocation, *number);
        match starts.insert(relocation.index, start) {
            Some(other) if other != start => return None,
            Some(_) => {}
            None => symbols.push(u64::from(start)..u64::from(start) + u64::from(*size)),
        }
    }
    symbols.sort_by_key(|symbol| (symbol.start, symbol.end));
    let mut variables: Vec<Range<u64>> = Vec::new();
    for symbol in symbols {
        match variables.last_mut() {
            Some(last) if symbol.start < last.end => last.end = last.end.max(symbol.end),
            _ => variables.push(symbol),
        }
    }
    Some(variables)
}

/// Where a byte of the module is in memory when the program begins, if it is part of the data.
fn place_in_memory(program: &Program, offset: u32) -> Option<u64> {
    let offset = offset as usize;
    let segment = program.data.iter().find(|segment| segment.bytes.contains(&offset))?;
    match segment.place {
        DataPlace::Active(0, Some(at)) => Some(at + (offset - segment.bytes.start) as u64),
        _ => None,
    }
}
