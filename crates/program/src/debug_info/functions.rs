//! The functions of a unit, and what was inlined into them.

use super::code::{BodyIndex, CodeLayout};
use super::declarations::{Declaration, Declarations, file_number};
use super::lines::Position;
use super::units::address_ranges;
use super::{Dwarf, DwarfEntry, DwarfUnit};
use std::ops::Range;
use std::sync::Arc;

/// A function with a body of its own, or a call that was replaced by the callee's code.
#[derive(Debug)]
pub(super) struct Scope {
    pub function: Arc<Declaration>,
    /// Its entry in the unit.
    pub entry: gimli::UnitOffset,
    /// What this was inlined into, and from where it would have been called.
    pub caller: Option<(ScopeIndex, Position)>,
}

/// Index into [`Functions::scopes`].
pub(super) type ScopeIndex = usize;

/// Code that belongs to a scope.
#[derive(Debug)]
struct Span {
    /// 0 for the function itself, 1 for what was inlined into it…
    depth: usize,
    range: Range<u32>,
    scope: ScopeIndex,
}

/// The functions of a unit.
#[derive(Debug, Default)]
pub(super) struct Functions {
    scopes: Vec<Scope>,
    /// By depth, then address; those of one depth do not overlap.
    spans: Vec<Span>,
    /// Where each depth starts in `spans`.
    depths: Vec<usize>,
}

impl Functions {
    /// Reads the functions whose bodies `owns` accepts.
    pub fn read<'a>(
        dwarf: &Dwarf<'a>,
        unit: &DwarfUnit<'a>,
        code: &CodeLayout,
        owns: impl Fn(BodyIndex) -> bool,
    ) -> gimli::Result<Functions> {
        let mut reader = Reader { declarations: Declarations::new(dwarf), functions: Functions::default() };
        // The chain of scopes around the current entry, each with its depth among the entries; code that
        // was dropped is a `None`.
        let mut around: Vec<(isize, Option<Open>)> = Vec::new();
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            while around.last().is_some_and(|(depth, _)| *depth >= entry.depth()) {
                around.pop();
            }
            let opened = match entry.tag() {
                gimli::DW_TAG_subprogram => reader.function(unit, entry, code, &owns)?,
                gimli::DW_TAG_inlined_subroutine => match around.last() {
                    Some((_, Some(open))) => Some(reader.inlined(unit, entry, open)?),
                    _ => None,
                },
                _ => continue,
            };
            around.push((entry.depth(), opened));
        }
        Ok(reader.finish())
    }

    /// The innermost scope at an address.
    pub fn innermost(&self, address: u32) -> Option<ScopeIndex> {
        self.scopes_at(address).last()
    }

    /// The function with a body of its own at an address.
    pub fn outermost(&self, address: u32) -> Option<ScopeIndex> {
        self.scopes_at(address).next()
    }

    /// The scopes around an address from the outside in. What is inlined lies within what it is inlined
    /// into, so there is one for each depth down to the first miss.
    fn scopes_at(&self, address: u32) -> impl Iterator<Item = ScopeIndex> {
        let ends = self.depths.iter().skip(1).copied().chain([self.spans.len()]);
        let depths = self.depths.iter().zip(ends).map(|(&start, end)| &self.spans[start..end]);
        depths.map_while(move |spans| {
            let index = spans.partition_point(|span| span.range.end <= address);
            spans.get(index).filter(|span| span.range.contains(&address)).map(|span| span.scope)
        })
    }

    /// The scope with this index.
    pub fn scope(&self, index: ScopeIndex) -> &Scope {
        &self.scopes[index]
    }

    /// The addresses of all functions with a body of their own.
    pub fn bodies(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        let widen = |span: &Span| u64::from(span.range.start)..u64::from(span.range.end);
        self.spans.iter().take_while(|span| span.depth == 0).map(widen)
    }
}

/// A scope whose entries are being read.
struct Open {
    scope: ScopeIndex,
    depth: usize,
    body: Range<u32>,
}

struct Reader<'d, 'a> {
    declarations: Declarations<'d, 'a>,
    functions: Functions,
}

impl<'a> Reader<'_, 'a> {
    /// Opens a function that has code.
    fn function(
        &mut self,
        unit: &DwarfUnit<'a>,
        entry: &DwarfEntry<'a>,
        code: &CodeLayout,
        owns: impl Fn(BodyIndex) -> bool,
    ) -> gimli::Result<Option<Open>> {
        let ranges = address_ranges(self.declarations.dwarf, unit, entry)?;
        let body = ranges.iter().find_map(|range| code.body_of(range)).map(|(body, _)| body);
        let Some(body) = body.filter(|body| owns(*body)) else { return Ok(None) };
        let function = self.declarations.of(unit, entry);
        let body = code.bodies[body].clone();
        let scope = self.push(Scope { function, entry: entry.offset(), caller: None });
        self.functions.spans.push(Span { depth: 0, range: body.clone(), scope });
        Ok(Some(Open { scope, depth: 0, body }))
    }

    /// Opens a call that was inlined.
    fn inlined(
        &mut self,
        unit: &DwarfUnit<'a>,
        entry: &DwarfEntry<'a>,
        caller: &Open,
    ) -> gimli::Result<Open> {
        let number = |name| entry.attr_value(name).and_then(|value| value.udata_value()).unwrap_or(0) as u32;
        let call = Position {
            file: file_number(entry, gimli::DW_AT_call_file).unwrap_or(0),
            line: number(gimli::DW_AT_call_line),
            column: number(gimli::DW_AT_call_column),
        };
        let function = self.declarations.of(unit, entry);
        let depth = caller.depth + 1;
        let scope = self.push(Scope { function, entry: entry.offset(), caller: Some((caller.scope, call)) });
        for range in address_ranges(self.declarations.dwarf, unit, entry)? {
            let clipped = range.start.max(caller.body.start.into())..range.end.min(caller.body.end.into());
            if clipped.start < clipped.end {
                let range = clipped.start as u32..clipped.end as u32;
                self.functions.spans.push(Span { depth, range, scope });
            }
        }
        Ok(Open { scope, depth, body: caller.body.clone() })
    }

    fn push(&mut self, scope: Scope) -> ScopeIndex {
        self.functions.scopes.push(scope);
        self.functions.scopes.len() - 1
    }

    fn finish(mut self) -> Functions {
        let spans = &mut self.functions.spans;
        spans.sort_by_key(|span| (span.depth, span.range.start));
        let deepest = spans.last().map_or(0, |span| span.depth + 1);
        self.functions.depths =
            (0..deepest).map(|depth| spans.partition_point(|span| span.depth < depth)).collect();
        self.functions
    }
}
