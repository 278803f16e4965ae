//! What a program asks for by the functions of a test harness, and what it gets.

use crate::arguments::{ParameterPlan, PlannedSymbol};
use crate::symbolic::input::SymbolNames;
use crate::{Answer, Data, Input, NumberKind, Request};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The requests of a run.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    /// The answers that the input has, in the order in which they are given.
    given: Vec<Answer>,
    /// What was asked for so far.
    asked: Vec<Request>,
    /// How often each name was asked for.
    uses: BTreeMap<String, u32>,
    /// What symbols are called.
    names: SymbolNames,
    /// The names that the program itself gave twice.
    pub(crate) repeated: Vec<String>,
    /// Names of the parts of the program that are active: each is part of the names of what is asked for in it.
    pub(crate) scopes: Vec<String>,
    /// Labels that were reached, each once.
    pub(crate) labels: Vec<String>,
    /// What was wrong with an answer that the input has: the run was not one on this input.
    pub(crate) misfit: Option<Misfit>,
    /// Where the program put bytes that it asked for, and how many.
    objects: BTreeMap<u64, u64>,
}

/// The input has an answer that cannot be one.
#[derive(Clone, Debug)]
pub(crate) struct Misfit {
    /// Which of its values it is.
    pub(crate) place: usize,
    pub(crate) problem: String,
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
        for PlannedSymbol { name, .. } in ParameterPlan::of_input(input).symbols() {
            names.claim(name);
        }
        let given = input.values.iter().map(|request| request.value.clone()).collect();
        Requests { given, names, ..Self::default() }
    }

    /// The program has put bytes that it asked for here.
    pub(crate) fn place(&mut self, address: u64, size: u64) {
        self.objects.insert(address, size);
    }

    /// The size of the object that is here.
    pub(crate) fn object_at(&self, address: u64) -> Option<u64> {
        let (&begin, &size) = self.objects.range(..=address).next_back()?;
        (address - begin < size).then_some(size)
    }

    /// All that was asked for.
    pub(crate) fn take_asked(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.asked)
    }

    /// A number; `default` if the input has none. Its symbol's name, and its bits.
    pub(crate) fn number(
        &mut self,
        named: Named,
        kind: NumberKind,
        default: u64,
    ) -> Result<(Arc<str>, u64), Misfit> {
        let given = self.given.get(self.asked.len());
        let number = given.map_or_else(|| Some(kind.number(default)), |given| given.to_number(kind));
        let Some(number) = number else { return Err(self.misfit(named, kind.name())) };
        Ok((self.record(named, Answer::Number(number)), number.bits()))
    }

    /// So many bytes; zeros if the input has none. Their symbols' name, and the bytes.
    pub(crate) fn bytes(&mut self, named: Named, count: usize) -> Result<(Arc<str>, Vec<u8>), Misfit> {
        let given = self.given.get(self.asked.len());
        let bytes = given.map_or_else(|| Some(vec![0; count]), |given| given.to_bytes(count));
        let Some(bytes) = bytes else { return Err(self.misfit(named, &format!("{count} bytes"))) };
        Ok((self.record(named, Answer::Bytes(Data(bytes.clone()))), bytes))
    }

    /// Notes that the next answer of the input is none to what is asked for.
    fn misfit(&mut self, named: Named, wanted: &str) -> Misfit {
        let given = self.given.get(self.asked.len()).map(Answer::to_string).unwrap_or_default();
        let place = self.asked.len();
        let misfit =
            Misfit { place, problem: format!("{given} does not fit `{}` ({wanted})", self.unique(named)) };
        self.misfit = Some(misfit.clone());
        misfit
    }

    fn record(&mut self, named: Named, value: Answer) -> Arc<str> {
        let name = self.unique(named);
        self.asked.push(Request { name: name.clone(), value });
        name.into()
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
        *used += 1;
        self.names.claim_numbered(&name, u64::from(*used))
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
    use crate::Argument;

    #[test]
    fn names_are_unique() {
        let mut requests = Requests::default();
        let mut name =
            |named| requests.number(named, NumberKind::I32, 0).expect("nothing is given").0.to_string();
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
        let mut bytes =
            |name: &str| requests.bytes(Named::Own(name.into()), 2).expect("nothing is given").0.to_string();
        assert_eq!(bytes("x"), "x#2");
        assert_eq!(bytes("stdin"), "stdin#2");
        assert_eq!(bytes("b"), "b");
        let number = requests.number(Named::Own("b[0]".into()), NumberKind::I32, 0);
        assert_eq!(&*number.expect("nothing is given").0, "b[0]#2");
    }

    #[test]
    fn an_answer_that_does_not_fit_is_told_by_name() {
        let values = vec![Request { name: String::new(), value: Answer::Written("300".into()) }];
        let mut requests = Requests::new(&Input { values, ..Input::default() });
        let misfit = requests.number(Named::After("nondet_uchar".into()), NumberKind::U8, 0);
        assert_eq!(misfit.expect_err("too large").problem, "`300` does not fit `nondet_uchar#1` (u8)");
        assert!(requests.misfit.is_some());
    }
}
