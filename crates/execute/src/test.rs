//! A stored test: an input, and what is expected of it. One JSON file that a person can read and write.
//!
//! ```json
//! {
//!   "format": 1,
//!   "input": { "entry": "divide", "params": [ {"i32": 7}, {"i32": 0} ] },
//!   "expect": { "trapped": "integer-divide-by-zero" }
//! }
//! ```
//!
//! Parameters that are pointers are in `arguments/json.rs`.

use crate::{Error, Input, Verdict};
use serde::{Deserialize, Serialize};

/// An input and what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// Version of this format, [`Test::FORMAT`].
    format: u32,
    /// What the program is given.
    #[serde(default)]
    pub input: Input,
    /// How it should end; if nothing is said, any end without a failure is fine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Verdict>,
    /// The fuel that it should use up, if that is how it should end: with more it may end in another way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
}

impl Test {
    /// The version of the format that is written; all up to it are read.
    pub const FORMAT: u32 = 1;

    /// A test of this input.
    pub fn new(input: Input, expect: Option<Verdict>) -> Self {
        Test { format: Test::FORMAT, input, expect, fuel: None }
    }

    /// The same, as it was seen with so much fuel.
    pub fn seen_with(self, fuel: u64) -> Self {
        Test { fuel: (self.expect == Some(Verdict::OutOfFuel)).then_some(fuel), ..self }
    }

    /// Reads a test; `name` is what an error message calls it.
    pub fn from_json(name: &str, json: &str) -> Result<Self, Error> {
        /// The part of every version that never changes.
        #[derive(Deserialize)]
        struct Header {
            format: Option<u32>,
        }
        let bad = |error: serde_json::Error| Error::BadTest { name: name.into(), reason: error.to_string() };
        match serde_json::from_str::<Header>(json).map_err(bad)?.format {
            None => Err(Error::BadTest {
                name: name.into(),
                reason: format!("it has no \"format\": {}", Test::FORMAT),
            }),
            Some(format) if format == 0 || format > Test::FORMAT => {
                Err(Error::NewTestFormat { name: name.into(), format })
            }
            Some(_) => serde_json::from_str(json).map_err(bad),
        }
    }

    /// The test as JSON, with a line break at the end.
    pub fn to_json(&self) -> String {
        let mut json =
            serde_json::to_string_pretty(self).expect("no map in a test has keys other than strings");
        json.push('\n');
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Data, TrapKind, Value};

    #[test]
    fn a_test_survives_json() {
        let input = Input {
            entry: Some("divide".into()),
            params: crate::Argument::list(&[Value::I32(7), Value::F64(f64::NAN.to_bits() | 5)]),
            args: vec!["-v".into()],
            stdin: Data(vec![0, 255]),
            env: [("HOME".into(), "/".into())].into(),
            files: [("a/b.txt".into(), "text\n".into())].into(),
            seed: 3,
            ..Input::default()
        };
        for expect in [
            None,
            Some(Verdict::Returned(vec![Value::I64(-1)])),
            Some(Verdict::Exited(1)),
            Some(Verdict::Trapped(TrapKind::IntegerDivideByZero)),
            Some(Verdict::StackExhausted),
            Some(Verdict::OutOfFuel),
        ] {
            let test = Test::new(input.clone(), expect).seen_with(1000);
            assert_eq!(Test::from_json("t.json", &test.to_json()).expect("what was written is read"), test);
        }
    }

    #[test]
    fn people_can_write_it() {
        let json = r#"{ "format": 1, "input": { "entry": "divide", "params": [ {"i32": 7}, {"i32": 0} ] },
                        "expect": { "trapped": "integer-divide-by-zero" } }"#;
        let test = Test::from_json("t.json", json).expect("the example of the documentation");
        assert_eq!(test.input.params, [Value::I32(7), Value::I32(0)]);
        assert_eq!(test.expect, Some(Verdict::Trapped(TrapKind::IntegerDivideByZero)));
    }

    #[test]
    fn bad_tests_are_explained() {
        for (json, part) in [
            ("", "EOF"),
            ("{}", "it has no \"format\": 1"),
            (r#"{"format": 2}"#, "newer"),
            (r#"{"format": 1, "input": {"stdim": ""}}"#, "unknown field `stdim`"),
            (r#"{"format": 1, "input": {"params": [{"i32": "x"}]}}"#, "expected an integer"),
            (r#"{"format": 1, "expect": "exploded"}"#, "unknown variant `exploded`"),
        ] {
            let error = Test::from_json("t.json", json).expect_err(json).to_string();
            assert!(error.contains(part) && error.contains("t.json"), "{json}: {error}");
        }
    }
}
