//! Plans parameters: from what an input says of them to blocks of memory, the pointers between them, and their symbols.

use super::plan::{Block, ParameterPlan, PlannedLength, PlannedParam, PlannedSymbol};
use super::rule::{Claim, PlannedRule};
use super::{Argument, Content, Number, NumberKind, Object, Room, Rule};
use crate::symbolic::input::{SymbolNames, byte_name, param_name};
use crate::{Error, Input};
use coax_program::{Func, Program};
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
        for (index, (argument, &ty)) in input.params.iter().zip(types).enumerate() {
            let name = argument.name.clone().unwrap_or_else(|| param_name(index));
            let name = planner.surroundings.free(&name);
            let param = match planner.param(argument, &name, ty, &input.params)? {
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
            plan: ParameterPlan::default(),
            pointer: NumberKind::U32,
            left: Some(u64::MAX),
            naming: Naming::Bytes,
            names: SymbolNames::of_surroundings(input),
            surroundings: SymbolNames::of_surroundings(input),
        };
        for (index, argument) in input.params.iter().enumerate() {
            let name = argument.name.clone().unwrap_or_else(|| param_name(index));
            let name = planner.surroundings.free(&name);
            // What could be wrong was said when the program was to be given it.
            let ty = match argument.content {
                Content::Number(number) => number.kind().passed_as().unwrap_or(ValType::I32),
                _ => ValType::I32,
            };
            let planned = planner.param(argument, &name, ty, &input.params);
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

struct Planner {
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

impl Planner {
    /// A parameter; `None` if the function takes something else there.
    fn param(
        &mut self,
        argument: &Argument,
        name: &str,
        ty: ValType,
        beside: &[Argument],
    ) -> Result<Option<PlannedParam>, Error> {
        let address_type = self.pointer.passed_as();
        let beside = || {
            beside.iter().enumerate().map(|(index, argument)| {
                (argument.name.clone().unwrap_or_else(|| param_name(index)), &argument.content)
            })
        };
        let surroundings = SymbolNames::clone(&self.surroundings);
        let prefix = |target: &str| surroundings.free(target);
        Ok(match self.content(argument, name, NumberKind::of(ty), &beside, &prefix)? {
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

    fn content<'a, I: Iterator<Item = (String, &'a Content)>>(
        &mut self,
        argument: &Argument,
        name: &str,
        length_kind: NumberKind,
        beside: &dyn Fn() -> I,
        prefix: &dyn Fn(&str) -> String,
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
                Planned::Address(self.bytes(*room, &bytes.0, &[], name, argument.fixed)?)
            }
            Content::Text(room, text) => {
                Planned::Address(self.bytes(*room, &text.0, &[0], name, argument.fixed)?)
            }
            Content::Pointer(None) => Planned::Null,
            Content::Pointer(Some(object)) => Planned::Address(self.object(object, name)?),
            Content::Inline(bytes) => Planned::Inline(bytes.0.clone()),
            Content::LengthOf { name: target, element, kind } => {
                let found =
                    beside().find(|(other, _)| other == target).and_then(|(_, content)| byte_count(content));
                let Some(bytes) = found else {
                    let names: Vec<String> = beside()
                        .filter(|(_, content)| byte_count(content).is_some())
                        .map(|(name, _)| format!("`{name}`"))
                        .collect();
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
                let own = argument.name.as_ref().map(|_| name.to_owned());
                let name = own.unwrap_or_else(|| format!("{}.length", prefix(target)));
                let symbol = self.number_symbol(&name, number, argument.fixed)?;
                if symbol.is_some() {
                    self.plan.lengths.push(PlannedLength { name, source: prefix(target), element: *element });
                }
                Planned::Number(number, symbol)
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
        room: Room,
        bytes: &[u8],
        behind: &[u8],
        name: &str,
        fixed: bool,
    ) -> Result<usize, Error> {
        self.reserve((bytes.len() + behind.len()) as u64, name)?;
        let symbols = if fixed { Vec::new() } else { self.byte_symbols(0, bytes, name)? };
        Ok(self.push(Block { bytes: [bytes, behind].concat(), room, pointers: Vec::new(), symbols }))
    }

    fn object(&mut self, object: &Object, name: &str) -> Result<usize, Error> {
        self.reserve(object.size, name)?;
        // Its number is given before those of what it leads to, so that blocks are in the order in which a person reads them.
        let number =
            self.push(Block { bytes: vec![0; object.size as usize], room: object.room, ..Block::default() });
        let field_name =
            |field: &super::Field| field.argument.name.clone().unwrap_or_else(|| format!("+{}", field.at));
        let beside = || object.fields.iter().map(|field| (field_name(field), &field.argument.content));
        let prefix = |target: &str| join(name, target);
        let mut used: Vec<(u64, u64, String)> = Vec::new();
        for field in &object.fields {
            let own = field_name(field);
            let full = join(name, &own);
            let planned = self.content(&field.argument, &full, self.pointer, &beside, &prefix)?;
            let (bytes, pointer, symbols) = match planned {
                Planned::Number(number, symbol) => (
                    number.memory_bytes(),
                    None,
                    symbol.map(|symbol| (field.at as usize, symbol)).into_iter().collect(),
                ),
                Planned::Null => (self.pointer.number(0).memory_bytes(), None, Vec::new()),
                Planned::Address(block) => (self.pointer.number(0).memory_bytes(), Some(block), Vec::new()),
                Planned::Inline(bytes) => {
                    let is_symbol = field.at <= object.size && !field.argument.fixed;
                    let symbols = if is_symbol {
                        self.byte_symbols(field.at as usize, &bytes, &full)?
                    } else {
                        Vec::new()
                    };
                    (bytes, None, symbols)
                }
            };
            let end = field.at.checked_add(bytes.len() as u64).filter(|&end| end <= object.size);
            let Some(end) = end else {
                return Err(self.bad(
                    format!(
                        "`{full}` is {} bytes at {}, outside of its object of {} bytes",
                        bytes.len(),
                        field.at,
                        object.size
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
            Content::Bytes(..) | Content::Text(..) | Content::Pointer(_) | Content::Inline(_) => {
                "a pointer".into()
            }
        });
        Error::BadParams {
            name: self.plan.function.clone(),
            expected: list(types.iter().map(ToString::to_string).collect()),
            given: list(given.collect()),
        }
    }
}

/// How many bytes a pointer leads to; none if it leads nowhere or is none.
fn byte_count(content: &Content) -> Option<u64> {
    match content {
        Content::Bytes(_, bytes) | Content::Text(_, bytes) => Some(bytes.0.len() as u64),
        Content::Pointer(Some(object)) => Some(object.size),
        Content::Pointer(None) => Some(0),
        Content::Inline(bytes) => Some(bytes.0.len() as u64),
        Content::Number(_) | Content::LengthOf { .. } => None,
    }
}

/// The full name of a field: elements of arrays follow without a dot, as do places without a name.
pub(super) fn join(object: &str, field: &str) -> String {
    match field.is_empty() || field.starts_with(['[', '+']) {
        true => format!("{object}{field}"),
        false => format!("{object}.{field}"),
    }
}
