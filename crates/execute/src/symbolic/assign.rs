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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::ParameterPlan;
    use crate::symbolic::symbols::model;
    use crate::{Argument, Content, Field, Number, Object, Room, Test, Value};
    use coax_term::Terms;

    /// An input of every kind.
    fn input() -> Input {
        let json = r#"{ "format": 1, "input": {
            "params": [
                {"name": "x", "i32": 5}, {"f64": 1.5},
                {"name": "buf", "bytes": "abcd"}, {"length_of": "buf"}, {"string": "text"},
                {"name": "list", "pointer": {"size": 8, "fields": [
                    {"name": "value", "at": 0, "i16": 7},
                    {"name": "next", "at": 4, "pointer": {"size": 8, "fields": [{"name": "value", "at": 0, "u8": 3}]}}]}}],
            "args": ["-v", "file"], "stdin": "input", "files": {"a.txt": "content"},
            "values": [{"name": "n", "i32": 1}, {"name": "b", "bytes": "xyz"}] } }"#;
        Test::from_json("input", json).expect("it is a test").input
    }

    /// The names and widths of the symbols that runs of an input may have; lengths stay as they are.
    fn symbols(input: &Input) -> Vec<(String, u8)> {
        let plan = ParameterPlan::of_input(input);
        let mut all: Vec<(String, u8)> =
            plan.symbols().map(|symbol| (symbol.name.clone(), symbol.width)).collect();
        let rows = [("stdin", 5), ("arg1", 2), ("arg2", 4), ("files/a.txt", 7), ("b", 3)];
        all.extend(
            rows.iter().flat_map(|(row, count)| (0..*count).map(move |at| (format!("{row}[{at}]"), 8))),
        );
        all.push(("n".into(), 32));
        all
    }

    #[test]
    fn what_is_assigned_is_what_is_read() {
        let input = input();
        let mut terms = Terms::new();
        let symbols: Vec<(String, u8)> =
            symbols(&input).into_iter().filter(|(name, _)| !name.ends_with(".length")).collect();
        assert!(symbols.len() > 30, "all kinds are there: {symbols:?}");
        // Each symbol gets a value of its own.
        let value = |name: &str| {
            let (place, (_, width)) = symbols.iter().enumerate().find(|(_, (it, _))| it == name)?;
            Some((0x0123_4567_89ab_cdef_u64.rotate_left(place as u32 * 7)) & (u64::MAX >> (64 - width)))
        };
        let changed = input.with_values(&input.values, 0, &value);
        for (name, width) in &symbols {
            terms.symbol(name, *width);
        }
        let model = model(&terms, &changed, &changed.values);
        for (name, _) in &symbols {
            let symbol = terms.find_symbol(name).expect("it was made");
            assert_eq!(model.given(symbol), value(name), "{name}");
        }
    }

    #[test]
    fn lengths_change_what_they_count() {
        let value = |name: &str| match name {
            "stdin.length" => Some(7),
            "stdin[6]" => Some(9),
            "buf.length" => Some(2),
            "files/a.txt.length" => Some(0),
            _ => None,
        };
        let changed = input().with_values(&[], 0, &value);
        assert_eq!(changed.stdin.0, b"input\0\x09");
        assert!(changed.files["a.txt"].0.is_empty());
        assert_eq!(changed.params[2].content, Content::Bytes(Room::Pages, "ab".into()));
    }

    #[test]
    fn arrays_of_structures_grow_by_elements_like_the_first() {
        let field =
            |name: &str, at| Field { at, argument: Argument::from(Value::I32(at as i32 + 1)).named(name) };
        let fields = vec![field("[0].a", 0), field("[0].b", 4)];
        let array = Object::new(Room::Pages, 8, fields);
        let length = Content::length_of("array", 8);
        let params = vec![
            Argument::new(Content::Pointer(Some(array))).named("array"),
            Argument::new(length).named("count"),
        ];
        let value = |name: &str| match name {
            "count" => Some(3),
            "array[2].b" => Some(77),
            _ => None,
        };
        let changed = Input { params, ..Input::default() }.with_values(&[], 0, &value);
        let Content::Pointer(Some(array)) = &changed.params[0].content else {
            panic!("it is still a pointer")
        };
        assert_eq!((array.size, array.fields.len()), (24, 6));
        let last = array.fields.last().expect("there are six");
        assert_eq!((last.at, last.argument.name.as_deref()), (20, Some("[2].b")));
        assert_eq!(last.argument.content, Content::Number(Number::Value(Value::I32(77))));
    }
}
