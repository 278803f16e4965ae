//! Which parts of an input are symbols, and the values that an input gives to them.

use super::input::byte_name;
use super::lengths::lengthy;
use crate::arguments::{ParameterPlan, PlannedSymbol};
use crate::world::{STDIN_SOURCE, argument_source, fault_name, file_source, length_name};
use crate::{Answer, Error, Input, Request};
use coax_term::{Model, Terms};

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

/// The values that an input gives to symbols of a run that asked for all this.
pub fn model(terms: &Terms, input: &Input, asked: &[Request]) -> Model {
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
