//! Parameters as C: statements that make objects, and the expressions that are passed.

use super::literals::{identifier, number, string};
use coax_execute::{Argument, Callback, CallbackResult, Content, Data, Field, NumberKind, Object, Room};
use coax_program::debug_info::{Type, TypeId, Types};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Writes what makes the parameters of a call.
pub(super) struct Builder<'a> {
    types: &'a Types<'a>,
    params: &'a [Argument],
    /// The statements so far.
    pub(super) statements: String,
    /// The functions that they need.
    pub(super) functions: BTreeSet<String>,
    used: BTreeSet<String>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(types: &'a Types<'a>, params: &'a [Argument]) -> Builder<'a> {
        Builder {
            types,
            params,
            statements: String::new(),
            functions: BTreeSet::new(),
            used: BTreeSet::new(),
        }
    }

    /// The expression for a parameter of this type.
    pub(super) fn parameter(&mut self, argument: &Argument, ty: TypeId) -> Result<String, String> {
        let name = argument.name.clone().unwrap_or_else(|| "value".into());
        let by_value = matches!(self.types.get(ty), Type::Structure(_) | Type::Union(_));
        match &argument.content {
            Content::Pointer(Some(object)) if by_value => {
                let c_type =
                    self.c_type(ty).ok_or_else(|| format!("the type of `{name}` has no name in C"))?;
                let address = self.object(&name, &c_type, (object, argument.spare), self.params)?;
                Ok(format!("*({c_type} *){address}"))
            }
            // It has one part, and is passed as that.
            Content::Number(value) if by_value => {
                let c_type =
                    self.c_type(ty).ok_or_else(|| format!("the type of `{name}` has no name in C"))?;
                Ok(format!("({c_type}){{{}}}", number(*value)))
            }
            Content::Pointer(Some(object)) => match (self.pointee(ty), bytes_of(object)) {
                (Some(c_type), _) => self.object(&name, &c_type, (object, argument.spare), self.params),
                (None, Some(bytes)) => {
                    let size = bytes.0.len() + argument.spare as usize;
                    Ok(self.bytes(&name, "unsigned char", object.room, bytes, size))
                }
                (None, None) => Err(format!("what `{name}` leads to has no name in C")),
            },
            Content::Inline(_) => Err(format!("`{name}` is passed in parts")),
            _ => self.simple(&name, argument, self.params),
        }
    }

    /// What is neither an object with parts nor part of one. Lengths are those of what stands beside it.
    fn simple(&mut self, name: &str, argument: &Argument, beside: &[Argument]) -> Result<String, String> {
        let spare = argument.spare as usize;
        Ok(match &argument.content {
            Content::Number(value) => number(*value),
            Content::Bytes(room, data) => {
                self.bytes(name, "unsigned char", *room, data, (data.0.len() + spare).max(1))
            }
            Content::Text(room, data) => self.bytes(name, "char", *room, data, data.0.len() + 1 + spare),
            Content::LengthOf { name, element, .. } => {
                let of = beside.iter().find(|other| other.name.as_ref() == Some(name));
                let bytes = of.and_then(|other| other.content.byte_count()).unwrap_or(0);
                (bytes / (*element).max(1)).to_string()
            }
            Content::Pointer(None) => "NULL".into(),
            Content::Callback(callback) => self.callback(callback),
            Content::Pointer(Some(_)) | Content::Inline(_) => return Err(format!("`{name}` has parts")),
        })
    }

    /// A function that returns what it did before. Whatever it is called with, it does not look at it.
    fn callback(&mut self, callback: &Callback) -> String {
        let name = format!("coax_callback_{}", identifier(&callback.name).trim_end_matches('_'));
        let (ty, returned) = match callback.result {
            CallbackResult::Nothing => ("void", String::new()),
            CallbackResult::Null => ("void *", " return NULL;".into()),
            CallbackResult::Number(kind) => {
                let part =
                    if matches!(kind, NumberKind::F32 | NumberKind::F64) { "number" } else { "integer" };
                (number_type(kind), format!(" return coax_take().{part};"))
            }
        };
        self.functions.insert(format!("static {ty} {name}(void) {{{returned} }}"));
        format!("(void *){name}")
    }

    fn bytes(&mut self, name: &str, ty: &str, room: Room, data: &Data, size: usize) -> String {
        let variable = self.variable(name);
        let _ = writeln!(self.statements, "    static {ty} {variable}[{size}] = {};", string(&data.0));
        match room {
            Room::Pages => format!("(void *){variable}"),
            Room::Heap => format!("coax_heap({variable}, sizeof {variable})"),
        }
    }

    /// Declares an object and gives its parts their values; the expression for its address.
    fn object(
        &mut self,
        name: &str,
        c_type: &str,
        (object, spare): (&Object, u64),
        outside: &[Argument],
    ) -> Result<String, String> {
        let variable = self.variable(name);
        let count = object.fields.iter().filter_map(|field| index_of(field.argument.name.as_deref()?)).max();
        let inside: Vec<Argument> = object.fields.iter().map(|field| field.argument.clone()).collect();
        let beside = if object.is_length() { outside } else { &inside };
        let size = object.size.max(object.least);
        // Always an array: so that each part is reached in the same way, and the address is the name.
        let elements = count.map_or(1, |last| last + 1);
        let elements = match spare {
            0 => elements.to_string(),
            spare => format!("{elements} + {spare} / sizeof({c_type})"),
        };
        let _ = writeln!(self.statements, "    static {c_type} {variable}[{elements}];");
        for field in object.fields.iter().filter(|field| field.at < size) {
            let part = field.argument.name.clone().unwrap_or_default();
            if !part.chars().all(|letter| letter.is_ascii_alphanumeric() || "_.[]".contains(letter)) {
                return Err(format!("a part of `{name}` has no name in C"));
            }
            let access = match part.starts_with('[') {
                _ if part.is_empty() => format!("{variable}[0]"),
                true if count.is_some() => format!("{variable}{part}"),
                _ => format!("{variable}[0].{part}"),
            };
            self.field(&access, &format!("{name}.{part}"), &field.argument, beside)?;
        }
        Ok(match object.room {
            Room::Pages => variable,
            Room::Heap => format!("coax_heap({variable}, sizeof {variable})"),
        })
    }

    fn field(
        &mut self,
        access: &str,
        name: &str,
        argument: &Argument,
        beside: &[Argument],
    ) -> Result<(), String> {
        let value = match &argument.content {
            Content::Inline(data) => {
                let bytes = string(&data.0);
                let _ = writeln!(self.statements, "    memcpy(&{access}, {bytes}, {});", data.0.len());
                return Ok(());
            }
            Content::Pointer(Some(object)) if bytes_of(object).is_some() => {
                let bytes = bytes_of(object).map(|bytes| {
                    let size = bytes.0.len() + argument.spare as usize;
                    self.bytes(name, "unsigned char", object.room, bytes, size)
                });
                bytes.unwrap_or_default()
            }
            Content::Pointer(Some(object)) => {
                self.object(name, &format!("__typeof__(*{access})"), (object, argument.spare), beside)?
            }
            _ => self.simple(name, argument, beside)?,
        };
        let _ = writeln!(self.statements, "    {access} = {value};");
        Ok(())
    }

    /// The type of what a pointer leads to, in C.
    fn pointee(&self, pointer: TypeId) -> Option<String> {
        let Type::Pointer { to: Some(to), .. } = self.types.get(pointer) else { return None };
        self.c_type(to)
    }

    /// What a type is called in C.
    fn c_type(&self, ty: TypeId) -> Option<String> {
        if let Some(name) = self.types.c_name(ty) {
            return Some(name);
        }
        Some(match self.types.get(ty) {
            Type::Structure(composite) => format!("struct {}", composite.name?),
            Type::Union(composite) => format!("union {}", composite.name?),
            Type::Integer { bytes, signed, character } => match (bytes, signed, character) {
                (1, _, true) => "char".into(),
                (bytes, true, _) => format!("int{}_t", 8 * bytes),
                (bytes, false, _) => format!("uint{}_t", 8 * bytes),
            },
            Type::Float { bytes: 4 } => "float".into(),
            Type::Float { bytes: 8 } => "double".into(),
            Type::Boolean { .. } => "_Bool".into(),
            Type::Pointer { .. } => "void *".into(),
            _ => return None,
        })
    }

    /// A variable that no other part has.
    fn variable(&mut self, name: &str) -> String {
        let wanted = format!("the_{}", identifier(name).trim_end_matches('_'));
        let mut variable = wanted.clone();
        for number in 2.. {
            if self.used.insert(variable.clone()) {
                break;
            }
            variable = format!("{wanted}_{number}");
        }
        variable
    }
}

/// The bytes that are all there is of an object, if they are.
fn bytes_of(object: &Object) -> Option<&Data> {
    match &object.fields[..] {
        [Field { at: 0, argument: Argument { content: Content::Inline(bytes), .. } }] => Some(bytes),
        _ => None,
    }
}

/// A number's type in C.
fn number_type(kind: NumberKind) -> &'static str {
    match kind {
        NumberKind::Bool => "_Bool",
        NumberKind::I8 => "int8_t",
        NumberKind::U8 => "uint8_t",
        NumberKind::I16 => "int16_t",
        NumberKind::U16 => "uint16_t",
        NumberKind::I32 => "int32_t",
        NumberKind::U32 => "uint32_t",
        NumberKind::I64 => "int64_t",
        NumberKind::F32 => "float",
        NumberKind::F64 => "double",
        NumberKind::U64 | NumberKind::V128 | NumberKind::Null => "uint64_t",
    }
}

/// The number of the element that a part belongs to: `[3].x` is of element 3.
fn index_of(part: &str) -> Option<u64> {
    part.strip_prefix('[')?.split_once(']')?.0.parse().ok()
}
