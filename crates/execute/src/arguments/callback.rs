//! Functions that a program is given a pointer to: each returns anything, and does nothing else.
//!
//! For each there is an import in the module, of a name that says what it returns, and a place in its table of functions (`coax_load::add_to_table`).
//! So to an engine it is an import like others, and its results are values that the program asks for: see docs/decisions/0016-callbacks.md.

use super::make::Maker;
use super::{Argument, Content, NumberKind};
use crate::Input;
use coax_program::debug_info::{Type, TypeId};
use coax_program::ir::ValType;
use coax_program::{Program, Signature};

/// What the module of such an import is called, before its type.
const MODULE: &str = "coax.callback:";
/// What stands there for nothing, and for a pointer that is null.
const NOTHING: &str = "nothing";
const NULL: &str = "null";
/// How many functions a program is given; further pointers are null.
const MOST: usize = 64;

/// A function that returns anything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Callback {
    /// What the values that it returns are called after.
    pub name: String,
    /// What it takes.
    pub params: Vec<ValType>,
    /// What it returns.
    pub result: CallbackResult,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallbackResult {
    /// Nothing.
    Nothing,
    /// A value that the input has, another one for each call.
    Number(NumberKind),
    /// A pointer that is null.
    Null,
}

impl CallbackResult {
    /// Its name, as in JSON and in the names of imports.
    pub fn name(self) -> &'static str {
        match self {
            CallbackResult::Nothing => NOTHING,
            CallbackResult::Number(kind) => kind.name(),
            CallbackResult::Null => NULL,
        }
    }

    pub(super) fn named(name: &str) -> Option<CallbackResult> {
        let floats = [NumberKind::Bool, NumberKind::F32, NumberKind::F64];
        match name {
            NOTHING => Some(CallbackResult::Nothing),
            NULL => Some(CallbackResult::Null),
            _ => {
                let mut kinds = NumberKind::integers().chain(floats);
                kinds.find(|kind| kind.name() == name).map(CallbackResult::Number)
            }
        }
    }

    /// The wasm type that it is passed as.
    fn passed_as(self) -> Option<ValType> {
        match self {
            CallbackResult::Nothing => None,
            CallbackResult::Number(kind) => kind.passed_as(),
            CallbackResult::Null => Some(ValType::I32),
        }
    }

    /// What an import of this module returns, if that is one of these.
    pub(crate) fn of_import(module: &str) -> Option<CallbackResult> {
        CallbackResult::named(module.strip_prefix(MODULE)?.split_once('(')?.0)
    }
}

impl Callback {
    /// The module and the name of the import that stands for it.
    pub fn import(&self) -> (String, String) {
        // One import has one type.
        let params: Vec<String> = self.params.iter().map(ToString::to_string).collect();
        (format!("{MODULE}{}({})", self.result.name(), params.join(",")), self.name.clone())
    }

    /// Its type.
    pub fn signature(&self) -> Signature {
        Signature { params: self.params.clone(), results: self.result.passed_as().into_iter().collect() }
    }

    /// Those that a program does not have yet, each once.
    pub fn missing(mut all: Vec<Callback>, program: &Program) -> Vec<Callback> {
        all.retain(|callback| {
            let (module, name) = callback.import();
            !program.imports.iter().any(|it| it.module == module && it.name == name)
        });
        all.sort();
        all.dedup();
        all
    }
}

impl Input {
    /// The functions that it gives to a program.
    pub fn callbacks(&self) -> Vec<Callback> {
        let mut found = Vec::new();
        self.params.iter().for_each(|param| find(param, &mut found));
        found
    }
}

fn find(argument: &Argument, found: &mut Vec<Callback>) {
    match &argument.content {
        Content::Callback(callback) => found.push(callback.clone()),
        Content::Pointer(Some(object)) => {
            object.fields.iter().for_each(|field| find(&field.argument, found));
        }
        _ => {}
    }
}

impl Maker<'_> {
    /// The function that a pointer at this path leads to; none if its type is not known, or there are too many.
    pub(super) fn callback(&mut self, function: TypeId, path: &str) -> Option<Callback> {
        let described = self.types.signature(function)?;
        let mut params = Vec::new();
        for param in &described.params {
            params.extend(self.passed(param.ty)?);
        }
        // What varies is in an object that the caller makes.
        if described.has_more && !described.params.is_empty() {
            params.push(ValType::I32);
        }
        let result = match described.result {
            None => CallbackResult::Nothing,
            Some(ty) => match self.types.get(ty) {
                Type::Pointer { .. } => {
                    self.note(format!("`{}` returns a pointer: it is null", without_places(path)));
                    CallbackResult::Null
                }
                _ => match self.passed(ty)?[..] {
                    [] => CallbackResult::Nothing,
                    [_] if self.is_large(ty) => {
                        params.insert(0, ValType::I32);
                        CallbackResult::Nothing
                    }
                    [only] => CallbackResult::Number(self.result_kind(ty, only)),
                    _ => {
                        params.insert(0, ValType::I32);
                        CallbackResult::Nothing
                    }
                },
            },
        };
        let callback = Callback { name: self.callback_name(path, &params, result), params, result };
        if !self.callbacks.contains(&callback) {
            if self.callbacks.len() >= MOST {
                return None;
            }
            self.callbacks.push(callback.clone());
        }
        Some(callback)
    }

    /// A name that no function of another type has: elements of arrays have the same ones.
    fn callback_name(&self, path: &str, params: &[ValType], result: CallbackResult) -> String {
        let name = without_places(path);
        let is_other = |name: &String| {
            self.callbacks.iter().any(|it| it.name == *name && (it.params != params || it.result != result))
        };
        let numbered = (2..).map(|number| format!("{name}#{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(|name| !is_other(name)).unwrap_or(name)
    }

    fn result_kind(&self, ty: TypeId, passed: ValType) -> NumberKind {
        match self.types.get(ty) {
            Type::Integer { bytes, signed, .. } | Type::Enumeration { bytes, signed, .. } => {
                NumberKind::integer(bytes, signed).unwrap_or(NumberKind::of(passed))
            }
            Type::Boolean { bytes: 1 } => NumberKind::Bool,
            _ => NumberKind::of(passed),
        }
    }

    /// Whether a structure is passed by a pointer.
    fn is_large(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Structure(_) | Type::Union(_)) && self.only_leaf(ty).is_none()
    }

    /// What a parameter of this type becomes by C's rules.
    fn passed(&self, ty: TypeId) -> Option<Vec<ValType>> {
        Some(match self.types.get(ty) {
            Type::Integer { bytes: 16, .. } | Type::Float { bytes: 16 } => vec![ValType::I64; 2],
            Type::Integer { bytes: 8, .. } | Type::Enumeration { bytes: 8, .. } => vec![ValType::I64],
            Type::Float { bytes: 8 } => vec![ValType::F64],
            Type::Float { .. } => vec![ValType::F32],
            Type::Integer { .. }
            | Type::Boolean { .. }
            | Type::Enumeration { .. }
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Function => vec![ValType::I32],
            Type::Structure(composite) | Type::Union(composite) => match self.only_leaf(ty) {
                _ if composite.bytes == 0 => Vec::new(),
                Some(leaf) => self.passed(leaf)?,
                None => vec![ValType::I32],
            },
            Type::Unknown => return None,
        })
    }

    /// The only number or pointer that a structure consists of, which is then passed in its place.
    fn only_leaf(&self, ty: TypeId) -> Option<TypeId> {
        let Type::Structure(composite) = self.types.get(ty) else { return None };
        let mut leaves = Vec::new();
        self.leaves(&composite, 0, "", super::make::MOST_NESTED, &mut leaves)?;
        match &leaves[..] {
            [leaf] if self.types.size(leaf.ty) == Some(composite.bytes) => Some(leaf.ty),
            _ => None,
        }
    }
}

/// A path without the numbers of elements.
fn without_places(path: &str) -> String {
    let mut name = String::new();
    let mut depth = 0;
    for character in path.chars() {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ if depth == 0 => name.push(character),
            _ => {}
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_imports_say_what_they_return() {
        let kinds =
            [NumberKind::Bool, NumberKind::I8, NumberKind::U64, NumberKind::F32].map(CallbackResult::Number);
        for result in kinds.into_iter().chain([CallbackResult::Nothing, CallbackResult::Null]) {
            let callback = Callback { name: "ops.read".into(), params: vec![ValType::I32], result };
            let (module, name) = callback.import();
            assert_eq!((CallbackResult::of_import(&module), name.as_str()), (Some(result), "ops.read"));
        }
        assert_eq!(CallbackResult::of_import("env"), None);
    }

    #[test]
    fn elements_of_an_array_share_a_function() {
        assert_eq!(without_places("list[3].next.run[0]"), "list.next.run");
    }
}
