//! An argument in JSON: one object, with its name if it has one and exactly one value.
//!
//! ```json
//! {"i32": 7}
//! {"name": "buf", "bytes": "hello"}
//! {"name": "len", "length_of": "buf"}
//! {"name": "list", "pointer": {"size": 8, "fields": [{"name": "value", "at": 0, "i32": 5},
//!                                                    {"name": "next", "at": 4, "pointer": null}]}}
//! ```
//!
//! A length may count several things: `{"length_of": "a", "also": {"b": 4}}`, with the size of an element of each. As the only field of an object it
//! counts what stands beside the pointer to the object. `{"callback": {"params": ["i32"], "result": "i32"}}` is a function that returns anything; its
//! result may be `"null"`, or be left out. `"least": 8` in an object says how many bytes there are in any case.
//!
//! `"heap": true` beside bytes, a string or in an object asks for the program's own allocator; `"element": 4` beside a length says what is
//! counted, `"as": "u16"` what kind of number it is; `"inline"` are bytes that lie in an object;
//! `"spare": 4096` beside what a pointer leads to are bytes of zeros behind it; `"fixed": true` makes something no symbol. `"utf8": true` beside bytes and `"among": [[0, 9], [12, 12]]` beside a number are rules: which values a
//! caller can make at all.

use super::{
    Argument, Callback, CallbackResult, Content, Counted, Field, Number, NumberKind, Object, Room, Rule,
};
use crate::Value;
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use wasmparser::ValType;

type Entries = Map<String, Json>;

impl Serialize for Argument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(self, None, serializer)
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(&self.argument, Some(self.at), serializer)
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("size", &self.size)?;
        write_room(&mut map, self.room)?;
        if self.least > 0 {
            map.serialize_entry("least", &self.least)?;
        }
        map.serialize_entry("fields", &self.fields)?;
        map.end()
    }
}

fn write<S: Serializer>(argument: &Argument, at: Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    if let Some(name) = &argument.name {
        map.serialize_entry("name", name)?;
    }
    if let Some(at) = at {
        map.serialize_entry("at", &at)?;
    }
    match &argument.content {
        Content::Number(number) => write_number(&mut map, *number)?,
        Content::Bytes(room, bytes) => {
            map.serialize_entry("bytes", bytes)?;
            write_room(&mut map, *room)?;
        }
        Content::Text(room, text) => {
            map.serialize_entry("string", text)?;
            write_room(&mut map, *room)?;
        }
        Content::LengthOf { name, element, kind, also } => {
            map.serialize_entry("length_of", name)?;
            if *element != 1 {
                map.serialize_entry("element", element)?;
            }
            if let Some(kind) = kind {
                map.serialize_entry("as", kind.name())?;
            }
            if !also.is_empty() {
                let also: Map<String, Json> =
                    also.iter().map(|also| (also.name.clone(), also.element.into())).collect();
                map.serialize_entry("also", &also)?;
            }
        }
        Content::Callback(callback) => {
            let mut written =
                json!({ "params": callback.params.iter().map(ToString::to_string).collect::<Vec<_>>() });
            if callback.result != CallbackResult::Nothing {
                written["result"] = callback.result.name().into();
            }
            if argument.name.as_ref() != Some(&callback.name) {
                written["name"] = callback.name.clone().into();
            }
            map.serialize_entry("callback", &written)?;
        }
        Content::Pointer(object) => map.serialize_entry("pointer", object)?,
        Content::Inline(bytes) => map.serialize_entry("inline", bytes)?,
    }
    if argument.fixed {
        map.serialize_entry("fixed", &true)?;
    }
    if argument.spare > 0 {
        map.serialize_entry("spare", &argument.spare)?;
    }
    match &argument.rule {
        Some(Rule::Utf8) => map.serialize_entry("utf8", &true)?,
        Some(Rule::Among(ranges)) => {
            let ranges: Vec<[u64; 2]> = ranges.iter().map(|range| [*range.start(), *range.end()]).collect();
            map.serialize_entry("among", &ranges)?;
        }
        None => {}
    }
    map.end()
}

fn write_room<M: SerializeMap>(map: &mut M, room: Room) -> Result<(), M::Error> {
    if room == Room::Heap { map.serialize_entry("heap", &true) } else { Ok(()) }
}

fn write_number<M: SerializeMap>(map: &mut M, number: Number) -> Result<(), M::Error> {
    let key = number.kind().name();
    match number {
        Number::Bool(value) => map.serialize_entry(key, &value),
        Number::I8(value) => map.serialize_entry(key, &value),
        Number::U8(value) => map.serialize_entry(key, &value),
        Number::I16(value) => map.serialize_entry(key, &value),
        Number::U16(value) => map.serialize_entry(key, &value),
        Number::U32(value) => map.serialize_entry(key, &value),
        Number::U64(value) => map.serialize_entry(key, &value),
        Number::Value(value) => {
            // Its own form is an object with this one key.
            let own = serde_json::to_value(value).map_err(serde::ser::Error::custom)?;
            map.serialize_entry(key, own.get(key).unwrap_or(&Json::Null))
        }
    }
}

impl<'de> Deserialize<'de> for Argument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Entries::deserialize(deserializer)?;
        read(entries, false).map(|(_, argument)| argument).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Entries::deserialize(deserializer)?;
        let (at, argument) = read(entries, true).map_err(D::Error::custom)?;
        Ok(Field { at, argument })
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// An object as it is written.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            size: u64,
            #[serde(default)]
            heap: bool,
            #[serde(default)]
            least: u64,
            #[serde(default)]
            fields: Vec<Field>,
        }
        let Written { size, heap, least, fields } = Written::deserialize(deserializer)?;
        Ok(Object { room: room(heap), size, least, fields })
    }
}

fn room(heap: bool) -> Room {
    if heap { Room::Heap } else { Room::Pages }
}

/// What is wrong with an argument.
type Bad = String;

fn read(mut entries: Entries, is_field: bool) -> Result<(u64, Argument), Bad> {
    let name: Option<String> = take(&mut entries, "name")?;
    let at = match is_field {
        true => take(&mut entries, "at")?.ok_or("a field needs its place in the object, \"at\"")?,
        false => 0,
    };
    let fixed: Option<bool> = take(&mut entries, "fixed")?;
    let spare: Option<u64> = take(&mut entries, "spare")?;
    let heap: Option<bool> = take(&mut entries, "heap")?;
    let element: Option<u64> = take(&mut entries, "element")?;
    let kind: Option<String> = take(&mut entries, "as")?;
    let kind = kind.map(|name| {
        NumberKind::integers()
            .find(|kind| kind.name() == name)
            .ok_or(format!("\"as\": `{name}` is no kind of integer"))
    });
    let kind = kind.transpose()?;
    let also: Option<BTreeMap<String, u64>> = take(&mut entries, "also")?;
    let also = also.map(|also| also.into_iter().map(|(name, element)| Counted { name, element }).collect());
    let utf8: Option<bool> = take(&mut entries, "utf8")?;
    let among: Option<Vec<[u64; 2]>> = take(&mut entries, "among")?;
    let mut values = entries.into_iter();
    let (Some((key, value)), None) = (values.next(), values.next()) else {
        let what = name.map_or_else(|| "an argument".into(), |name| format!("`{name}`"));
        return Err(format!(
            "{what} needs exactly one value: a number like \"i32\", \"bytes\", \"string\", \"length_of\" or \"pointer\""
        ));
    };
    let content = match key.as_str() {
        "bytes" => Content::Bytes(room(heap == Some(true)), typed(&key, value)?),
        "string" => Content::Text(room(heap == Some(true)), typed(&key, value)?),
        "length_of" => Content::LengthOf {
            name: typed(&key, value)?,
            element: element.unwrap_or(1),
            kind,
            also: Option::clone(&also).unwrap_or_default(),
        },
        "callback" => Content::Callback(read_callback(typed(&key, value)?, name.as_ref())?),
        "pointer" => Content::Pointer(typed(&key, value)?),
        "inline" if is_field => Content::Inline(typed(&key, value)?),
        "inline" => return Err("\"inline\" is for fields; a parameter has \"bytes\"".into()),
        _ => Content::Number(read_number(&key, value)?),
    };
    if heap.is_some() && !matches!(content, Content::Bytes(..) | Content::Text(..)) {
        return Err("\"heap\" goes with \"bytes\" or \"string\", or into the object of a \"pointer\"".into());
    }
    if element.is_some() && !matches!(content, Content::LengthOf { .. }) {
        return Err("\"element\" goes with \"length_of\"".into());
    }
    if kind.is_some() && !matches!(content, Content::LengthOf { .. }) {
        return Err("\"as\" goes with \"length_of\"".into());
    }
    if also.is_some() && !matches!(content, Content::LengthOf { .. }) {
        return Err("\"also\" goes with \"length_of\"".into());
    }
    if element == Some(0) {
        return Err("\"element\" is a size, at least 1".into());
    }
    if spare.is_some()
        && !matches!(content, Content::Bytes(..) | Content::Text(..) | Content::Pointer(Some(_)))
    {
        return Err("\"spare\" goes with what a pointer leads to".into());
    }
    let rule = rule(utf8 == Some(true), among, &content)?;
    Ok((at, Argument { name, content, fixed: fixed == Some(true), rule, spare: spare.unwrap_or(0) }))
}

/// A function as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCallback {
    name: Option<String>,
    #[serde(default)]
    params: Vec<String>,
    result: Option<String>,
}

fn read_callback(written: WrittenCallback, own: Option<&String>) -> Result<Callback, Bad> {
    let WrittenCallback { name, params, result } = written;
    let param = |name: &String| {
        let types = [ValType::I32, ValType::I64, ValType::F32, ValType::F64];
        types
            .into_iter()
            .find(|ty| ty.to_string() == *name)
            .ok_or(format!("`{name}` is no type of a parameter"))
    };
    let result = match result {
        None => CallbackResult::Nothing,
        Some(name) => {
            CallbackResult::named(&name).ok_or(format!("`{name}` is nothing that a function returns"))?
        }
    };
    let name = name.or_else(|| own.cloned()).unwrap_or_else(|| "callback".into());
    Ok(Callback { name, params: params.iter().map(param).collect::<Result<_, _>>()?, result })
}

fn rule(utf8: bool, among: Option<Vec<[u64; 2]>>, content: &Content) -> Result<Option<Rule>, Bad> {
    if utf8 && !matches!(content, Content::Bytes(..)) {
        return Err("\"utf8\" goes with \"bytes\"".into());
    }
    if among.is_some() && !matches!(content, Content::Number(number) if number.integer().is_some()) {
        return Err("\"among\" goes with an integer".into());
    }
    let ranges = |ranges: Vec<[u64; 2]>| ranges.into_iter().map(|[first, last]| first..=last).collect();
    Ok(among.map(|among| Rule::Among(ranges(among))).or(utf8.then_some(Rule::Utf8)))
}

fn take<T: for<'a> Deserialize<'a>>(entries: &mut Entries, key: &str) -> Result<Option<T>, Bad> {
    entries.remove(key).map(|value| typed(key, value)).transpose()
}

fn typed<T: for<'a> Deserialize<'a>>(key: &str, value: Json) -> Result<T, Bad> {
    serde_json::from_value(value).map_err(|error| match key {
        // Errors within have said enough.
        "pointer" => error.to_string(),
        key => format!("\"{key}\": {error}"),
    })
}

fn read_number(key: &str, value: Json) -> Result<Number, Bad> {
    match NumberKind::NARROW.into_iter().find(|kind| kind.name() == key) {
        None => {
            let number: Value =
                serde_json::from_value(json!({ key: value })).map_err(|error| error.to_string())?;
            Ok(Number::Value(number))
        }
        Some(NumberKind::Bool) => typed(key, value).map(Number::Bool),
        Some(kind) => {
            let text = value.as_number().map(ToString::to_string).unwrap_or_default();
            kind.parse(&text).ok_or_else(|| format!("\"{key}\": {value} does not fit"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(json: &str) -> Argument {
        let argument: Argument = serde_json::from_str(json).expect(json);
        let written = serde_json::to_string(&argument).expect("an argument is JSON");
        assert_eq!(serde_json::from_str::<Argument>(&written).expect("what was written is read"), argument);
        assert_eq!(
            serde_json::from_str::<Json>(&written).unwrap_or_default(),
            serde_json::from_str::<Json>(json).unwrap_or_default()
        );
        argument
    }

    #[test]
    fn arguments_survive_json() {
        assert_eq!(round_trip(r#"{"i32":7}"#), Value::I32(7));
        for json in [
            r#"{"name":"c","u8":255}"#,
            r#"{"name":"c","i8":-1}"#,
            r#"{"name":"on","bool":true}"#,
            r#"{"u64":18446744073709551615}"#,
            r#"{"name":"x","f64":0.1}"#,
            r#"{"ref":"null"}"#,
            r#"{"name":"buf","bytes":{"hex":"ff00"},"heap":true}"#,
            r#"{"name":"len","length_of":"buf","element":4,"as":"u16"}"#,
            r#"{"string":"abc"}"#,
            r#"{"name":"n","length_of":"a","also":{"b":4,"c":1}}"#,
            r#"{"name":"cmp","callback":{"params":["i32","i32"],"result":"i32"}}"#,
            r#"{"name":"[0].f","callback":{"name":"f","params":["f64"]}}"#,
            r#"{"pointer":{"size":0,"least":4,"fields":[{"name":"[0]","at":0,"i32":5}]}}"#,
            r#"{"name":"s","bytes":"abc","utf8":true}"#,
            r#"{"name":"c","u32":122,"among":[[0,55295],[57344,1114111]]}"#,
            r#"{"name":"tag","u8":3,"fixed":true}"#,
            r#"{"name":"out","string":"","heap":true,"spare":4096}"#,
            r#"{"pointer":null}"#,
            r#"{"name":"list","pointer":{"size":8,"heap":true,"fields":[{"name":"value","at":0,"i32":5},{"name":"next","at":4,"pointer":null}]}}"#,
            r#"{"pointer":{"size":4,"fields":[{"at":0,"inline":"abcd"}]}}"#,
        ] {
            round_trip(json);
        }
    }

    #[test]
    fn bad_arguments_are_explained() {
        for (json, part) in [
            (r#"{"name":"x"}"#, "`x` needs exactly one value"),
            (r#"{"i32":1,"i64":2}"#, "an argument needs exactly one value"),
            (r#"{"i33":1}"#, "unknown variant `i33`"),
            (r#"{"u8":256}"#, "\"u8\": 256 does not fit"),
            (r#"{"u8":"1"}"#, "does not fit"),
            (r#"{"bool":1}"#, "\"bool\": invalid type"),
            (r#"{"inline":"abc"}"#, "\"inline\" is for fields"),
            (r#"{"i32":1,"heap":true}"#, "\"heap\" goes with"),
            (r#"{"bytes":"","element":4}"#, "\"element\" goes with"),
            (r#"{"i32":1,"spare":4}"#, "\"spare\" goes with"),
            (r#"{"length_of":"x","as":"f32"}"#, "`f32` is no kind of integer"),
            (r#"{"length_of":"x","element":0}"#, "at least 1"),
            (r#"{"bytes":"","also":{"x":1}}"#, "\"also\" goes with"),
            (r#"{"callback":{"params":["i33"]}}"#, "`i33` is no type"),
            (r#"{"callback":{"result":"v128"}}"#, "`v128` is nothing"),
            (r#"{"i32":1,"utf8":true}"#, "\"utf8\" goes with"),
            (r#"{"f32":1,"among":[[0,1]]}"#, "\"among\" goes with"),
            (r#"{"pointer":{"size":4,"fields":[{"i32":1}]}}"#, "a field needs its place"),
            (r#"{"pointer":{"fields":[]}}"#, "missing field `size`"),
            (r#"{"pointer":{"size":4,"colour":1}}"#, "unknown field `colour`"),
        ] {
            let error = serde_json::from_str::<Argument>(json).expect_err(json).to_string();
            assert!(error.contains(part), "{json}: {error}");
        }
    }
}
