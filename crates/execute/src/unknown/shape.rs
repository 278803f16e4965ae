//! What an unknown function is a function of: which places it read, seen from its parameters. And the names of the functions that terms have for it, which are
//! written and read here only.

use super::Known;
use super::objects::Objects;
use crate::arguments::Shapes;
use crate::hooks::Call;
use crate::symbolic::width;
use coax_program::debug_info::Type;
use coax_program::{Func, Program};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt::Write;

/// No object is larger: what is farther from a pointer is something else.
const MOST_BEHIND: u64 = 1 << 20;

/// So far what parameters consist of is looked at: what they lead to does not matter.
const DEPTH: usize = 1;

/// A parameter of an unknown function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Param {
    /// None if it is no number.
    pub width: Option<u8>,
    /// Whether what it points to counts, not where that is.
    pub is_pointer: bool,
}

/// Where something is that a call is given, or that comes out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A parameter, or a result, by number.
    Param(usize),
    /// So many bytes behind what a parameter points to.
    Behind(usize, u64),
    /// A byte of memory.
    Memory(u64),
    /// A global.
    Global(u32),
    /// So many bytes below where the stack ended when the call began: what earlier calls left there.
    Below(u64),
}

impl Place {
    /// Whether it is neither a parameter or result nor behind one.
    pub(super) fn is_elsewhere(self) -> bool {
        matches!(self, Place::Memory(_) | Place::Global(_))
    }

    /// Where an address is for a call: behind the nearest pointer to the same thing, if there is one. Places that count as arguments are no such pointers.
    pub(super) fn of(
        address: u64,
        known: &Known,
        call: &Call,
        counted: &BTreeSet<Place>,
        objects: &Objects,
    ) -> Place {
        let behind = |(number, (param, datum)): (usize, (&Param, &Option<crate::Datum>))| {
            let is_number = !param.is_pointer || counted.contains(&Place::Param(number));
            let base = (*datum).filter(|datum| !is_number && datum.term.is_none())?.bits;
            let offset = address.checked_sub(base).filter(|&offset| offset < MOST_BEHIND)?;
            (!objects.are_apart(base, address)).then_some((offset, number))
        };
        let nearest = known.params.iter().zip(&call.args).enumerate().filter_map(behind).min();
        nearest.map_or(Place::Memory(address), |(offset, number)| Place::Behind(number, offset))
    }
}

/// The parameters of a function: which are pointers is known from its types in the source and from how these are passed (a slice is a pointer and a length);
/// without them, none is.
pub(super) fn params(program: &Program, func: Func) -> Vec<Param> {
    let signature = program.signature(func);
    let shapes = OnceCell::new();
    let is_passed = |local: usize| {
        let shapes = shapes.get_or_init(|| Shapes::of_function(program, func, signature, DEPTH));
        shapes.params.get(local).is_some_and(|param| param.shape.is_pointer())
    };
    let types = program.debug.types();
    let declared = types.function(&program.functions[func]);
    // Where a function is says what it does: it is a number that counts.
    let is_pointer = |ty: Type| match ty {
        Type::Pointer { to, .. } => Some(!to.is_some_and(|to| matches!(types.get(to), Type::Function))),
        Type::Structure(_) | Type::Union(_) | Type::Unknown => None,
        _ => Some(false),
    };
    let is_declared = |local: usize| {
        let params = declared.as_ref().map_or(&[][..], |declared| &declared.params);
        let param = params.iter().find(|param| param.local == Some(local as u32)).or_else(|| {
            // Compilers that do not say where parameters are put each in one local, in order.
            params.get(local).filter(|param| param.local.is_none() && params.len() == signature.params.len())
        });
        param.and_then(|param| is_pointer(types.get(param.ty)))
    };
    let param = |(local, ty): (usize, &wasmparser::ValType)| Param {
        width: width(*ty),
        is_pointer: is_declared(local).unwrap_or_else(|| declared.is_some() && is_passed(local)),
    };
    signature.params.iter().enumerate().map(param).collect()
}

/// The name of a function together with what it read: calls of one shape are applications of one function.
pub(super) struct Shape(String);

impl Shape {
    /// The shape of a call that read these places, which are in order. Numbers among the parameters are always read, and left out.
    pub(super) fn new(name: &str, places: impl IntoIterator<Item = Place>) -> Shape {
        let mut text = name.to_owned();
        let mut places = places.into_iter().peekable();
        while let Some(place) = places.next() {
            let mut count = 1;
            let mut last = place;
            while let Some(&next) = places.peek().filter(|&&next| follows(last, next)) {
                last = next;
                count += 1;
                places.next();
            }
            let _ = write!(text, "/{}+{count}", place.text());
        }
        Shape(text)
    }

    /// Its name.
    pub(super) fn into_name(self) -> String {
        self.0
    }

    /// The name of the function that gives what comes out at this place; if it is a pointer, how far behind what this parameter points to.
    pub(super) fn output(&self, place: Place, behind: Option<usize>) -> String {
        match (place, behind) {
            (Place::Param(0), None) => self.0.clone(),
            (place, None) => format!("{}>{}", self.0, place.text()),
            (place, Some(param)) => format!("{}>{}~{param}", self.0, place.text()),
        }
    }
}

/// The parts of the name of a function that terms have: `crc32/p0[0]+4>p1[2]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionName<'a> {
    /// The function of the program.
    pub function: &'a str,
    /// The same, with what it read.
    pub shape: &'a str,
    /// What comes out of it; none if it is the first result.
    pub output: Option<&'a str>,
}

impl FunctionName<'_> {
    /// Takes a name apart, from its end: names of functions may have the same signs in them, as `operator/` or `mix<int>` do.
    pub fn parse(name: &str) -> FunctionName<'_> {
        let (shape, output) = match name.rsplit_once('>').filter(|(_, output)| is_output(output)) {
            Some((shape, output)) => (shape, Some(output)),
            None => (name, None),
        };
        let mut function = shape;
        while let Some((before, _)) = function.rsplit_once('/').filter(|(_, read)| is_read(read)) {
            function = before;
        }
        FunctionName { function, shape, output }
    }
}

/// Whether this is the text of what comes out: a [`Place`], and the parameter that it is relative to.
fn is_output(text: &str) -> bool {
    match text.rsplit_once('~') {
        Some((place, param)) => is_place(place) && is_number(param),
        None => is_place(text),
    }
}

/// Whether this is the text of places that were read: `p0[0]+4`.
fn is_read(text: &str) -> bool {
    text.rsplit_once('+').is_some_and(|(place, count)| is_place(place) && is_number(count))
}

/// Whether this is the text of a [`Place`].
fn is_place(text: &str) -> bool {
    let behind = |text: &str| {
        let (number, offset) = text.strip_prefix('p')?.strip_suffix(']')?.split_once('[')?;
        Some(is_number(number) && is_number(offset))
    };
    let is_address = |text: &str| text.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number(text)
        || text.strip_prefix(['g', 's']).is_some_and(is_number)
        || text.strip_prefix("@0x").is_some_and(is_address)
        || behind(text).unwrap_or(false)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}

impl Place {
    fn text(self) -> String {
        match self {
            Place::Param(number) => number.to_string(),
            Place::Behind(number, offset) => format!("p{number}[{offset}]"),
            Place::Memory(address) => format!("@{address:#x}"),
            Place::Global(global) => format!("g{global}"),
            Place::Below(offset) => format!("s{offset}"),
        }
    }
}

/// Whether a place comes right after another.
fn follows(last: Place, next: Place) -> bool {
    match (last, next) {
        (Place::Behind(of, offset), Place::Behind(next_of, next)) => of == next_of && next == offset + 1,
        (Place::Memory(last), Place::Memory(next)) | (Place::Below(last), Place::Below(next)) => {
            next == last + 1
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_were_written() {
        let places = [
            Place::Behind(0, 0),
            Place::Behind(0, 1),
            Place::Memory(0x400),
            Place::Global(3),
            Place::Below(4),
            Place::Below(5),
        ];
        let outputs =
            [Place::Param(0), Place::Param(1), Place::Behind(1, 7), Place::Memory(9), Place::Global(1)];
        for name in ["crc32", "operator/", "operator>", "mix<int>(char const*)", "<T as Hash>::hash#1"] {
            for count in 0..=places.len() {
                let shape = Shape::new(name, places.into_iter().take(count));
                for output in outputs {
                    let (text, behind) = (shape.output(output, None), shape.output(output, Some(1)));
                    let parsed = FunctionName::parse(&text);
                    assert_eq!((parsed.function, parsed.shape), (name, shape.0.as_str()));
                    let wanted = (output != Place::Param(0)).then(|| output.text());
                    assert_eq!(parsed.output.map(str::to_owned), wanted);
                    let parsed = FunctionName::parse(&behind);
                    assert_eq!((parsed.function, parsed.shape), (name, shape.0.as_str()));
                    assert_eq!(parsed.output.map(str::to_owned), Some(format!("{}~1", output.text())));
                }
            }
        }
    }
}
