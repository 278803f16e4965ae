//! Bytes that are mostly text.
//!
//! In JSON they are a string if they are UTF-8, else `{"hex": "00ff"}`; both forms are read.

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Bytes that are mostly text.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Data(pub Vec<u8>);

impl Data {
    /// Whether there is not a single byte.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        Data(text.as_bytes().to_vec())
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("hex", &to_hex(&self.0))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DataVisitor)
    }
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, or {\"hex\": \"…\"} for bytes that are not text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Data, E> {
        Ok(Data::from(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Data, A::Error> {
        let entry: Option<(String, String)> = map.next_entry()?;
        let Some(("hex", digits)) = entry.as_ref().map(|(key, digits)| (key.as_str(), digits)) else {
            return Err(A::Error::custom("expected {\"hex\": \"…\"}"));
        };
        if map.next_key::<String>()?.is_some() {
            return Err(A::Error::custom("expected nothing beside \"hex\""));
        }
        from_hex(digits).map(Data).ok_or_else(|| {
            A::Error::custom(format!("\"{digits}\" is not hex: it takes two digits (0-9, a-f) a byte"))
        })
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let nibble = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| Some(nibble(*pair.first()?)? << 4 | nibble(*pair.get(1)?)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(bytes: &[u8], json: &str) {
        let data = Data(bytes.to_vec());
        assert_eq!(serde_json::to_string(&data).expect("data is JSON"), json);
        assert_eq!(serde_json::from_str::<Data>(json).expect("JSON is data"), data);
    }

    #[test]
    fn text_is_text_and_bytes_are_hex() {
        round_trip(b"", r#""""#);
        round_trip(b"two\nlines \"quoted\"\0", r#""two\nlines \"quoted\"\u0000""#);
        round_trip("grün".as_bytes(), r#""grün""#);
        round_trip(&[0xff, 0x00, 0x9a], r#"{"hex":"ff009a"}"#);
    }

    #[test]
    fn hex_of_text_is_read_too() {
        assert_eq!(serde_json::from_str::<Data>(r#"{"hex":"6869"}"#).expect("hex"), Data::from("hi"));
    }

    #[test]
    fn bad_data_is_explained() {
        for (json, part) in [
            (r#"{"hex":"0"}"#, "two digits"),
            (r#"{"hex":"zz"}"#, "two digits"),
            (r#"{"base64":"aa"}"#, "expected {\"hex\""),
            (r#"{"hex":"00","text":"a"}"#, "nothing beside"),
            ("5", "a string, or"),
        ] {
            let error = serde_json::from_str::<Data>(json).expect_err(json).to_string();
            assert!(error.contains(part), "{json}: {error}");
        }
    }
}
