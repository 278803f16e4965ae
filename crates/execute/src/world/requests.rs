//! What a program asks for by the functions of a test harness, and what it gets.

use super::Answer;
use crate::arguments::{Plan, PlannedSymbol};
use crate::symbolic::input::SymbolNames;
use crate::{Argument, Content, Data, Input, NumberKind, Room};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Something that a program asked for, and what it got; or is going to get. In JSON it is as an [`Argument`]:
/// `{"name": "x", "i32": 5}`, `{"name": "buffer", "bytes": "text"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Argument", try_from = "Argument")]
pub struct Request {
    /// What the program calls it.
    pub name: String,
    /// The answer.
    pub value: Answer,
}

impl From<Request> for Argument {
    fn from(Request { name, value }: Request) -> Argument {
        let content = match value {
            Answer::Number(number) => Content::Number(number),
            Answer::Bytes(data) => Content::Bytes(Room::default(), data),
            Answer::Written(text) => Content::Text(Room::default(), text.as_str().into()),
        };
        Argument { name: Some(name), content, fixed: false }
    }
}

impl TryFrom<Argument> for Request {
    type Error = &'static str;

    fn try_from(argument: Argument) -> Result<Request, &'static str> {
        let value = match argument.content {
            Content::Number(number) if number.kind().width().is_some() => Answer::Number(number),
            Content::Bytes(_, data) => Answer::Bytes(data),
            Content::Text(_, data) => match String::from_utf8(data.0) {
                Ok(text) => Answer::Written(text),
                Err(error) => Answer::Bytes(Data(error.into_bytes())),
            },
            _ => return Err("a value that the program asks for is a number, \"bytes\" or a \"string\""),
        };
        Ok(Request { name: argument.name.unwrap_or_default(), value })
    }
}

/// So many characters of an answer are repeated in messages.
const LONGEST_QUOTED: usize = 40;

/// The requests of a run.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    /// The answers that the input has, in the order in which they are given.
    given: Vec<Request>,
    /// What was asked for so far.
    asked: Vec<Request>,
    /// How often each name was asked for.
    uses: BTreeMap<String, u32>,
    /// What symbols are called.
    names: SymbolNames,
    /// Answers of the input that are not what was asked for.
    pub(crate) misfits: Vec<String>,
    /// The names that the program itself gave twice.
    pub(crate) repeated: Vec<String>,
    /// Names of the parts of the program that are active: each is part of the names of what is asked for in it.
    pub(crate) scopes: Vec<String>,
    /// Labels that were reached, each once.
    pub(crate) labels: Vec<String>,
}

/// What a request is called by: its own name, or that of the function that made it.
#[derive(Clone, Debug)]
pub(crate) enum Named {
    Own(String),
    After(String),
}

impl Requests {
    /// The answers that an input has; its other parts have names too.
    pub(crate) fn new(input: &Input) -> Self {
        let mut names = SymbolNames::of_surroundings(input);
        for PlannedSymbol { name, .. } in Plan::of_input(input).symbols() {
            names.claim(name);
        }
        Requests { given: input.values.clone(), names, ..Self::default() }
    }

    /// All that was asked for.
    pub(crate) fn take_asked(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.asked)
    }

    /// How many answers of the input were not asked for.
    pub(crate) fn unused(&self) -> usize {
        self.given.len().saturating_sub(self.asked.len())
    }

    /// A number; `default` if the input has none. Its symbol's name, and its bits.
    pub(crate) fn number(&mut self, named: Named, kind: NumberKind, default: u64) -> (Arc<str>, u64) {
        let given = self.given.get(self.asked.len()).map(|given| given.value.number(kind));
        let fits = given.as_ref().is_none_or(|given| given.fits);
        let number = given.map_or_else(|| kind.number(default), |given| given.value);
        let name = self.record(named, Answer::Number(number));
        if !fits {
            self.note_misfit(&format!("which is a number ({})", kind.name()));
        }
        (name, number.bits())
    }

    /// So many bytes; zeros if the input has none. Their symbols' name, and the bytes.
    pub(crate) fn bytes(&mut self, named: Named, count: usize) -> (Arc<str>, Vec<u8>) {
        let given = self.given.get(self.asked.len()).map(|given| given.value.bytes(count));
        let fits = given.as_ref().is_none_or(|given| given.fits);
        let bytes = given.map_or_else(|| vec![0; count], |given| given.value);
        let name = self.record(named, Answer::Bytes(Data(bytes.clone())));
        if !fits {
            self.note_misfit(&format!("which has {count} bytes"));
        }
        (name, bytes)
    }

    fn record(&mut self, named: Named, value: Answer) -> Arc<str> {
        let name = self.unique(named);
        let given = self.given.get(self.asked.len()).map_or("", |given| given.name.as_str());
        if !given.is_empty() && given != name {
            self.misfits
                .push(format!("what is called `{given}` was given to `{name}`: values are given in order"));
        }
        self.asked.push(Request { name: name.clone(), value });
        name.into()
    }

    /// What the input has for the last request is something else than was asked for.
    fn note_misfit(&mut self, is: &str) {
        let place = self.asked.len() - 1;
        let text = match &self.given[place].value {
            Answer::Number(number) => number.passed().to_string(),
            Answer::Bytes(data) => format!("{} bytes", data.0.len()),
            Answer::Written(text) => text.chars().take(LONGEST_QUOTED).collect(),
        };
        self.misfits.push(format!("`{text}` does not fit `{}`, {is}", self.asked[place].name));
    }

    /// A name that nothing else has.
    fn unique(&mut self, named: Named) -> String {
        let (name, is_own) = match named {
            Named::Own(name) => (name, true),
            Named::After(function) => (function, false),
        };
        let scopes = self.scopes.iter().map(String::as_str);
        let name = scopes.chain([name.as_str()]).collect::<Vec<_>>().join("/");
        let used = self.uses.entry(name.clone()).or_default();
        if is_own && *used == 0 && self.names.claim(&name) {
            *used = 1;
            return name;
        }
        if is_own && *used <= 1 {
            self.repeated.push(name.clone());
            *used = 1;
        }
        loop {
            *used += 1;
            let numbered = format!("{name}#{used}");
            if self.names.claim(&numbered) {
                return numbered;
            }
        }
    }

    /// Notes that a label was reached.
    pub(crate) fn reach(&mut self, label: String) {
        if !self.labels.contains(&label) {
            self.labels.push(label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut requests = Requests::default();
        let mut name = |named| requests.number(named, NumberKind::I32, 0).0.to_string();
        assert_eq!(name(Named::Own("x".into())), "x");
        assert_eq!(name(Named::Own("x".into())), "x#2");
        assert_eq!(name(Named::After("nondet_int".into())), "nondet_int#1");
        assert_eq!(name(Named::After("nondet_int".into())), "nondet_int#2");
        assert_eq!(name(Named::Own("nondet_int#1".into())), "nondet_int#1#2");
        assert_eq!(requests.repeated, ["x", "nondet_int#1"]);
    }

    #[test]
    fn no_name_is_that_of_another_part_of_the_input() {
        let param = Argument { name: Some("x".into()), ..Argument::from(crate::Value::I32(1)) };
        let input = Input { params: vec![param], stdin: "ab".into(), ..Input::default() };
        let mut requests = Requests::new(&input);
        let mut bytes = |name: &str| requests.bytes(Named::Own(name.into()), 2).0.to_string();
        assert_eq!(bytes("x"), "x#2");
        assert_eq!(bytes("stdin"), "stdin#2");
        assert_eq!(bytes("b"), "b");
        assert_eq!(&*requests.number(Named::Own("b[0]".into()), NumberKind::I32, 0).0, "b[0]#2");
    }

    #[test]
    fn answers_are_made_to_fit() {
        let given = |value| Request { name: String::new(), value };
        let values = vec![
            given(Answer::Number(NumberKind::I32.number(0x1_02_03))),
            given(Answer::Bytes(Data(vec![7]))),
            given(Answer::Number(NumberKind::I32.number(0x0403_0201))),
        ];
        let mut requests = Requests::new(&Input { values, ..Input::default() });
        let named = || Named::Own("x".into());
        assert_eq!(requests.number(named(), NumberKind::I8, 0).1, 3);
        assert_eq!(requests.misfits, ["`i32 66051` does not fit `x`, which is a number (i8)"]);
        assert_eq!(requests.bytes(named(), 3).1, [7, 0, 0]);
        assert_eq!(requests.bytes(named(), 2).1, [1, 2]);
        assert_eq!(requests.misfits.len(), 2);
        assert_eq!(requests.number(named(), NumberKind::U16, 9).1, 9);
    }
}
