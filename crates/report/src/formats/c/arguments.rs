//! Parameters as C: statements that make objects, and the expressions that are passed.

use super::literals::{identifier, number, string};
use coax_execute::{Argument, Content, Data, Object, Room};
use coax_program::debug_info::{Type, TypeId, Types};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Writes what makes the parameters of a call.
pub(super) struct Builder<'a> {
    types: &'a Types<'a>,
    params: &'a [Argument],
    /// The statements so far.
    pub(super) statements: String,
    used: BTreeSet<String>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(types: &'a Types<'a>, params: &'a [Argument]) -> Builder<'a> {
        Builder { types, params, statements: String::new(), used: BTreeSet::new() }
    }

    /// The expression for a parameter of this type.
    pub(super) fn parameter(&mut self, argument: &Argument, ty: TypeId) -> Result<String, String> {
        let name = argument.name.clone().unwrap_or_else(|| "value".into());
        match &argument.content {
            Content::Pointer(Some(object)) => {
                let c_type =
                    self.pointee(ty).ok_or_else(|| format!("what `{name}` leads to has no name in C"))?;
                self.object(&name, &c_type, object)
            }
            Content::Inline(_) => Err(format!("`{name}` is passed in parts")),
            content => self.simple(&name, content, self.params),
        }
    }

    /// What is neither an object with parts nor part of one. Lengths are those of what stands beside it.
    fn simple(&mut self, name: &str, content: &Content, beside: &[Argument]) -> Result<String, String> {
        Ok(match content {
            Content::Number(value) => number(*value),
            Content::Bytes(room, data) => self.bytes(name, "unsigned char", *room, data, data.0.len().max(1)),
            Content::Text(room, data) => self.bytes(name, "char", *room, data, data.0.len() + 1),
            Content::LengthOf { name, element, .. } => {
                let of = beside.iter().find(|other| other.name.as_ref() == Some(name));
                let bytes = match of.map(|other| &other.content) {
                    Some(Content::Bytes(_, data) | Content::Text(_, data)) => data.0.len() as u64,
                    Some(Content::Pointer(Some(object))) => object.size,
                    _ => 0,
                };
                (bytes / (*element).max(1)).to_string()
            }
            Content::Pointer(None) => "NULL".into(),
            Content::Pointer(Some(_)) | Content::Inline(_) => return Err(format!("`{name}` has parts")),
        })
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
    fn object(&mut self, name: &str, c_type: &str, object: &Object) -> Result<String, String> {
        let variable = self.variable(name);
        let count = object.fields.iter().filter_map(|field| index_of(field.argument.name.as_deref()?)).max();
        let beside: Vec<Argument> = object.fields.iter().map(|field| field.argument.clone()).collect();
        // Always an array: so that each part is reached in the same way, and the address is the name.
        let _ = writeln!(
            self.statements,
            "    static {c_type} {variable}[{}];",
            count.map_or(1, |last| last + 1)
        );
        for field in &object.fields {
            let part = field.argument.name.clone().unwrap_or_default();
            if !part.chars().all(|letter| letter.is_ascii_alphanumeric() || "_.[]".contains(letter)) {
                return Err(format!("a part of `{name}` has no name in C"));
            }
            let access = match part.starts_with('[') {
                _ if part.is_empty() => format!("{variable}[0]"),
                true if count.is_some() => format!("{variable}{part}"),
                _ => format!("{variable}[0].{part}"),
            };
            self.field(&access, &format!("{name}.{part}"), &field.argument.content, &beside)?;
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
        content: &Content,
        beside: &[Argument],
    ) -> Result<(), String> {
        let value = match content {
            Content::Inline(data) => {
                let bytes = string(&data.0);
                let _ = writeln!(self.statements, "    memcpy(&{access}, {bytes}, {});", data.0.len());
                return Ok(());
            }
            Content::Pointer(Some(object)) => self.object(name, &format!("__typeof__(*{access})"), object)?,
            content => self.simple(name, content, beside)?,
        };
        let _ = writeln!(self.statements, "    {access} = {value};");
        Ok(())
    }

    /// The type of what a pointer leads to, in C.
    fn pointee(&self, pointer: TypeId) -> Option<String> {
        let Type::Pointer { to: Some(to), .. } = self.types.get(pointer) else { return None };
        Some(match self.types.get(to) {
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

/// The number of the element that a part belongs to: `[3].x` is of element 3.
fn index_of(part: &str) -> Option<u64> {
    part.strip_prefix('[')?.split_once(']')?.0.parse().ok()
}
