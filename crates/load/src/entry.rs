//! The function that a run is to begin with, if compilers and linkers would leave it out: nobody else calls it.
//!
//! A static function of C or C++ that is never used is compiled only if clang is told to compile everything, and survives linking only
//! if it is global: its object's symbol is made so. Rust's functions that nobody outside can see need the same of rustc.

use std::fs;
use std::path::{Path, PathBuf};

use wasmparser::{KnownCustom, Linking, Name, Parser, Payload, SymbolFlags, SymbolInfo};

use crate::compile::{Compiled, Unit};
use crate::native::Build;
use crate::{Error, object};

/// Has clang compile what nobody uses.
const EMIT_ALL: &str = "-femit-all-decls";

impl Build {
    /// Makes the entry function a global one if it is static in one of these units, whether it is used or not.
    pub(crate) fn keep_entry(&self, units: &[Unit], compiled: &mut [Compiled]) -> Result<(), Error> {
        let Some(wanted) = self.entry().map(Wanted::new) else { return Ok(()) };
        let mut found = Vec::new();
        for (number, (unit, Compiled { object, .. })) in units.iter().zip(compiled.iter()).enumerate() {
            let bytes = fs::read(object).map_err(Error::read(object))?;
            if object::read_object(object, &bytes)?.defined.iter().any(|symbol| wanted.is(symbol)) {
                return Ok(());
            }
            if wanted.may_be_in(unit) {
                found.push((number, bytes));
            }
        }
        let mut kept: Vec<PathBuf> = Vec::new();
        for (number, bytes) in found {
            let Compiled { object, source, .. } = &compiled[number];
            let bytes = match make_global(bytes, &wanted) {
                Some(bytes) => Some(bytes),
                None => {
                    self.compile_all_of(&units[number], object)?.and_then(|bytes| make_global(bytes, &wanted))
                }
            };
            let Some(bytes) = bytes else { continue };
            fs::write(object, bytes).map_err(Error::write(object))?;
            kept.push(source.clone());
        }
        if kept.len() > 1 {
            return Err(Error::SeveralStatics { name: wanted.path.join("::"), files: kept });
        }
        Ok(())
    }

    /// A unit with all that nobody uses; none if it cannot be compiled so.
    fn compile_all_of(&self, unit: &Unit, object: &Path) -> Result<Option<Vec<u8>>, Error> {
        let mut unit = unit.clone();
        unit.flags.push(EMIT_ALL.to_owned());
        let complete = object.with_extension("complete.o");
        match self.recipe().compile_cached(&unit, &complete, self.cache()) {
            Ok(_) => fs::read(&complete).map(Some).map_err(Error::read(&complete)),
            // A definition that nobody uses may be one that cannot be compiled.
            Err(Error::Compile { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }
}

/// A function, as the user named it.
struct Wanted {
    /// The file, if it was named too: `a.c:parse`.
    file: Option<String>,
    /// Its name, with the namespaces that were named.
    path: Vec<String>,
}

impl Wanted {
    fn new(entry: &str) -> Wanted {
        let (file, name) = match entry.rsplit_once(':').filter(|(file, _)| !file.ends_with(':')) {
            Some((file, name)) => (Some(file.to_owned()), name),
            None => (None, entry),
        };
        let name = name.split('(').next().unwrap_or_default();
        Wanted { file, path: name.split("::").map(str::to_owned).collect() }
    }

    /// Whether a symbol is its: the name itself, or one that C++ or Rust made of it.
    fn is(&self, symbol: &str) -> bool {
        let [name] = &self.path[..] else { return self.is_mangled(symbol) };
        symbol == name || self.is_mangled(symbol)
    }

    /// Both languages write each part of a path as its length and itself.
    fn is_mangled(&self, symbol: &str) -> bool {
        if let Some(newer_rust) = symbol.strip_prefix("_R") {
            let written: String = self.path.iter().map(|part| format!("{}{part}", part.len())).collect();
            let Some((before, after)) = newer_rust.split_once(&written) else { return false };
            let is_digit = |character: char| character.is_ascii_digit();
            return !before.ends_with(is_digit) && !after.starts_with(is_digit);
        }
        let Some(mangled) = symbol.strip_prefix("_Z") else { return false };
        let mut parts = mangled_path(mangled);
        // The hash of Rust's older scheme.
        if parts.last().is_some_and(|last| last.len() == 17 && last.starts_with('h')) {
            parts.pop();
        }
        parts.iter().rev().take(self.path.len()).rev().eq(&self.path)
    }

    fn may_be_in(&self, unit: &Unit) -> bool {
        let place = unit.directory.as_deref().unwrap_or(Path::new("")).join(&unit.source);
        let is_named = self.file.as_ref().is_none_or(|file| place.ends_with(file));
        let name = self.path.last().map_or("", String::as_str);
        is_named && fs::read(&place).is_ok_and(|text| String::from_utf8_lossy(&text).contains(name))
    }
}

/// The parts of a path as C++ and Rust's older scheme write it: each after its length, perhaps with letters that qualify it.
fn mangled_path(mut mangled: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    loop {
        mangled = mangled.trim_start_matches(['N', 'L', 'K', 'V', 'r']);
        let digits = mangled.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(length) = mangled[..digits].parse::<usize>() else { return parts };
        let Some((part, rest)) = mangled[digits..].split_at_checked(length) else { return parts };
        parts.push(part);
        mangled = rest;
    }
}

/// The object with the function's symbol no longer local; none if there is no such symbol.
fn make_global(mut bytes: Vec<u8>, wanted: &Wanted) -> Option<Vec<u8>> {
    let place = local_symbol(&bytes, wanted)?;
    // A symbol is its kind, then its flags, all of which that matter are in one byte.
    let local = (SymbolFlags::BINDING_LOCAL | SymbolFlags::VISIBILITY_HIDDEN).bits() as u8;
    *bytes.get_mut(place + 1)? &= !local;
    Some(bytes)
}

/// Where the linking section has the function's symbol, if that is local.
fn local_symbol(bytes: &[u8], wanted: &Wanted) -> Option<usize> {
    for payload in Parser::new(0).parse_all(bytes).map_while(Result::ok) {
        let Payload::CustomSection(section) = payload else { continue };
        let KnownCustom::Linking(linking) = section.as_known() else { continue };
        for subsection in linking.subsections().map_while(Result::ok) {
            let Linking::SymbolTable(table) = subsection else { continue };
            for (place, symbol) in table.into_iter_with_offsets().map_while(Result::ok) {
                if let SymbolInfo::Func { flags, name: Some(name), .. } = symbol
                    && flags.contains(SymbolFlags::BINDING_LOCAL)
                    && !flags.contains(SymbolFlags::UNDEFINED)
                    && wanted.is(name)
                {
                    return Some(place);
                }
            }
        }
    }
    None
}

/// Builds a Rust program such that the entry function is in it. `build` is given further flags for rustc.
pub(crate) fn with_rust_entry<T>(
    entry: Option<&str>,
    wasm: impl Fn(&T) -> &[u8],
    mut build: impl FnMut(&[String]) -> Result<T, Error>,
) -> Result<T, Error> {
    let usual = build(&[])?;
    let Some(wanted) = entry.map(Wanted::new).filter(|wanted| symbols(wasm(&usual), wanted).is_empty())
    else {
        return Ok(usual);
    };
    let with = |more: Vec<String>| -> Vec<String> {
        [vec!["-C".to_owned(), "link-dead-code".to_owned()], more].concat()
    };
    let link = |argument: String| ["-C".to_owned(), format!("link-arg={argument}")];
    // With all of the standard library in it, only to learn the symbol.
    let Ok(everything) = build(&with(link("--no-gc-sections".into()).to_vec())) else { return Ok(usual) };
    let found = symbols(wasm(&everything), &wanted);
    if found.is_empty() {
        return Ok(usual);
    }
    build(&with(found.into_iter().flat_map(|symbol| link(format!("--export={symbol}"))).collect()))
}

/// The symbols of a linked module that the user may have meant.
fn symbols(wasm: &[u8], wanted: &Wanted) -> Vec<String> {
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(wasm).map_while(Result::ok) {
        match payload {
            Payload::ExportSection(exports) => {
                let names = exports.into_iter().flatten().map(|export| export.name);
                found.extend(names.filter(|name| wanted.is(name)).map(str::to_owned));
            }
            Payload::CustomSection(section) => {
                let KnownCustom::Name(names) = section.as_known() else { continue };
                for name in names.into_iter().flatten() {
                    let Name::Function(functions) = name else { continue };
                    let functions = functions.into_iter().flatten().map(|function| function.name);
                    // A function whose name is not mangled and that is not exported is one of C's library.
                    found.extend(functions.filter(|name| wanted.is_mangled(name)).map(str::to_owned));
                }
            }
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_recognised() {
        for (entry, symbol) in [
            ("parse", "parse"),
            ("parse", "_ZL5parsei"),
            ("parse", "_ZN12_GLOBAL__N_15parseEv"),
            ("ns::parse", "_ZN2ns5parseEv"),
            ("parse", "_ZN3lib5inner5parse17h0123456789abcdefE"),
            ("inner::parse", "_ZN3lib5inner5parse17h0123456789abcdefE"),
            ("parse", "_RNvNtCs1234_3lib5inner5parse"),
            ("src/a.c:parse", "parse"),
        ] {
            assert!(Wanted::new(entry).is(symbol), "{entry}: {symbol}");
        }
        for (entry, symbol) in [
            ("parse", "parser"),
            ("parse", "_ZL6parseri"),
            ("parse", "_ZN15parse3fooEv"),
            ("parse", "_ZN3lib5parse28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE"),
            ("outer::parse", "_ZN2ns5parseEv"),
        ] {
            assert!(!Wanted::new(entry).is(symbol), "{entry}: {symbol}");
        }
    }
}
