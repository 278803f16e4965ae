//! Another input of the same form: the reverse of reading the values that an input gives to symbols (`symbols.rs`).

use super::input::{SymbolNames, param_name};
use crate::arguments::{Values, assign, assign_bytes};
use crate::world::{STDIN_SOURCE, argument_source, fault_name, file_source, length_name};
use crate::{Answer, Data, Input, IoFault, Request};

impl Input {
    /// The input with other values for its symbols, by their names; those without one keep theirs. What a run of it asked for by
    /// its test harness becomes part of the input.
    pub fn with_values(
        &self,
        asked: &[Request],
        io_calls: u64,
        values: &dyn Fn(&str) -> Option<u64>,
    ) -> Input {
        let mut input = self.clone();
        let surroundings = SymbolNames::of_surroundings(self);
        let name = |(index, argument): (usize, &crate::Argument)| {
            surroundings.free(&argument.name.clone().unwrap_or_else(|| param_name(index)))
        };
        let names: Vec<String> = self.params.iter().enumerate().map(name).collect();
        assign(&mut input.params, &names, &|target| surroundings.free(target), values);
        with_length(&mut input.stdin, STDIN_SOURCE, values);
        for (argument, number) in input.args.iter_mut().zip(1..) {
            assign_bytes(argument, &argument_source(number), values);
        }
        for (path, data) in &mut input.files {
            with_length(data, &file_source(path), values);
        }
        for number in 1..=io_calls {
            match values(&fault_name(number)) {
                None => {}
                Some(how) => match IoFault::from_number(how) {
                    Some(fault) => drop(input.faults.insert(number, fault)),
                    None => drop(input.faults.remove(&number)),
                },
            }
        }
        input.values = asked.iter().map(|request| answered(request, values)).collect();
        input
    }
}

fn with_length(data: &mut Data, source: &str, values: Values<'_>) {
    if let Some(length) = values(&length_name(source)) {
        data.0.resize(length as usize, 0);
    }
    assign_bytes(data, source, values);
}

fn answered(request: &Request, values: Values<'_>) -> Request {
    let mut request = request.clone();
    match &mut request.value {
        Answer::Number(number) => {
            if let Some(bits) = values(&request.name) {
                *number = number.kind().number(bits);
            }
        }
        Answer::Bytes(data) => assign_bytes(data, &request.name, values),
        Answer::Written(_) => {}
    }
    request
}
