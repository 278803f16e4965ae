//! What indices and symbols stand for, said so that it means the same in the next version of the program.

use super::data::{self, Contents};
use super::linking::{Linking, Symbol};
use crate::debug_info::path::unit_file_name;
use crate::entity::Id;
use crate::names::{demangle, without_clone_suffix, without_rust_hash};
use crate::program::{Extern, Func, Program, Signature};
use std::collections::{BTreeMap, BTreeSet};

/// Text for each thing that code may mention.
pub(super) struct Identities {
    pub functions: Vec<String>,
    pub types: Vec<String>,
    pub globals: Vec<String>,
    pub tables: Vec<String>,
    pub tags: Vec<String>,
    /// By the linker's number.
    pub symbols: Vec<String>,
}

impl Identities {
    pub fn new(program: &Program, linking: Option<&Linking<'_>>, contents: Contents) -> Identities {
        let functions = functions(program, linking);
        let types = Vec::from_iter(program.types.iter().map(signature));
        let global = |(index, global): (usize, &crate::program::Global)| match &global.name {
            Some(name) => format!("global {name}"),
            None => format!("global #{index}"),
        };
        let mut globals = Vec::from_iter(program.globals.iter().enumerate().map(global));
        let mut tables = Vec::from_iter((0..program.tables.len()).map(|index| format!("table #{index}")));
        let tag = |(index, ty): (usize, &u32)| format!("tag #{index} {}", types[*ty as usize]);
        let mut tags = Vec::from_iter(program.tags.iter().enumerate().map(tag));
        for import in &program.imports {
            let name = || format!("import {} {}", import.module, import.name);
            match import.kind {
                Extern::Global(index) => globals[index as usize] = name(),
                Extern::Table(index) => tables[index as usize] = name(),
                Extern::Tag(index) => tags[index as usize] = name(),
                Extern::Func(_) | Extern::Memory(_) => {}
            }
        }
        let symbols =
            linking.map(|linking| symbols(program, linking, &functions, contents)).unwrap_or_default();
        Identities { functions, types, globals, tables, tags, symbols }
    }
}

fn signature(signature: &Signature) -> String {
    let list = |types: &[crate::ir::ValType]| {
        let types = types.iter().map(ToString::to_string);
        types.collect::<Vec<_>>().join(" ")
    };
    format!("type {} -> {}", list(&signature.params), list(&signature.results))
}

/// Functions are known by name. Where a name may be used twice, because only its own file can see it or
/// because it is a Rust generic, the file and the values of the type parameters are added.
fn functions(program: &Program, linking: Option<&Linking<'_>>) -> Vec<String> {
    let local = linking.map(|linking| linking.local_functions.iter().copied()).into_iter().flatten();
    let local: BTreeSet<Func> = local.collect();
    let name = |func: Func| {
        let function = &program.functions[func];
        let Some(defined) = function.defined() else { return format!("function {}", function.symbol) };
        let symbol = without_clone_suffix(&function.symbol);
        let rust = without_rust_hash(symbol);
        if rust.is_none() && !local.contains(&func) {
            let name = if symbol.starts_with("_R") { demangle(symbol) } else { symbol.to_string() };
            return format!("function {name}");
        }
        let offset = defined.range.start;
        let file = program.debug.unit_of(offset).map(|unit| unit_file_name(&program.debug.units[unit].name));
        let short_name = program.debug.short_name(offset).filter(|_| rust.is_some());
        let name = rust.unwrap_or(symbol);
        format!("function {name} {} {}", short_name.unwrap_or_default(), file.unwrap_or_default())
    };
    let mut names = Vec::from_iter(program.functions.ids().map(name));
    for import in &program.imports {
        if let Extern::Func(func) = import.kind {
            names[func.index()] = format!("import {} {}", import.module, import.name);
        }
    }
    number_equals(names)
}

/// The linker's symbols: functions as above, data by name, and these also by their contents.
fn symbols(
    program: &Program,
    linking: &Linking<'_>,
    functions: &[String],
    contents: Contents,
) -> Vec<String> {
    let users = users(program, linking);
    let mut names = Vec::with_capacity(linking.symbols.len());
    for (index, symbol) in linking.symbols.iter().enumerate() {
        names.push(match *symbol {
            Symbol::Func(func) => functions.get(func.index()).cloned().unwrap_or_default(),
            Symbol::Data { name, local: false, .. } => format!("data {}", without_hash(name)),
            Symbol::Data { name, .. } => {
                let file = users.get(&index).copied().unwrap_or_default();
                format!("data {} {file}", without_number(without_hash(name)))
            }
            Symbol::Other { kind, name: Some(name), .. } => format!("{kind} {name}"),
            Symbol::Other { kind, name: None, index } => format!("{kind} number {index}"),
        });
    }
    // Functions have their numbers already; several symbols may be the same function.
    let is_data = |index: usize| matches!(linking.symbols[index], Symbol::Data { .. });
    let (data, others): (Vec<usize>, Vec<usize>) = (0..names.len()).partition(|&index| is_data(index));
    let numbered = number_equals(data.iter().map(|&index| names[index].clone()).collect());
    let mut all = vec![String::new(); names.len()];
    for (index, name) in data.into_iter().zip(numbered) {
        all[index] = name;
    }
    for index in others {
        all[index] = std::mem::take(&mut names[index]);
    }
    data::with_contents(program, linking, all, contents)
}

/// The file in which each symbol is used first. A local symbol is used in its own file only.
fn users<'a>(program: &'a Program, linking: &Linking<'_>) -> BTreeMap<usize, &'a str> {
    let mut users = BTreeMap::new();
    for function in program.functions.values() {
        let Some(defined) = function.defined() else { continue };
        let Some(unit) = program.debug.unit_of(defined.range.start) else { continue };
        let file = unit_file_name(&program.debug.units[unit].name);
        for relocation in linking.relocations(&defined.range) {
            users.entry(relocation.index as usize).or_insert(file);
        }
    }
    users
}

/// Tells equal names apart by their order.
fn number_equals(names: Vec<String>) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let number = |name: String| match seen.get_mut(&name) {
        None => {
            seen.insert(name.clone(), 0);
            name
        }
        Some(count) => {
            *count += 1;
            format!("{name} #{count}")
        }
    };
    names.into_iter().map(number).collect()
}

fn without_hash(name: &str) -> &str {
    let name = without_clone_suffix(name);
    without_rust_hash(name).unwrap_or(name)
}

/// The name of a static variable without the number that LLVM adds when a name is taken: `f.buffer.3`.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number)) if !stem.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()) => {
            stem
        }
        _ => name,
    }
}
