//! A harness in C, for functions of C and C++.
//!
//! It declares what it needs by itself, as wasm sees it: numbers, pointers, and structures with the places that debug information gives
//! their members. So it compiles beside any program, whatever headers that needs.

use super::{Subject, identifier};
use anyhow::{Result, bail};
use coax_execute::{Callback, CallbackResult, FieldShape, Layout, NumberKind, Shape};
use coax_program::ir::ValType;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// How many elements a buffer may have: of bytes, of others.
const MOST_BYTES: u64 = 8;
const MOST_ELEMENTS: u64 = 4;

/// The text of the harness.
pub(super) fn harness(subject: &Subject<'_>, out: &Path) -> Result<String> {
    let Subject { program, entry, shapes, name, given, .. } = subject;
    let function = &program.functions[entry.func];
    let types = program.debug.types();
    let described = types.function(function);
    if described.as_ref().map_or(!entry.is_exported, |described| !described.is_external) {
        bail!(
            "`{}` is static, so no other file can call it; remove `static`, or write the harness in its own file",
            function.name
        );
    }
    let own_name = identifier(super::short_name(&function.name));
    let mut writer = Writer::new(&own_name);
    let mut arguments = Vec::new();
    for (index, param) in shapes.params.iter().enumerate() {
        let name = param.name.clone().unwrap_or_else(|| format!("param{index}"));
        arguments.push((index, name, &param.shape));
    }
    // A length is known when its buffer is made.
    let (lengths, others): (Vec<_>, Vec<_>) = arguments.iter().partition(|(.., shape)| is_length(shape));
    writer.counted = lengths.iter().flat_map(|(.., shape)| counted(shape)).collect();
    let mut values: BTreeMap<usize, String> = BTreeMap::new();
    for (index, name, shape) in &others {
        values.insert(*index, writer.value(name, name, shape, 1)?);
    }
    for (index, name, shape) in &lengths {
        let beside: Vec<(&str, &Shape)> =
            others.iter().map(|(_, other, shape)| (other.as_str(), *shape)).collect();
        values.insert(*index, writer.length(name, shape, &beside, "    ")?);
    }
    let signature = program.signature(entry.func);
    let result = signature.results.first().map_or("void", |&ty| wasm_type(ty));
    let types: Vec<&str> = shapes.params.iter().map(|param| c_type(&param.shape)).collect();
    let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    let symbol =
        described.and_then(|described| described.linkage_name).unwrap_or_else(|| function.symbol.clone());
    let label = if own_name == symbol { String::new() } else { format!(" __asm__(\"{symbol}\")") };
    let mut text = String::new();
    writeln!(text, "/* What coax does by itself for `{}`: change it as you like, then run", function.name)?;
    writeln!(text, " *     coax cover {given} {} --entry {name}", out.display())?;
    writeln!(text, " */\n#include <coax.h>\n#include <stdlib.h>\n")?;
    for structure in writer.structures.values() {
        writeln!(text, "{structure}")?;
    }
    for function in &writer.functions {
        writeln!(text, "{function}\n")?;
    }
    writeln!(text, "{result} {own_name}({types}){label};\n")?;
    writeln!(text, "COAX_HARNESS({name})\nvoid {name}(void) {{")?;
    text.push_str(&writer.body);
    let arguments: Vec<&str> = values.values().map(String::as_str).collect();
    writeln!(text, "    {own_name}({});\n}}", arguments.join(", "))?;
    Ok(text)
}

struct Writer {
    /// The declarations of structures, by name.
    structures: BTreeMap<String, String>,
    /// Functions that stand for those that it is given.
    functions: BTreeSet<String>,
    /// What has a length, as paths call it.
    counted: BTreeSet<String>,
    body: String,
    /// How often each variable's name was wanted.
    used: BTreeMap<String, u32>,
    /// The variables, by what is called so in paths.
    variables: BTreeMap<String, String>,
}

impl Writer {
    /// A harness whose variables are not called as the function is.
    fn new(function: &str) -> Writer {
        let used = BTreeMap::from([(function.to_owned(), 1)]);
        let (structures, variables) = (BTreeMap::new(), BTreeMap::new());
        let (functions, counted) = (BTreeSet::new(), BTreeSet::new());
        Writer { structures, functions, counted, body: String::new(), used, variables }
    }

    /// The variable with the number of elements of what is called so.
    fn count_of(&self, name: &str) -> String {
        format!("{}_count", self.variables.get(name).map_or("no", String::as_str))
    }

    /// Writes what makes a value; returns the expression that has it. `name` is what it is called in paths.
    fn value(&mut self, variable: &str, name: &str, shape: &Shape, depth: usize) -> Result<String> {
        let indent = "    ".repeat(depth);
        let mut variable = identifier(variable);
        let times = self.used.entry(variable.clone()).or_default();
        *times += 1;
        if *times > 1 {
            variable = format!("{variable}_{times}");
        }
        self.variables.insert(name.to_owned(), variable.clone());
        match shape {
            Shape::Number(kind, _) | Shape::Choice(kind, ..) => {
                writeln!(
                    self.body,
                    "{indent}{} {variable} = {}(\"{name}\");",
                    number_type(*kind),
                    request(*kind)
                )?;
            }
            Shape::Text(_) => {
                writeln!(self.body, "{indent}char *{variable} = malloc({});", MOST_BYTES + 1)?;
                writeln!(self.body, "{indent}coax_bytes({variable}, {MOST_BYTES}, \"{name}\");")?;
                writeln!(self.body, "{indent}{variable}[{MOST_BYTES}] = 0;")?;
                if self.counted.contains(name) {
                    self.count(&indent, &variable, name, MOST_BYTES)?;
                }
            }
            Shape::Buffer(_, element) if element.is_byte() => {
                writeln!(self.body, "{indent}unsigned char *{variable} = malloc({MOST_BYTES});")?;
                writeln!(self.body, "{indent}coax_bytes({variable}, {MOST_BYTES}, \"{name}\");")?;
                self.count(&indent, &variable, name, MOST_BYTES)?;
            }
            Shape::Buffer(_, element) => {
                let structure = self.structure(element, &variable)?;
                writeln!(
                    self.body,
                    "{indent}struct {structure} *{variable} = calloc({MOST_ELEMENTS}, sizeof *{variable});"
                )?;
                writeln!(
                    self.body,
                    "{indent}for (size_t i_{variable} = 0; i_{variable} < {MOST_ELEMENTS}; i_{variable}++) {{"
                )?;
                self.fields(element, &format!("{variable}[i_{variable}]."), &variable, name, depth + 1)?;
                writeln!(self.body, "{indent}}}")?;
                self.count(&indent, &variable, name, MOST_ELEMENTS)?;
            }
            Shape::Pointer { to, .. } => {
                let structure = self.structure(to, &variable)?;
                writeln!(
                    self.body,
                    "{indent}struct {structure} *{variable} = calloc(1, sizeof *{variable});"
                )?;
                self.fields(to, &format!("{variable}->"), &variable, name, depth)?;
            }
            Shape::Null => {
                writeln!(self.body, "{indent}void *{variable} = NULL; /* coax makes nothing for it */")?
            }
            Shape::Callback(callback) => {
                let function = self.callback(callback);
                writeln!(self.body, "{indent}void *{variable} = (void *){function};")?;
            }
            Shape::Length { .. } | Shape::Inline(_) => bail!("`{name}` is nothing that a harness can make"),
        }
        Ok(variable)
    }

    /// The length of what has these names beside it, in the unit that the function counts in, or a pointer to it.
    fn length(
        &mut self,
        name: &str,
        shape: &Shape,
        beside: &[(&str, &Shape)],
        indent: &str,
    ) -> Result<String> {
        let (Shape::Length { of, element, kind, also, .. }, is_inner) = inner_length(shape) else {
            return Ok(identifier(name));
        };
        let shape_of =
            |name: &String| beside.iter().find(|(other, _)| other == name).map(|(_, shape)| *shape);
        let count = self.count_of(of);
        let count = match shape_of(of) {
            Some(Shape::Buffer(_, layout)) if layout.bytes != *element && layout.bytes > 0 => {
                format!("{count} * {}", layout.bytes / element)
            }
            _ => count,
        };
        let most = |name: &String| shape_of(name).map_or(MOST_BYTES, most_elements);
        let least = also.iter().map(|also| most(&also.name)).min();
        let count = match least.filter(|least| *least < most(of)) {
            Some(least) => format!("{count} < {least} ? {count} : {least}"),
            None => count,
        };
        if !is_inner {
            return Ok(count);
        }
        let variable = format!("{}_place", identifier(name));
        writeln!(self.body, "{indent}{} {variable}[1] = {{{count}}};", number_type(*kind))?;
        Ok(variable)
    }

    /// A function that returns anything, which the harness has beside it.
    fn callback(&mut self, callback: &Callback) -> String {
        let name = format!("stub_of_{}", identifier(&callback.name));
        let params: Vec<String> =
            (1..).zip(&callback.params).map(|(place, &ty)| format!("{} a{place}", wasm_type(ty))).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let (result, body) = match callback.result {
            CallbackResult::Nothing => ("void", String::new()),
            CallbackResult::Null => ("void *", " return NULL;".into()),
            CallbackResult::Number(kind) => {
                (number_type(kind), format!(" return {}(\"{}()\");", request(kind), callback.name))
            }
        };
        self.functions.insert(format!("static {result} {name}({params}) {{{body} }}"));
        name
    }

    /// How many elements there are is asked for last: as many as there can be are made, so that the number stays a symbol.
    fn count(&mut self, indent: &str, variable: &str, name: &str, most: u64) -> Result<()> {
        let end = most + 1;
        Ok(writeln!(self.body, "{indent}size_t {variable}_count = coax_range(0, {end}, \"{name}.length\");")?)
    }

    fn fields(
        &mut self,
        layout: &Layout,
        access: &str,
        variable: &str,
        name: &str,
        depth: usize,
    ) -> Result<()> {
        let indent = "    ".repeat(depth);
        let mut lengths: Vec<(String, &FieldShape)> = Vec::new();
        let counts = layout.fields.iter().flat_map(|field| counted(&field.shape));
        self.counted.extend(counts.map(|of| full_name(name, &of)));
        for (field, member) in layout.fields.iter().zip(members(layout)) {
            let full = full_name(name, &field.name);
            match &field.shape {
                Shape::Number(kind, _) | Shape::Choice(kind, ..) => {
                    writeln!(self.body, "{indent}{access}{member} = {}(\"{full}\");", request(*kind))?;
                }
                Shape::Inline(bytes) => {
                    writeln!(self.body, "{indent}coax_bytes({access}{member}, {bytes}, \"{full}\");")?;
                }
                Shape::Null => {}
                shape if is_length(shape) => lengths.push((member, field)),
                shape => {
                    let inner = self.value(&format!("{variable}.{}", field.name), &full, shape, depth)?;
                    writeln!(self.body, "{indent}{access}{member} = {inner};")?;
                }
            }
        }
        let others: Vec<(String, &Shape)> =
            layout.fields.iter().map(|field| (full_name(name, &field.name), &field.shape)).collect();
        let beside: Vec<(&str, &Shape)> =
            others.iter().map(|(name, shape)| (name.as_str(), *shape)).collect();
        for (member, field) in lengths {
            let shape = field.shape.clone().renamed(&|of| full_name(name, of));
            let count = self.length(&format!("{variable}.{}", field.name), &shape, &beside, &indent)?;
            writeln!(self.body, "{indent}{access}{member} = {count};")?;
        }
        Ok(())
    }

    /// Declares a structure, once for each type; returns its name. Types of different scopes may share one.
    fn structure(&mut self, layout: &Layout, variable: &str) -> Result<String> {
        let own = layout.type_name.as_deref().map_or_else(|| format!("{variable}_object"), identifier);
        let mut name = own.clone();
        for number in 2.. {
            let text = declaration(layout, &name)?;
            match self.structures.get(&name) {
                Some(other) if *other != text => name = format!("{own}_{number}"),
                _ => {
                    self.structures.insert(name.clone(), text);
                    break;
                }
            }
        }
        Ok(name)
    }
}

/// Whether it is a length, or leads to one.
fn is_length(shape: &Shape) -> bool {
    matches!(shape, Shape::Length { .. }) || shape.leads_to_length()
}

/// The length that a shape is or leads to, and whether it leads there.
fn inner_length(shape: &Shape) -> (&Shape, bool) {
    match shape {
        Shape::Pointer { to, .. } if shape.leads_to_length() => (&to.fields[0].shape, true),
        _ => (shape, false),
    }
}

/// What a shape is the length of.
fn counted(shape: &Shape) -> Vec<String> {
    match inner_length(shape).0 {
        Shape::Length { of, also, .. } => {
            [of].into_iter().chain(also.iter().map(|also| &also.name)).cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// How many elements there may be in what has this shape.
fn most_elements(shape: &Shape) -> u64 {
    match shape {
        Shape::Buffer(_, element) if !element.is_byte() => MOST_ELEMENTS,
        _ => MOST_BYTES,
    }
}

/// A structure of this name, in C.
fn declaration(layout: &Layout, name: &str) -> Result<String> {
    let mut text = format!("struct {name} {{\n");
    let mut end = 0;
    for (field, member) in layout.fields.iter().zip(members(layout)) {
        padding(&mut text, &mut end, field.at)?;
        match &field.shape {
            Shape::Inline(bytes) => writeln!(text, "    unsigned char {member}[{bytes}];")?,
            shape => writeln!(
                text,
                "    {}{}{member};",
                c_type(shape),
                if c_type(shape).ends_with('*') { "" } else { " " }
            )?,
        }
        end += field_bytes(field);
    }
    padding(&mut text, &mut end, layout.bytes)?;
    text.push_str("} __attribute__((packed, aligned(");
    let alignment = 1 << layout.bytes.trailing_zeros().min(3);
    writeln!(
        text,
        "{alignment})));\n_Static_assert(sizeof(struct {name}) == {}, \"as in the program\");",
        layout.bytes
    )?;
    Ok(text)
}

/// Bytes that belong to no member.
fn padding(text: &mut String, end: &mut u64, until: u64) -> Result<()> {
    if until > *end {
        writeln!(text, "    unsigned char padding_{end}[{}];", until - *end)?;
        *end = until;
    }
    Ok(())
}

/// The names of a structure's members in C, each another one.
fn members(layout: &Layout) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for field in &layout.fields {
        let name = if field.name.is_empty() { "value".to_owned() } else { identifier(&field.name) };
        let name = if names.contains(&name) { format!("{name}_at_{}", field.at) } else { name };
        names.push(name);
    }
    names
}

fn full_name(object: &str, field: &str) -> String {
    match field.is_empty() || field.starts_with('[') {
        true => format!("{object}{field}"),
        false => format!("{object}.{field}"),
    }
}

fn field_bytes(field: &FieldShape) -> u64 {
    match &field.shape {
        Shape::Number(kind, _) | Shape::Choice(kind, ..) | Shape::Length { kind, .. } => {
            kind.bytes().unwrap_or(0)
        }
        Shape::Inline(bytes) => *bytes,
        _ => 4,
    }
}

/// A type as the function takes it; pointers are to anything.
fn c_type(shape: &Shape) -> &'static str {
    match shape {
        Shape::Number(kind, _) | Shape::Choice(kind, ..) | Shape::Length { kind, .. } => number_type(*kind),
        _ => "void *",
    }
}

fn wasm_type(ty: ValType) -> &'static str {
    number_type(NumberKind::of(ty))
}

fn number_type(kind: NumberKind) -> &'static str {
    match kind {
        NumberKind::Bool => "bool",
        NumberKind::I8 => "int8_t",
        NumberKind::U8 => "uint8_t",
        NumberKind::I16 => "int16_t",
        NumberKind::U16 => "uint16_t",
        NumberKind::I32 => "int32_t",
        NumberKind::U32 => "uint32_t",
        NumberKind::I64 => "int64_t",
        NumberKind::U64 => "uint64_t",
        NumberKind::F32 => "float",
        NumberKind::F64 => "double",
        NumberKind::V128 => "__attribute__((vector_size(16))) int",
        NumberKind::Null => "__externref_t",
    }
}

/// The function of coax.h that gives such a number.
fn request(kind: NumberKind) -> String {
    format!("coax_{}", kind.name())
}
