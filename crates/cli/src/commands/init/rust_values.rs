//! Expressions of Rust that make any value of a type.
//!
//! Types are written out only where the compiler cannot infer them: where a structure or a variant is made.

use anyhow::{Result, bail};
use coax_program::debug_info::{Composite, Type, TypeId, Types, Variant, Variants};

/// How long strings and vectors may be.
const MOST_TEXT: u64 = 8;
const MOST_ELEMENTS: u64 = 4;
/// How deeply structures are in each other.
const MOST_NESTED: usize = 10;
/// From here on, an enum that has a variant without contents is that: it may lead to others of its kind.
const LAST_NESTED: usize = 4;

/// Writes expressions.
pub(super) struct Maker<'a> {
    pub(super) types: &'a Types<'a>,
    /// What stands before the names of types.
    pub(super) prefix: &'static str,
}

impl Maker<'_> {
    /// The expression that makes a parameter.
    pub(super) fn argument(&self, ty: TypeId, name: &str) -> Result<String> {
        self.value(ty, name, MOST_NESTED)
    }

    fn value(&self, ty: TypeId, name: &str, left: usize) -> Result<String> {
        let Some(left) = left.checked_sub(1) else {
            bail!("`{name}` is nested too deeply for a harness; write this part by hand");
        };
        Ok(match self.types.get(ty) {
            Type::Integer { .. } | Type::Boolean { .. } | Type::Float { .. } | Type::Array { .. } => {
                format!("coax::any_named({name:?})")
            }
            Type::Enumeration { values, .. } => {
                let path = self.path(ty);
                let arms = values.iter().map(|(variant, _)| format!("{path}::{variant}")).collect();
                any_of(arms, name)?
            }
            Type::Pointer { to: Some(to), .. } if self.is_box(ty) => {
                format!("Box::new({})", self.value(to, name, left)?)
            }
            Type::Pointer { to: Some(to), constant, reference: true } => {
                let mutable = if constant { "" } else { "mut " };
                format!("&{mutable}{}", self.value(to, name, left)?)
            }
            Type::Structure(composite) => self.structure(ty, &composite, name, left)?,
            _ => bail!("coax cannot write what makes `{name}`; give it a type with `coax::Arbitrary`"),
        })
    }

    fn structure(&self, ty: TypeId, composite: &Composite, name: &str, left: usize) -> Result<String> {
        let type_name = composite.name.as_deref().unwrap_or_default();
        let borrowed = type_name.strip_prefix('&').map(|rest| match rest.strip_prefix("mut ") {
            Some(rest) => ("&mut ", rest),
            None => ("&", rest),
        });
        if let Some(variants) = &composite.variants {
            return self.variants(ty, variants, name, left);
        }
        Ok(match borrowed {
            Some((borrow, "str")) => format!("{borrow}coax::any_string_named({MOST_TEXT}, {name:?})"),
            Some((borrow, _)) => {
                let bytes = composite.members.iter().any(|member| self.is_byte_pointer(member.ty));
                let most = if bytes { MOST_TEXT } else { MOST_ELEMENTS };
                format!("{borrow}coax::any_vec_named({most}, {name:?})")
            }
            None if type_name == "String" => format!("coax::any_string_named({MOST_TEXT}, {name:?})"),
            None if type_name.starts_with("Vec<u8,") => format!("coax::any_vec_named({MOST_TEXT}, {name:?})"),
            None if type_name.starts_with("Vec<") => {
                format!("coax::any_vec_named({MOST_ELEMENTS}, {name:?})")
            }
            // Tuples of such have `Arbitrary`.
            None if type_name.starts_with('(') => format!("coax::any_named({name:?})"),
            None => format!("{}{}", self.path(ty), self.members(composite, name, left)?),
        })
    }

    /// The members of a structure or variant, in braces: fields of tuples have numbers for names there.
    fn members(&self, composite: &Composite, name: &str, left: usize) -> Result<String> {
        let mut fields = Vec::new();
        for member in &composite.members {
            let field = member.name.clone().unwrap_or_default();
            let field = field.trim_start_matches("__").to_owned();
            let value = self.value(member.ty, &format!("{name}.{field}"), left)?;
            fields.push(format!("{field}: {value}"));
        }
        Ok(format!(" {{ {} }}", fields.join(", ")))
    }

    /// One of the variants of an enum, by a number that is asked for.
    fn variants(&self, ty: TypeId, variants: &Variants, name: &str, left: usize) -> Result<String> {
        let is_empty = |variant: &Variant| match self.types.get(variant.member.ty) {
            Type::Structure(composite) => composite.members.is_empty(),
            _ => true,
        };
        let has_end = variants.all.iter().any(is_empty);
        let mut arms = Vec::new();
        for variant in
            variants.all.iter().filter(|variant| left > LAST_NESTED || !has_end || is_empty(variant))
        {
            let own = variant.member.name.as_deref().unwrap_or_default();
            let path = match self.types.full_name(ty).first().map(String::as_str) {
                Some("core") => own.to_owned(),
                _ => format!("{}::{own}", self.path(ty)),
            };
            arms.push(match self.types.get(variant.member.ty) {
                Type::Structure(composite) if !composite.members.is_empty() => {
                    format!("{path}{}", self.members(&composite, &format!("{name}.{own}"), left)?)
                }
                _ => path,
            });
        }
        any_of(arms, name)
    }

    /// A type as the harness names it, without what it is generic in: the compiler infers that.
    fn path(&self, ty: TypeId) -> String {
        let full = self.types.full_name(ty);
        let mut names = full.iter().map(|name| name.split('<').next().unwrap_or(name));
        // The crate's own name comes first.
        let first = names.next().unwrap_or_default();
        let rest: Vec<&str> = names.collect();
        match rest.is_empty() {
            true => format!("{}{first}", self.prefix),
            false if matches!(first, "core" | "alloc" | "std") => format!("std::{}", rest.join("::")),
            false => format!("{}{}", self.prefix, rest.join("::")),
        }
    }

    fn is_box(&self, ty: TypeId) -> bool {
        self.types.full_name(ty).last().is_some_and(|name| name.contains("boxed::Box<"))
    }

    fn is_byte_pointer(&self, ty: TypeId) -> bool {
        let Type::Pointer { to: Some(to), .. } = self.types.get(ty) else { return false };
        self.types.size(to) == Some(1)
    }
}

/// One of several values.
fn any_of(mut arms: Vec<String>, name: &str) -> Result<String> {
    let Some(last) = arms.pop() else { bail!("`{name}` has a type without values") };
    if arms.is_empty() {
        return Ok(last);
    }
    let arms: Vec<String> =
        arms.iter().enumerate().map(|(number, arm)| format!("{number} => {arm}, ")).collect();
    Ok(format!(
        "match coax::any_named::<u8>({:?}) {{ {}_ => {last} }}",
        format!("{name}.variant"),
        arms.concat()
    ))
}
