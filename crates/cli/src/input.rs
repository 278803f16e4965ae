//! What a program is given, as the command line says it.

use crate::args::{ProgramArgs, Target, note};
use crate::surroundings::SurroundingsArgs;
use anyhow::{Context, Result, bail};
use clap::Args;
use coax_execute::{
    Argument, Content, Data, Entry, FieldShape, Input, Layout, NumberKind, ParamShape, Room, Rule, Shape,
    Shapes, Symbols, Test, Value,
};
use coax_load::{MOST_BYTES, read_all, read_plain};
use std::path::{Path, PathBuf};

/// The input of one run.
#[derive(Args, Clone)]
pub struct InputArgs {
    /// A parameter of the entry function, once for each: `-5`, `0xff`, `1.5`, `inf`, `nan:0x7fc00001`; text for a string or
    /// buffer; JSON as in a test for anything else. Lengths of buffers may be left out
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    param: Vec<String>,
    /// The program's standard input: a file, or `-` for coax's own
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    #[command(flatten)]
    pub surroundings: SurroundingsArgs,
    /// The program's arguments; for a target of libFuzzer's, files, each the input of one run
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
    /// Whether the input is only what a search begins with.
    #[arg(skip)]
    pub begins_search: bool,
}

impl InputArgs {
    /// The ids of these arguments, for others that exclude them.
    pub fn ids() -> impl Iterator<Item = &'static str> {
        ["param", "stdin", "args"].into_iter().chain(SurroundingsArgs::IDS)
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.param.is_empty() && self.stdin.is_none() && self.args.is_empty() && self.surroundings.is_empty()
    }

    /// Which parts of the input are symbols, in a run that has any.
    pub fn symbols(&self) -> Symbols {
        self.surroundings.symbols()
    }

    /// The same for a search.
    pub fn symbols_of_search(&self) -> Symbols {
        self.surroundings.symbols_of_search()
    }

    /// The inputs of all runs, each with what the user calls it: files for a target of libFuzzer's are one each.
    pub fn inputs(&self, target: &Target, entry: Option<&str>) -> Result<Vec<(String, Input)>> {
        let found = Entry::find(&target.program, entry)?;
        if !found.is_libfuzzer() || self.args.is_empty() {
            return Ok(vec![("run".into(), self.input(target, entry)?)]);
        }
        if !self.param.is_empty() {
            bail!(
                "the bytes for `{}` are given by files and by `--param`; leave one of them out",
                found.name()
            );
        }
        let shapes = Shapes::of(&target.program, &found, Shapes::DEPTH);
        let mut inputs = Vec::new();
        for file in &self.args {
            let bytes = read_plain(Path::new(file), MOST_BYTES).with_context(|| {
                format!(
                    "cannot read {file}: what follows `--` are files with the bytes for `{}`",
                    found.name()
                )
            })?;
            let mut input = Input {
                entry: entry.map(str::to_owned),
                params: fuzz_params(&shapes, bytes),
                stdin: self.read_stdin()?,
                ..Input::default()
            };
            self.surroundings.add_to(&mut input)?;
            inputs.push((file.clone(), input));
        }
        Ok(inputs)
    }

    /// The input for the only run.
    pub fn only_input(&self, target: &Target, entry: Option<&str>) -> Result<Input> {
        let mut inputs = self.inputs(target, entry)?;
        match (inputs.pop(), &inputs[..]) {
            (Some((_, input)), []) => Ok(input),
            _ => bail!("each file is an input of its own; name only one of them"),
        }
    }

    /// The input for a run that begins with this function.
    fn input(&self, target: &Target, entry: Option<&str>) -> Result<Input> {
        let mut input = Input {
            entry: entry.map(str::to_owned),
            params: self.params(target, entry)?,
            args: self.args.iter().map(|arg| arg.as_str().into()).collect(),
            stdin: self.read_stdin()?,
            stubs: target.stubs.clone(),
            ..Input::default()
        };
        self.surroundings.add_to(&mut input)?;
        Ok(input)
    }

    fn params(&self, target: &Target, entry: Option<&str>) -> Result<Vec<Argument>> {
        let wanted = entry;
        let entry = Entry::find(&target.program, entry)?;
        for attribute in entry.ignored_attributes(&target.program) {
            note(format_args!(
                "`#[kani::{attribute}]` of `{}` means nothing to a run: it is ignored",
                entry.name()
            ));
        }
        let shapes = Shapes::of(&target.program, &entry, Shapes::DEPTH);
        let own = shapes.params.iter().filter(|param| !is_implied(param)).count();
        let is_length = |param: &&ParamShape| {
            matches!(param.shape, Shape::Length { .. } | Shape::Callback(_)) || param.shape.leads_to_length()
        };
        let needed = shapes.params.len() - shapes.params.iter().filter(is_length).count();
        let given: Vec<Option<&str>> = match self.param.len() {
            count if shapes.refusal.is_some() && count < needed => {
                bail!(
                    "{}; write a harness that does: `coax init --entry {}` begins one",
                    shapes.refusal.unwrap_or_default(),
                    wanted.map_or_else(|| entry.name(), str::to_owned)
                );
            }
            0 if !shapes.params.is_empty() => {
                shapes.notes.iter().for_each(note);
                if !self.begins_search {
                    note(format_args!(
                        "`{}` is given zeros: `--param` gives it something else",
                        entry.name()
                    ));
                }
                return Ok(shapes.defaults(self.surroundings.longest()));
            }
            count if count == shapes.params.len() => {
                self.param.iter().map(|text| Some(text.as_str())).collect()
            }
            count if count <= own => {
                let rest = shapes.params.iter().enumerate().filter(|(_, param)| !is_implied(param));
                for (place, param) in rest.skip(count) {
                    note(format_args!("{} is given zeros", param_name(place, param)));
                }
                let mut texts = self.param.iter();
                let next = |param: &ParamShape| match is_implied(param) {
                    true => None,
                    false => texts.next().map(String::as_str),
                };
                shapes.params.iter().map(next).collect()
            }
            count => {
                let types = &target.program.signature(entry.func).params;
                let types = types.iter().map(ToString::to_string);
                let describe = |((place, param), ty): ((usize, &ParamShape), String)| {
                    let implied = if is_implied(param) { ", may be left out" } else { "" };
                    match &param.name {
                        Some(_) => format!("{} {ty}{implied}", param_name(place, param)),
                        None => format!("{ty}{implied}"),
                    }
                };
                let params: Vec<String> = shapes.params.iter().enumerate().zip(types).map(describe).collect();
                let takes = match &params[..] {
                    [] => "no parameters".to_string(),
                    [only] => format!("1 parameter ({only})"),
                    several => format!("{} parameters ({})", several.len(), several.join("; ")),
                };
                let advice = if params.is_empty() {
                    "leave `--param` out"
                } else {
                    "write `--param VALUE` once for each"
                };
                bail!("`{}` takes {takes}, not {count}; {advice}", entry.name());
            }
        };
        let parse = |((param, text), default): ((&ParamShape, Option<&str>), Argument)| match text {
            Some(text) => parse(param, text).with_context(|| format!("--param: {}", why_not(param, text))),
            None => Ok(default),
        };
        let defaults = shapes.defaults(self.surroundings.longest());
        shapes.params.iter().zip(given).zip(defaults).map(parse).collect()
    }

    fn read_stdin(&self) -> Result<Data> {
        let Some(path) = &self.stdin else { return Ok(Data::default()) };
        if path == Path::new("-") {
            let own = read_all(std::io::stdin().lock(), MOST_BYTES);
            return own.map(Data).context("cannot read standard input");
        }
        let instead = if path.exists() { "; save it to a file, or pipe it in: `--stdin -`" } else { "" };
        let failed = || format!("cannot read {}{instead}", path.display());
        read_plain(path, MOST_BYTES).map(Data).with_context(failed)
    }
}

/// A file of text, as a person named it.
pub fn read_text(file: &Path) -> std::io::Result<String> {
    let bytes = read_plain(file, MOST_BYTES)?;
    String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not text (UTF-8)"))
}

/// A stored test; it gets the entry function of the command line if it names none.
pub fn stored_test(file: &Path, program: &ProgramArgs) -> Result<Test> {
    let name = file.display().to_string();
    let json = read_text(file).with_context(|| format!("cannot read {name}"))?;
    let mut test = Test::from_json(&name, &json)?;
    test.input.entry = test.input.entry.or_else(|| program.entry.clone());
    Ok(test)
}

/// The parameters of a target of libFuzzer's: bytes and how many they are.
fn fuzz_params(shapes: &Shapes, bytes: Vec<u8>) -> Vec<Argument> {
    let name = |place: usize| shapes.params.get(place).and_then(|param| param.name.clone());
    let data = name(0).unwrap_or_else(|| "data".into());
    let length = Content::length_of(data.clone(), 1);
    let bytes = Content::Bytes(Room::default(), Data(bytes));
    vec![
        Argument { name: Some(data), ..Argument::new(bytes) },
        Argument { name: Some(name(1).unwrap_or_else(|| "size".into())), ..Argument::new(length) },
    ]
}

/// What a parameter is called, for people.
fn param_name(place: usize, param: &ParamShape) -> String {
    match &param.name {
        Some(name) => format!("`{name}`"),
        None => format!("parameter {}", place + 1),
    }
}

/// Whether the other parameters say what it is: a length, or the place for a result.
fn is_implied(param: &ParamShape) -> bool {
    match &param.shape {
        Shape::Length { .. } | Shape::Callback(_) => true,
        Shape::Pointer { to, .. } => to.fields.is_empty() || param.shape.leads_to_length(),
        _ => false,
    }
}

/// A parameter as a person writes it.
fn parse(param: &ParamShape, text: &str) -> Option<Argument> {
    if text.starts_with('{')
        && let Ok(argument) = serde_json::from_str::<Argument>(text)
    {
        let name = argument.name.clone().or_else(|| param.name.clone());
        let rule =
            argument.rule.clone().or_else(|| param.shape.rule().filter(|rule| goes_with(rule, &argument)));
        return Some(Argument { name, rule, ..argument });
    }
    let address = || NumberKind::I32.parse(text).map(Content::Number);
    let content = match &param.shape {
        Shape::Number(kind, _) | Shape::Choice(kind, ..) | Shape::Length { kind, .. } => {
            kind.parse(text).map(Content::Number)
        }
        Shape::Text(room) => Some(Content::Text(*room, text.into())),
        Shape::Buffer(room, element) if element.is_byte() => Some(Content::Bytes(*room, text.into())),
        Shape::Buffer(..) | Shape::Pointer { .. } | Shape::Null | Shape::Callback(_) if text == "null" => {
            Some(Content::Pointer(None))
        }
        Shape::Pointer { room, to, .. } if is_text(to) => {
            let mut object = to.array(*room, 1, u64::MAX);
            for field in &mut object.fields {
                if let Content::Bytes(_, bytes) = &mut field.argument.content {
                    *bytes = text.into();
                }
            }
            Some(Content::Pointer(Some(object)))
        }
        Shape::Buffer(..) | Shape::Pointer { .. } | Shape::Null | Shape::Callback(_) | Shape::Inline(_) => {
            address()
        }
    };
    Some(Argument { name: param.name.clone(), ..Argument::new(content?).under(param.shape.rule()) })
}

/// Whether a rule can be one for this.
fn goes_with(rule: &Rule, argument: &Argument) -> bool {
    match rule {
        Rule::Utf8 => matches!(argument.content, Content::Bytes(..)),
        Rule::Among(_) => matches!(argument.content, Content::Number(_)),
    }
}

/// Whether an object is one of Rust's strings or vectors of bytes: it leads to bytes under its own name, and counts them.
fn is_text(object: &Layout) -> bool {
    let is_own = |field: &FieldShape| match &field.shape {
        Shape::Buffer(_, element) => field.name.is_empty() && element.is_byte(),
        Shape::Length { of, .. } => of.is_empty(),
        _ => false,
    };
    !object.fields.is_empty() && object.fields.iter().all(is_own)
}

/// Why [`parse`] refuses a text, and what to write instead.
fn why_not(param: &ParamShape, text: &str) -> String {
    if text.starts_with('{')
        && let Err(error) = serde_json::from_str::<Argument>(text)
    {
        return format!("`{text}` is no parameter in JSON: {error}");
    }
    match &param.shape {
        Shape::Number(kind, _) | Shape::Choice(kind, ..) | Shape::Length { kind, .. } => {
            match kind.passed_as() {
                Some(ty) if Value::parse(text, ty).is_some() => {
                    format!("`{text}` does not fit a {}", kind.name())
                }
                Some(ty) => Value::why_not(text, ty),
                None => format!("`{text}` is no reference; write null"),
            }
        }
        _ => {
            let name = param.name.as_deref().unwrap_or("it");
            format!(
                "`{text}` is nothing that `{name}` can point to; write null, or JSON: `coax dump test` shows some"
            )
        }
    }
}
