//! `derive(Arbitrary)`: reads as much of a struct or enum as it takes to name its fields.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// The implementation for an item, for users that know the trait's crate by this path.
pub(crate) fn arbitrary(item: TokenStream, path: &str) -> TokenStream {
    let code = match Item::read(item) {
        Ok(item) => item.implementation(path),
        Err(problem) => format!("::core::compile_error!({problem:?});"),
    };
    code.parse().unwrap_or_default()
}

/// A struct or enum.
struct Item {
    name: String,
    generics: Vec<Parameter>,
    /// What stands after `where`, or nothing.
    bounds: String,
    variants: Variants,
}

/// A generic parameter.
struct Parameter {
    /// With its bounds, without a default.
    declaration: String,
    /// As it is used.
    name: String,
    is_type: bool,
}

enum Variants {
    Struct(Fields),
    Enum(Vec<(String, Fields)>),
}

enum Fields {
    Named(Vec<String>),
    Numbered(usize),
    None,
}

impl Item {
    fn read(item: TokenStream) -> Result<Item, String> {
        let tokens: Vec<TokenTree> = item.into_iter().collect();
        if has_constraint(&tokens) {
            return Err("coax knows no safety_constraint; write the implementation with assume".into());
        }
        let is_kind = |token: &TokenTree| matches!(word(token).as_deref(), Some("struct" | "enum" | "union"));
        let kind = tokens.iter().position(is_kind).ok_or("only structs and enums have any value")?;
        let name = tokens.get(kind + 1).and_then(word).ok_or("the item has no name")?;
        let mut rest = &tokens[kind + 2..];
        let mut generics = Vec::new();
        if rest.first().is_some_and(|token| is_sign(token, '<')) {
            let end = closing(rest).ok_or("the generic parameters do not end")?;
            generics = split(&rest[1..end]).iter().filter_map(|part| Parameter::read(part)).collect();
            rest = &rest[end + 1..];
        }
        let body = rest.iter().find_map(group_of_fields);
        let bounds = bounds(rest);
        let variants = match word(&tokens[kind]).as_deref() {
            Some("enum") => Variants::Enum(variants(body.ok_or("the enum has no variants")?)?),
            Some("struct") => Variants::Struct(body.map_or(Fields::None, Fields::read)),
            _ => return Err("a union has no value of which all bits are known".into()),
        };
        Ok(Item { name, generics, bounds, variants })
    }

    fn implementation(&self, path: &str) -> String {
        let Item { name, bounds, .. } = self;
        let list = |of: fn(&Parameter) -> &String| {
            let parts: Vec<&str> = self.generics.iter().map(|it| of(it).as_str()).collect();
            parts.join(", ")
        };
        let (declared, used) = (list(|it| &it.declaration), list(|it| &it.name));
        let types = self.generics.iter().filter(|it| it.is_type);
        let arbitrary: String = types.map(|it| format!("{}: ::{path}::Arbitrary, ", it.name)).collect();
        let value = match &self.variants {
            Variants::Struct(fields) => fields.value("Self", path),
            Variants::Enum(variants) => choice(variants, path),
        };
        format!(
            "#[automatically_derived]
            impl<{declared}> ::{path}::Arbitrary for {name}<{used}> where {arbitrary} {bounds} {{
                fn any() -> Self {{
                    <Self as ::{path}::Arbitrary>::any_named({name:?})
                }}

                #[allow(unused_variables)]
                fn any_named(name: &str) -> Self {{
                    {value}
                }}
            }}"
        )
    }
}

/// A value of one of the variants.
fn choice(variants: &[(String, Fields)], path: &str) -> String {
    let arms: String = variants
        .iter()
        .enumerate()
        .map(|(number, (variant, fields))| {
            let pattern = if number + 1 == variants.len() { "_".to_owned() } else { number.to_string() };
            format!("{pattern} => {},", fields.value(&format!("Self::{variant}"), path))
        })
        .collect();
    let count = variants.len();
    format!(
        "match <u8 as ::{path}::Arbitrary>::any_variant({count}, &::std::format!(\"{{name}}.variant\")) {{ {arms} }}"
    )
}

impl Parameter {
    fn read(tokens: &[TokenTree]) -> Option<Parameter> {
        let default = tokens.iter().position(|token| is_sign(token, '=')).unwrap_or(tokens.len());
        let declaration = text(&tokens[..default]);
        let named = match tokens.first()? {
            TokenTree::Punct(_) => (format!("'{}", word(tokens.get(1)?)?), false),
            first if word(first)? == "const" => (word(tokens.get(1)?)?, false),
            first => (word(first)?, true),
        };
        Some(Parameter { declaration, name: named.0, is_type: named.1 })
    }
}

impl Fields {
    fn read(body: &Group) -> Fields {
        let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
        let parts = split(&tokens);
        match body.delimiter() {
            Delimiter::Parenthesis => Fields::Numbered(parts.len()),
            _ => Fields::Named(parts.iter().filter_map(|part| field_name(part)).collect()),
        }
    }

    /// An expression: this constructor, with any value in each field.
    fn value(&self, constructor: &str, path: &str) -> String {
        let any = |part: &str| {
            let label = format!("{{name}}.{part}");
            format!("::{path}::Arbitrary::any_named(&::std::format!({label:?}))")
        };
        match self {
            Fields::None => constructor.to_owned(),
            Fields::Named(names) => {
                let fields: String = names
                    .iter()
                    .map(|name| format!("{name}: {},", any(name.trim_start_matches("r#"))))
                    .collect();
                format!("{constructor} {{ {fields} }}")
            }
            Fields::Numbered(count) => {
                let fields: String = (0..*count).map(|number| any(&number.to_string()) + ",").collect();
                format!("{constructor}({fields})")
            }
        }
    }
}

/// The variants of an enum and their fields.
fn variants(body: &Group) -> Result<Vec<(String, Fields)>, String> {
    let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    let read = |part: &Vec<TokenTree>| {
        let after = after_attributes(part);
        let name = after.first().and_then(word)?;
        Some((name, after.get(1).and_then(group_of_fields).map_or(Fields::None, Fields::read)))
    };
    let all: Vec<_> = split(&tokens).iter().filter_map(read).collect();
    if all.is_empty() {
        Err("an enum without variants has no value".into())
    } else {
        Ok(all)
    }
}

/// The name of a field: the word before the colon, after attributes and `pub`.
fn field_name(part: &[TokenTree]) -> Option<String> {
    let after = after_attributes(part);
    let colon = after.iter().position(|token| is_sign(token, ':'))?;
    word(after.get(colon.checked_sub(1)?)?)
}

/// The tokens without the attributes in front.
fn after_attributes(mut part: &[TokenTree]) -> &[TokenTree] {
    while part.first().is_some_and(|token| is_sign(token, '#')) && part.len() > 1 {
        part = &part[2..];
    }
    part
}

/// What stands after `where`, up to the fields.
fn bounds(rest: &[TokenTree]) -> String {
    let Some(start) = rest.iter().position(|token| word(token).as_deref() == Some("where")) else {
        return String::new();
    };
    let after = &rest[start + 1..];
    let is_end = |token: &TokenTree| is_sign(token, ';') || is_braces(token);
    text(&after[..after.iter().position(is_end).unwrap_or(after.len())])
}

/// The parts between commas that are not inside angle brackets; an empty last part is none.
fn split(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    let mut depth = Depth::default();
    for token in tokens {
        depth.pass(token);
        match parts.last_mut() {
            Some(part) if !(depth.is_zero() && is_sign(token, ',')) => part.push(token.clone()),
            _ => parts.push(Vec::new()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The position of the `>` that belongs to the `<` at the start.
fn closing(tokens: &[TokenTree]) -> Option<usize> {
    let mut depth = Depth::default();
    tokens.iter().position(|token| {
        depth.pass(token);
        depth.is_zero()
    })
}

/// How many angle brackets are open; the one of `->` is none.
#[derive(Default)]
struct Depth {
    open: usize,
    after_dash: bool,
}

impl Depth {
    fn pass(&mut self, token: &TokenTree) {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '<' => self.open += 1,
            TokenTree::Punct(sign) if sign.as_char() == '>' && !self.after_dash => {
                self.open = self.open.saturating_sub(1);
            }
            _ => {}
        }
        self.after_dash = is_sign(token, '-');
    }

    fn is_zero(&self) -> bool {
        self.open == 0
    }
}

fn group_of_fields(token: &TokenTree) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if matches!(group.delimiter(), Delimiter::Brace | Delimiter::Parenthesis) => {
            Some(group)
        }
        _ => None,
    }
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Whether an attribute, of the item or of a field, is Kani's constraint.
fn has_constraint(tokens: &[TokenTree]) -> bool {
    tokens.iter().any(|token| match token {
        TokenTree::Group(group) => has_constraint(&group.stream().into_iter().collect::<Vec<_>>()),
        token => word(token).as_deref() == Some("safety_constraint"),
    })
}

fn word(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    }
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn text(tokens: &[TokenTree]) -> String {
    tokens.iter().cloned().collect::<TokenStream>().to_string()
}
