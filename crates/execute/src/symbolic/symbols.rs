//! Which parts of an input are symbols, and the values that an input gives to them.

use super::input::byte_name;
use crate::arguments::{ParameterPlan, PlannedSymbol};
use crate::world::{STDIN_SOURCE, argument_source, fault_name, file_source, length_name};
use crate::{Answer, Data, Error, Input, Request};
use coax_term::{Algebra, Binary, Model, Symbol, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Which kinds of input are symbols: of arguments, standard input and files, those that the input itself says ([`Input::symbols`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbols {
    /// The parameters of the entry function, by their names or as `param0`, `param1`…, and what they point to.
    pub params: bool,
    /// The first so many bytes of standard input: `stdin[0]`, `stdin[1]`…
    pub stdin: u64,
    /// The program's arguments: `arg1[0]`…
    pub args: bool,
    /// The bytes of files: `files/a.txt[0]`…
    pub files: bool,
    /// How many bytes standard input (if it is symbols) and files have: `stdin.length`, `files/a.txt.length`.
    pub lengths: bool,
    /// Whether reads and writes go wrong, and how: `io-fault[1]`, `io-fault[2]`…
    pub faults: bool,
    /// How many bytes an input can have at most whose length is a symbol.
    pub longest: u64,
}

impl Symbols {
    /// Nothing is.
    pub const NONE: Symbols = Symbols {
        params: false,
        stdin: 0,
        args: false,
        files: false,
        lengths: false,
        faults: false,
        longest: u64::MAX,
    };
}

impl Default for Symbols {
    fn default() -> Self {
        Symbols {
            params: true,
            stdin: u64::MAX,
            args: true,
            files: true,
            lengths: true,
            faults: false,
            longest: u64::MAX,
        }
    }
}

/// A part of the input whose length can be another one.
struct Lengthy {
    /// The symbol that is its length, in elements.
    length: String,
    /// What its bytes are called.
    source: String,
    /// How many bytes an element has.
    element: u64,
    /// How many bytes there are in this input.
    bytes: u64,
}

/// All of them.
fn lengthy(input: &Input) -> Vec<Lengthy> {
    let whole = |source: String, data: &Data| Lengthy {
        length: length_name(&source),
        source,
        element: 1,
        bytes: data.0.len() as u64,
    };
    let files = input.files.iter().map(|(path, data)| whole(file_source(path), data));
    let stdin = whole(STDIN_SOURCE.to_owned(), &input.stdin);
    let plan = ParameterPlan::of_input(input);
    let values: BTreeMap<&str, u64> =
        plan.symbols().map(|symbol| (symbol.name.as_str(), symbol.bits)).collect();
    let params = plan.lengths().iter().map(|length| Lengthy {
        length: length.name.clone(),
        source: length.source.clone(),
        element: length.element,
        bytes: values.get(length.name.as_str()).copied().unwrap_or(0).saturating_mul(length.element),
    });
    files.chain([stdin]).chain(params).collect()
}

/// Whether what is given is no longer than symbolic inputs may be.
pub(crate) fn check_lengths(input: &Input, symbols: Symbols) -> Result<(), Error> {
    if symbols.longest == u64::MAX {
        return Ok(());
    }
    let arguments = input.args.iter().zip(1..).filter(|_| symbols.args);
    let arguments = arguments.map(|(data, number)| (argument_source(number), data.0.len() as u64));
    let all = lengthy(input).into_iter().map(|it| (it.source, it.bytes)).chain(arguments);
    let mut all = all.filter(|(source, _)| input.is_symbolic(source));
    match all.find(|(_, bytes)| *bytes > symbols.longest) {
        Some((name, bytes)) => Err(Error::TooLong { name, bytes, longest: symbols.longest }),
        None => Ok(()),
    }
}

/// What holds for every input of the form that this one has, and no event says: a byte that these conditions use is there, and nothing is
/// longer than `longest`. Whoever solves conditions of a path adds these to them.
pub fn length_conditions(terms: &mut Terms, input: &Input, conditions: &[Term], longest: u64) -> Vec<Term> {
    let used: BTreeSet<Symbol> =
        conditions.iter().flat_map(|&condition| terms.symbols_of(condition)).collect();
    let mut more = Vec::new();
    for Lengthy { length, source, element, bytes } in lengthy(input) {
        let Some(symbol) = terms.find_symbol(&length) else { continue };
        let symbol = terms.symbol_term(symbol);
        let width = terms.width_of(symbol);
        let largest = u64::MAX >> (64 - width);
        let most = terms.constant(width, (longest / element).min(largest));
        more.push(terms.binary(Binary::Ule, symbol, most));
        let is_used = |index: &u64| {
            terms.find_symbol(&byte_name(&source, *index)).is_some_and(|symbol| used.contains(&symbol))
        };
        if let Some(last) = (0..bytes).rev().find(is_used) {
            let index = terms.constant(width, (last / element).min(largest));
            more.push(terms.binary(Binary::Ult, index, symbol));
        }
    }
    more.retain(|&condition| terms.as_constant(condition).is_none());
    more
}

/// The values that an input gives to symbols of a run that asked for all this.
pub(crate) fn model(terms: &Terms, input: &Input, asked: &[Request]) -> Model {
    let mut model = Model::new();
    let mut set = |name: &str, value: u64| {
        if let Some(symbol) = terms.find_symbol(name) {
            model.set(symbol, value);
        }
    };
    for PlannedSymbol { name, bits, .. } in ParameterPlan::of_input(input).symbols() {
        set(name, *bits);
    }
    let set_each = |set: &mut dyn FnMut(&str, u64), source: &str, bytes: &[u8]| {
        for (index, &byte) in (0..).zip(bytes) {
            set(&byte_name(source, index), byte.into());
        }
    };
    let set_bytes = |set: &mut dyn FnMut(&str, u64), source: &str, bytes: &[u8]| {
        set(&length_name(source), bytes.len() as u64);
        set_each(set, source, bytes);
    };
    set_bytes(&mut set, STDIN_SOURCE, &input.stdin.0);
    for (argument, number) in input.args.iter().zip(1..) {
        set_bytes(&mut set, &argument_source(number), &argument.0);
    }
    for (path, data) in &input.files {
        set_bytes(&mut set, &file_source(path), &data.0);
    }
    for (&number, &fault) in &input.faults {
        set(&fault_name(number), fault as u64);
    }
    for (place, request) in asked.iter().enumerate() {
        let given = input.values.get(place).map_or(&request.value, |given| &given.value);
        match &request.value {
            Answer::Bytes(asked) => {
                let bytes = given.to_bytes(asked.0.len());
                // How many there are is the program's business, no symbol.
                set_each(&mut set, &request.name, bytes.as_ref().unwrap_or(&asked.0));
            }
            Answer::Number(asked) => {
                set(&request.name, given.to_number(asked.kind()).unwrap_or(*asked).bits());
            }
            // Nobody gets anything as it was written.
            Answer::Written(_) => {}
        }
    }
    model
}
