//! Who answers an import.

use super::{CallResult, Extended, Fault, Guest, Item};
use crate::harness::Service;
use crate::world::Named;
use crate::{Error, Input, NumberKind, Value, wasi};
use coax_program::{Extern, Import, Program, Signature};
use std::collections::BTreeMap;
use wasmparser::ValType;

/// Who answers an import.
#[derive(Clone, Debug)]
pub(crate) enum Provider {
    /// The function of WASI's with this name.
    Wasi(String),
    /// A test harness's.
    Harness(Service),
    /// Nobody but who runs the program.
    Stub { module: String, name: String, result: Option<ValType> },
}

/// What makes a stub's answer a value that the program asks for.
pub(crate) const UNKNOWN: &str = "unknown";

impl Provider {
    /// Who answers a function that is imported with this type; none if nobody can.
    pub(crate) fn of(module: &str, name: &str, signature: &Signature) -> Option<Provider> {
        if wasi::is_wasi(module) {
            let fits = wasi::params(name)? == signature.params && wasi::results(name) == signature.results;
            return fits.then(|| Provider::Wasi(name.to_owned()));
        }
        if let Some(service) = Service::find(module, name, signature) {
            return Some(Provider::Harness(service));
        }
        if let Some(service) = Service::of_callback(module, name, signature) {
            return Some(Provider::Harness(service));
        }
        let is_number =
            |ty: &ValType| matches!(ty, ValType::I32 | ValType::I64 | ValType::F32 | ValType::F64);
        let numbers = signature.params.iter().chain(&signature.results).all(is_number);
        let result = signature.results.first().copied();
        let (module, name) = (module.to_owned(), name.to_owned());
        (numbers && signature.results.len() <= 1).then_some(Provider::Stub { module, name, result })
    }

    /// Answers a call.
    pub(crate) fn call(&self, args: &[Value], guest: &mut Guest<'_>) -> CallResult<Option<Value>> {
        match self {
            Provider::Wasi(name) => wasi::call(name, args, guest)
                .ok_or_else(|| Fault::Refused(format!("WASI has no function `{name}`")))?
                .map(|errno| errno.map(|errno| Value::I32(errno as i32))),
            Provider::Harness(service) => service.call(args, guest),
            Provider::Stub { module, name, result } => {
                // Nobody looks at its arguments.
                for place in 0..args.len() {
                    guest.world.log.add(|| Item::Ignored { place });
                }
                stub(module, name, *result, guest)
            }
        }
    }
}

/// The answer of an import that nobody has.
fn stub(
    module: &str,
    name: &str,
    result: Option<ValType>,
    guest: &mut Guest<'_>,
) -> CallResult<Option<Value>> {
    let refused = || Fault::Refused(format!("nobody provides `{module}.{name}`"));
    let said = find(&guest.world.stubs, module, name).ok_or_else(refused)?;
    let Some(result) = result else { return Ok(None) };
    if said != UNKNOWN {
        return Value::parse(said, result).map(Some).ok_or_else(refused);
    }
    let kind = NumberKind::of(result);
    let (symbol, bits) = guest.world.requests.number(Named::After(name.to_owned()), kind, 0)?;
    let width = kind.width().unwrap_or(32);
    let extended = Extended { width, signed: false, bits };
    guest.world.log.add(|| Item::Result { name: symbol, width, bits, extended });
    Ok(Some(kind.number(bits).passed()))
}

/// What is said of an import: by its whole name, or without its module.
fn find<'s>(stubs: &'s BTreeMap<String, String>, module: &str, name: &str) -> Option<&'s str> {
    if stubs.is_empty() {
        return None;
    }
    stubs.get(&format!("{module}.{name}")).or_else(|| stubs.get(name)).map(String::as_str)
}

/// The functions that a program imports and nobody provides, by their whole names, which a stub can answer; each once.
pub(crate) fn stubbable(program: &Program, stubs: &BTreeMap<String, String>) -> Vec<String> {
    let mut names = Vec::new();
    for import in &program.imports {
        let Extern::Func(func) = import.kind else { continue };
        let full = format!("{}.{}", import.module, import.name);
        let provider = Provider::of(&import.module, &import.name, program.signature(func));
        let is_missing = matches!(provider, Some(Provider::Stub { .. }));
        if is_missing && find(stubs, &import.module, &import.name).is_none() && !names.contains(&full) {
            names.push(full);
        }
    }
    names
}

/// Whether somebody answers each import of a program when it runs on this input.
pub(crate) fn check(program: &Program, input: &Input) -> Result<(), Error> {
    let is_import = |name: &String| {
        let is_it =
            |import: &Import| *name == import.name || *name == format!("{}.{}", import.module, import.name);
        program.imports.iter().any(is_it)
    };
    if let Some(name) = input.stubs.keys().find(|name| !is_import(name)) {
        return Err(Error::NoSuchImport(name.clone()));
    }
    let mut nobody = Vec::new();
    for import in &program.imports {
        let full = format!("{}.{}", import.module, import.name);
        let provider = match import.kind {
            Extern::Func(func) => Provider::of(&import.module, &import.name, program.signature(func)),
            _ => None,
        };
        match provider {
            Some(Provider::Wasi(_) | Provider::Harness(_)) => {
                if find(&input.stubs, &import.module, &import.name).is_some() {
                    return Err(Error::NeedlessStub(full));
                }
            }
            Some(Provider::Stub { module, name, result }) => {
                match (find(&input.stubs, &module, &name), result) {
                    (None, _) => nobody.push(format!("`{full}`")),
                    (Some(text), Some(ty)) if text != UNKNOWN && Value::parse(text, ty).is_none() => {
                        return Err(Error::BadStub { name: full, why: Value::why_not(text, ty) });
                    }
                    (Some(_), _) => {}
                }
            }
            None if wasi::is_wasi(&import.module) && wasi::params(&import.name).is_some() => {
                return Err(Error::BadImport(format!("`{full}`")));
            }
            None => nobody.push(format!("`{full}`")),
        }
    }
    if nobody.is_empty() { Ok(()) } else { Err(Error::UnknownImports(nobody)) }
}
