//! Plans parameters: from what an input says of them to blocks of memory, the pointers between them, and their symbols.

mod length;

use super::assign::field_name;
use super::plan::{Block, ParameterPlan, PlannedParam, PlannedSymbol};
use super::rule::{Claim, PlannedRule};
use super::{Argument, Content, Number, NumberKind, Object, Room, Rule, settle};
use crate::symbolic::input::{SymbolNames, byte_name, param_name};
use crate::{Error, Input};
use coax_program::{Func, Program};
use std::borrow::Cow;
use wasmparser::ValType;

impl ParameterPlan {
    /// How an input's parameters are given to a function, within so much memory.
    pub(crate) fn new(
        program: &Program,
        func: Func,
        function: &str,
        input: &Input,
        most_bytes: u64,
        naming: Naming,
    ) -> Result<ParameterPlan, Error> {
        let types = &program.signature(func).params;
        let is_wide = program.memories.first().is_some_and(|memory| memory.ty.memory64);
        let mut planner = Planner {
            program: Some(program),
            plan: ParameterPlan { is_wide, function: function.to_owned(), ..ParameterPlan::default() },
            pointer: if is_wide { NumberKind::U64 } else { NumberKind::U32 },
            left: if program.memories.is_empty() { None } else { Some(most_bytes) },
            naming,
            names: SymbolNames::of_surroundings(input),
            surroundings: SymbolNames::of_surroundings(input),
        };
        if types.len() != input.params.len() {
            return Err(planner.misfit(types, input));
        }
        let params = settled(&input.params);
        let row = planner.parameters(&params);
        for ((argument, part), &ty) in params.iter().zip(&row.0).zip(types) {
            let param = match planner.param(argument, &part.full, ty, &row)? {
                Some(param) => param,
                None => return Err(planner.misfit(types, input)),
            };
            planner.plan.params.push(param);
        }
        Ok(planner.finish())
    }

    /// The same plan, with its last block ending with the memory or not.
    pub(crate) fn tight(self, is_tight: bool) -> ParameterPlan {
        ParameterPlan { is_tight, ..self }
    }

    /// The plan of an input that has already been given to a program: only its symbols matter.
    pub(crate) fn of_input(input: &Input) -> ParameterPlan {
        let mut planner = Planner {
            program: None,
            plan: ParameterPlan::default(),
            pointer: NumberKind::U32,
            left: Some(u64::MAX),
            naming: Naming::Bytes,
            names: SymbolNames::of_surroundings(input),
            surroundings: SymbolNames::of_surroundings(input),
        };
        let params = settled(&input.params);
        let row = planner.parameters(&params);
        for (argument, part) in params.iter().zip(&row.0) {
            // What could be wrong was said when the program was to be given it.
            let ty = match argument.content {
                Content::Number(number) => number.kind().passed_as().unwrap_or(ValType::I32),
                _ => ValType::I32,
            };
            let planned = planner.param(argument, &part.full, ty, &row);
            planner.plan.params.extend(planned.ok().flatten());
        }
        planner.finish()
    }
}

/// Whether bytes have symbols, each with its name: a run without terms does not need them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    Bytes,
    NoBytes,
}

struct Planner<'p> {
    /// The program; none where the input has been given to it already.
    program: Option<&'p Program>,
    plan: ParameterPlan,
    /// What kind of number an address is in memory.
    pointer: NumberKind,
    /// How many bytes of memory are left; none if there is no memory.
    left: Option<u64>,
    naming: Naming,
    names: SymbolNames,
    /// The names of what else the program finds, which parameters are not called by.
    surroundings: SymbolNames,
}

/// What a parameter or field is, with all that it leads to planned.
enum Planned {
    Number(Number, Option<PlannedSymbol>),
    Null,
    Address(usize),
    Inline(Vec<u8>),
}

/// What stands beside each other: the parameters, or the fields of an object.
struct Row<'a>(Vec<Part<'a>>);

struct Part<'a> {
    /// What it is called by what stands beside it.
    name: String,
    /// What its symbols are called.
    full: String,
    argument: &'a Argument,
}

/// Parameters whose lengths are true.
fn settled(params: &[Argument]) -> Cow<'_, [Argument]> {
    let mut params = Cow::Borrowed(params);
    if settle::has_lengths(&params) {
        settle::settle(params.to_mut());
    }
    params
}

impl Planner<'_> {
    fn parameters<'a>(&self, params: &'a [Argument]) -> Row<'a> {
        let part = |(index, argument): (usize, &'a Argument)| {
            let name = argument.name.clone().unwrap_or_else(|| param_name(index));
            Part { full: self.surroundings.free(&name), name, argument }
        };
        Row(params.iter().enumerate().map(part).collect())
    }

    /// A parameter; `None` if the function takes something else there.
    fn param(
        &mut self,
        argument: &Argument,
        name: &str,
        ty: ValType,
        beside: &Row<'_>,
    ) -> Result<Option<PlannedParam>, Error> {
        let address_type = self.pointer.passed_as();
        Ok(match self.content(argument, name, NumberKind::of(ty), beside)? {
            Planned::Number(number, symbol) => {
                let value = number.passed();
                value.fits(ty).then_some(PlannedParam::Number(value, symbol))
            }
            Planned::Null if Some(ty) == address_type => {
                Some(PlannedParam::Number(self.pointer.number(0).passed(), None))
            }
            Planned::Address(block) if Some(ty) == address_type => Some(PlannedParam::Address(block)),
            Planned::Null | Planned::Address(_) | Planned::Inline(_) => None,
        })
    }

    fn content(
        &mut self,
        argument: &Argument,
        name: &str,
        length_kind: NumberKind,
        beside: &Row<'_>,
    ) -> Result<Planned, Error> {
        Ok(match &argument.content {
            Content::Number(number) => {
                let symbol = self.number_symbol(name, *number, argument.fixed)?;
                if let Some(Rule::Among(ranges)) = &argument.rule {
                    let (bits, symbol, ranges) = (number.bits(), symbol.clone(), ranges.clone());
                    self.rule(name, Claim::Among { bits, symbol, ranges });
                }
                Planned::Number(*number, symbol)
            }
            Content::Bytes(room, bytes) => {
                if argument.rule == Some(Rule::Utf8) {
                    let is_symbol = !argument.fixed && self.naming == Naming::Bytes;
                    let places = (0..bytes.0.len() as u64).filter(|_| is_symbol);
                    let symbols = places.map(|place| byte_name(name, place)).collect();
                    self.rule(name, Claim::Utf8 { bytes: bytes.0.clone(), symbols, length: None });
                }
                Planned::Address(self.bytes((*room, argument), &bytes.0, 0, name)?)
            }
            Content::Text(room, text) => Planned::Address(self.bytes((*room, argument), &text.0, 1, name)?),
            Content::Pointer(None) => Planned::Null,
            Content::Pointer(Some(object)) => {
                Planned::Address(self.object((object, argument.spare), name, beside)?)
            }
            Content::Inline(bytes) => Planned::Inline(bytes.0.clone()),
            Content::LengthOf { .. } => self.length(argument, name, length_kind, beside)?,
            Content::Callback(callback) => {
                let slot = self.program.map_or(Ok(1), |program| self.callback(program, name, callback))?;
                Planned::Number(self.pointer.number(slot), None)
            }
        })
    }

    fn rule(&mut self, name: &str, claim: Claim) {
        self.plan.rules.push(PlannedRule { name: name.to_owned(), claim });
    }

    /// The plan, whose rules know by now which symbols are lengths.
    fn finish(mut self) -> ParameterPlan {
        let mut rules = std::mem::take(&mut self.plan.rules);
        for PlannedRule { name, claim } in &mut rules {
            let Claim::Utf8 { length, .. } = claim else { continue };
            let counts =
                self.plan.lengths.iter().find(|length| length.source == *name && length.element == 1);
            let symbol =
                counts.and_then(|counts| self.plan.symbols().find(|symbol| symbol.name == counts.name));
            *length = symbol.map(|symbol| (symbol.name.clone(), symbol.width));
        }
        self.plan.rules = rules;
        self.plan
    }

    fn number_symbol(
        &mut self,
        name: &str,
        number: Number,
        fixed: bool,
    ) -> Result<Option<PlannedSymbol>, Error> {
        let Some(width) = number.kind().width().filter(|_| !fixed) else { return Ok(None) };
        self.symbol(name.to_owned(), width, number.kind().is_signed(), number.bits()).map(Some)
    }

    fn symbol(&mut self, name: String, width: u8, signed: bool, bits: u64) -> Result<PlannedSymbol, Error> {
        self.claim(&name)?;
        Ok(PlannedSymbol { name, width, signed, bits })
    }

    fn claim(&mut self, name: &str) -> Result<(), Error> {
        match self.names.claim(name) {
            true => Ok(()),
            false => Err(self.bad(
                format!("two of its inputs are called `{name}`"),
                "Give one of them another name.".into(),
            )),
        }
    }

    fn byte_symbols(
        &mut self,
        at: usize,
        bytes: &[u8],
        name: &str,
    ) -> Result<Vec<(usize, PlannedSymbol)>, Error> {
        // They are called `name[0]` and so on: with the name, all of these are taken.
        if !bytes.is_empty() {
            self.claim(name)?;
        }
        if self.naming == Naming::NoBytes {
            return Ok(Vec::new());
        }
        let symbol = |(index, &byte): (usize, &u8)| {
            let name = byte_name(name, index as u64);
            (at + index, PlannedSymbol { name, width: 8, signed: false, bits: byte.into() })
        };
        Ok(bytes.iter().enumerate().map(symbol).collect())
    }

    fn bytes(
        &mut self,
        (room, argument): (Room, &Argument),
        bytes: &[u8],
        zeros: u64,
        name: &str,
    ) -> Result<usize, Error> {
        let size = (bytes.len() as u64).saturating_add(zeros).saturating_add(argument.spare);
        self.reserve(size, name)?;
        let symbols = if argument.fixed { Vec::new() } else { self.byte_symbols(0, bytes, name)? };
        let mut bytes = bytes.to_vec();
        bytes.resize(size as usize, 0);
        Ok(self.push(Block { bytes, room, pointers: Vec::new(), symbols }))
    }

    fn object(
        &mut self,
        (object, spare): (&Object, u64),
        name: &str,
        outside: &Row<'_>,
    ) -> Result<usize, Error> {
        let size = object.room_bytes();
        let all = size.saturating_add(spare);
        self.reserve(all, name)?;
        // Its number is given before those of what it leads to, so that blocks are in the order in which a person reads them.
        let number = self.push(Block { bytes: vec![0; all as usize], room: object.room, ..Block::default() });
        let inside = Row::of_object(object, name);
        let beside = if object.is_length() { outside } else { &inside };
        let mut used: Vec<(u64, u64, String)> = Vec::new();
        // Of an array without elements, it is only known what they would be like.
        for field in object.fields.iter().filter(|field| object.size > 0 || field.at < size) {
            let own = field_name(&field.argument, field.at);
            let full = join(name, &own);
            let planned = self.content(&field.argument, &full, self.pointer, beside)?;
            let (bytes, pointer, symbols) = match planned {
                Planned::Number(number, symbol) => (
                    number.memory_bytes(),
                    None,
                    symbol.map(|symbol| (field.at as usize, symbol)).into_iter().collect(),
                ),
                Planned::Null => (self.pointer.number(0).memory_bytes(), None, Vec::new()),
                Planned::Address(block) => (self.pointer.number(0).memory_bytes(), Some(block), Vec::new()),
                Planned::Inline(bytes) => {
                    let is_symbol = field.at <= size && !field.argument.fixed;
                    let symbols = if is_symbol {
                        self.byte_symbols(field.at as usize, &bytes, &full)?
                    } else {
                        Vec::new()
                    };
                    (bytes, None, symbols)
                }
            };
            let end = field.at.checked_add(bytes.len() as u64).filter(|&end| end <= size);
            let Some(end) = end else {
                return Err(self.bad(
                    format!(
                        "`{full}` is {} bytes at {}, outside of its object of {} bytes",
                        bytes.len(),
                        field.at,
                        size
                    ),
                    "Correct its \"at\" or the object's \"size\".".into(),
                ));
            };
            if let Some((.., other)) = used.iter().find(|(begin, until, _)| field.at < *until && *begin < end)
            {
                return Err(self.bad(
                    format!("`{full}` and `{}` share bytes", join(name, other)),
                    "Correct one's \"at\", or leave one out.".into(),
                ));
            }
            used.push((field.at, end, own));
            let at = field.at as usize;
            let block = &mut self.plan.blocks[number];
            block.bytes[at..end as usize].copy_from_slice(&bytes);
            block.pointers.extend(pointer.map(|to| (at, to)));
            block.symbols.extend(symbols);
        }
        Ok(number)
    }

    fn push(&mut self, block: Block) -> usize {
        self.plan.blocks.push(block);
        self.plan.blocks.len() - 1
    }

    /// Takes so many bytes of what the program may have.
    fn reserve(&mut self, bytes: u64, name: &str) -> Result<(), Error> {
        let Some(left) = self.left else {
            return Err(self.bad(
                format!("`{name}` is a pointer, but the program has no memory"),
                "Give it a number.".into(),
            ));
        };
        match left.checked_sub(bytes) {
            Some(left) => {
                self.left = Some(left);
                Ok(())
            }
            None => Err(self.bad(
                format!("`{name}` needs {bytes} bytes, but only {left} of the memory that a program may have are left"),
                "Make it smaller, or raise the limit.".into(),
            )),
        }
    }

    fn bad(&self, problem: String, advice: String) -> Error {
        Error::BadArgument { function: self.plan.function.clone(), problem, advice }
    }

    fn misfit(&self, types: &[ValType], input: &Input) -> Error {
        let list = |items: Vec<String>| match items.is_empty() {
            true => "no parameters".to_string(),
            false => format!("({})", items.join(", ")),
        };
        let given = input.params.iter().map(|argument| match &argument.content {
            Content::Number(number) => number.passed().to_string(),
            Content::LengthOf { .. } => "a length".into(),
            Content::Bytes(..)
            | Content::Text(..)
            | Content::Pointer(_)
            | Content::Inline(_)
            | Content::Callback(_) => "a pointer".into(),
        });
        Error::BadParams {
            name: self.plan.function.clone(),
            expected: list(types.iter().map(ToString::to_string).collect()),
            given: list(given.collect()),
        }
    }
}

/// The full name of a field: elements of arrays follow without a dot, as do places without a name.
pub(super) fn join(object: &str, field: &str) -> String {
    match field.is_empty() || field.starts_with(['[', '+']) {
        true => format!("{object}{field}"),
        false => format!("{object}.{field}"),
    }
}
