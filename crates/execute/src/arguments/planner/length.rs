//! Plans the parts of an input that are about other parts: lengths, and pointers to functions.

use super::super::plan::{PlannedLength, PlannedSymbol};
use super::super::{Argument, Callback, Content, NumberKind, Object};
use super::{Part, Planned, Planner, Row, field_name, join};
use crate::Error;
use coax_program::{Extern, Program};

impl<'a> Row<'a> {
    /// The fields of an object. (Only lengths want to know what stands beside them.)
    pub(super) fn of_object(object: &'a Object, name: &str) -> Row<'a> {
        let wants = |content: &Content| match content {
            Content::LengthOf { .. } => true,
            Content::Pointer(Some(object)) => object.is_length(),
            _ => false,
        };
        if object.is_length() || !object.fields.iter().any(|field| wants(&field.argument.content)) {
            return Row(Vec::new());
        }
        let part = |field: &'a super::super::Field| {
            let own = field_name(&field.argument, field.at);
            Part { full: join(name, &own), name: own, argument: &field.argument }
        };
        Row(object.fields.iter().map(part).collect())
    }

    /// What has this name and a length.
    fn counted(&self, name: &str) -> Option<(&Part<'a>, u64)> {
        let part = self.0.iter().find(|part| part.name == name)?;
        part.argument.content.byte_count().map(|bytes| (part, bytes))
    }

    /// What the symbol is called that is the length of the same, in the same unit, if there is one.
    fn symbol_of(&self, fixed: &Content, counted: &Part<'_>) -> Option<String> {
        self.0.iter().find_map(|part| {
            let (length, full) = match &part.argument.content {
                Content::Pointer(Some(object)) if object.is_length() => {
                    let inner = &object.fields[0];
                    (&inner.argument, join(&part.full, &field_name(&inner.argument, inner.at)))
                }
                _ => (part.argument, part.full.clone()),
            };
            let is_same = length.content == *fixed && !length.fixed;
            is_same.then(|| if length.name.is_some() { full } else { format!("{}.length", counted.full) })
        })
    }
}

impl Planner<'_> {
    /// How many elements something beside it has.
    pub(super) fn length(
        &mut self,
        argument: &Argument,
        name: &str,
        length_kind: NumberKind,
        beside: &Row<'_>,
    ) -> Result<Planned, Error> {
        let Content::LengthOf { name: target, element, kind, also } = &argument.content else {
            return Ok(Planned::Null);
        };
        let Some((first, bytes)) = beside.counted(target) else {
            let names = beside.0.iter().filter(|part| part.argument.content.byte_count().is_some());
            let names: Vec<String> = names.map(|part| format!("`{}`", part.name)).collect();
            return Err(self.bad(
                format!("`{name}` is the length of `{target}`, but nothing beside it that has a length is called so"),
                match names.is_empty() {
                    true => "Write a number instead.".into(),
                    false => format!("Name one of: {}.", names.join(", ")),
                },
            ));
        };
        let (kind, count) = (kind.unwrap_or(length_kind), bytes / (*element).max(1));
        let number = kind.number(count);
        if number.bits() != count {
            return Err(self.bad(
                format!("the length of `{target}`, {count}, does not fit a {}", kind.name()),
                "Make it shorter.".into(),
            ));
        }
        if argument.fixed {
            let (width, signed) = (kind.width().unwrap_or(64), kind.is_signed());
            let symbol = beside.symbol_of(&argument.content, first);
            let symbol = symbol.map(|name| PlannedSymbol { name, width, signed, bits: count });
            return Ok(Planned::Number(number, symbol));
        }
        let own = argument.name.as_ref().map(|_| name.to_owned());
        let name = own.unwrap_or_else(|| format!("{}.length", first.full));
        let symbol = self.number_symbol(&name, number, false)?;
        if symbol.is_some() {
            let also = also.iter().filter_map(|also| Some((beside.counted(&also.name)?.0, also.element)));
            for (part, element) in [(first, *element)].into_iter().chain(also) {
                let least = match &part.argument.content {
                    Content::Pointer(Some(object)) => object.least / element.max(1),
                    _ => 0,
                };
                let source = part.full.clone();
                self.plan.lengths.push(PlannedLength { name: name.clone(), source, element, least });
            }
        }
        Ok(Planned::Number(number, symbol))
    }

    /// Where in its table a program has the function that answers for a callback.
    pub(super) fn callback(&self, program: &Program, name: &str, callback: &Callback) -> Result<u64, Error> {
        // Without a table nobody can call it: all that can be seen is that it is not null.
        let Some(table) = program.tables.first() else { return Ok(1) };
        let (module, import) = callback.import();
        let func = program.imports.iter().rev().find_map(|it| match it.kind {
            Extern::Func(func) if it.module == module && it.name == import => Some(func),
            _ => None,
        });
        let func = func.filter(|&func| *program.signature(func) == callback.signature());
        let slot = func.and_then(|func| Some(*table.slots.iter().rev().find(|it| *it.1 == func)?.0));
        slot.ok_or_else(|| {
            self.bad(
                format!("`{name}` is a function, and the program has none that could stand for it"),
                "Build the program so that its table of functions is its own, and name its entry with `--entry`.".into(),
            )
        })
    }
}
