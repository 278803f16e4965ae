//! Reading types: one entry at a time, whatever it says.

use super::{Composite, FunctionType, Member, Parameter, Type, TypeId};
use crate::debug_info::{Bytes, DebugInfo, Dwarf, DwarfEntry, DwarfUnit};
use crate::program::Function;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many names, qualifiers and declarations are followed to a type; bad DWARF can go in circles.
const MAX_STEPS: usize = 32;
/// How many members, enumerators or parameters are read of one entry.
const MAX_CHILDREN: usize = 10_000;
/// `DW_OP_WASM_location`, and its kind of location that is a local.
const WASM_LOCAL: [u8; 2] = [0xed, 0x00];

/// What compilers call C's `long`.
const LONG: [&str; 4] = ["long", "unsigned long", "long int", "long unsigned int"];

/// Reads types, and keeps what it takes to read more.
pub struct Types<'d> {
    debug: &'d DebugInfo,
    dwarf: Dwarf<'d>,
    units: RefCell<BTreeMap<usize, Option<Rc<DwarfUnit<'d>>>>>,
    /// Whether units have C's `long`, by their place, as far as somebody asked.
    longs: RefCell<BTreeMap<usize, bool>>,
}

impl DebugInfo {
    /// The types of this module.
    pub fn types(&self) -> Types<'_> {
        Types { debug: self, dwarf: self.dwarf(), units: RefCell::default(), longs: RefCell::default() }
    }
}

impl<'d> Types<'d> {
    /// The type that the source declares for a function.
    pub fn function(&self, function: &Function) -> Option<FunctionType> {
        let offset = function.defined()?.range.start;
        let unit = self.debug.unit_of(offset)?;
        let gimli::DebugInfoOffset(place) = self.debug.tables[unit].place;
        let (tables, body, _) = self.debug.find(offset)?;
        let function = tables.functions.outermost(body.start)?;
        let entry = tables.functions.scope(function).entry;
        let unit = self.unit(place)?;
        self.read_function(&unit, entry)
    }

    /// A type. Names that stand for it and qualifiers are followed.
    pub fn get(&self, id: TypeId) -> Type {
        self.read(id).unwrap_or(Type::Unknown)
    }

    /// Whether a type is called so: by its own name, or by one that stands for it.
    pub fn is_called(&self, mut id: TypeId, name: &str) -> bool {
        for _ in 0..MAX_STEPS {
            let Some((unit, within)) = self.unit_with(id) else { return false };
            let Ok(entry) = unit.entry(within) else { return false };
            if self.name(&unit, &entry).is_some_and(|known| known == name) {
                return true;
            }
            match (entry.tag(), pointee(&unit, &entry)) {
                (gimli::DW_TAG_typedef | gimli::DW_TAG_const_type, Some(to)) => id = to,
                _ => return false,
            }
        }
        false
    }

    /// Whether the source of a function, the file with all that it includes, uses C's `long`, by this or another name.
    pub fn has_long(&self, function: &Function) -> bool {
        let unit = function.defined().and_then(|defined| self.debug.unit_of(defined.range.start));
        let Some(place) = unit.map(|unit| self.debug.tables[unit].place.0) else { return false };
        let known = self.longs.borrow().get(&place).copied();
        known.unwrap_or_else(|| {
            let has_long = self.unit(place).is_some_and(|unit| self.has_base_type(&unit, &LONG));
            self.longs.borrow_mut().insert(place, has_long);
            has_long
        })
    }

    fn has_base_type(&self, unit: &Rc<DwarfUnit<'d>>, names: &[&str]) -> bool {
        let mut entries = unit.entries();
        while let Ok(Some(entry)) = entries.next_dfs() {
            let name = (entry.tag() == gimli::DW_TAG_base_type).then(|| self.name(unit, entry)).flatten();
            if name.is_some_and(|name| names.contains(&&name[..])) {
                return true;
            }
        }
        false
    }

    /// The size of a type in bytes, if it is known.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.size_within(id, MAX_STEPS)
    }

    fn size_within(&self, id: TypeId, left: usize) -> Option<u64> {
        match self.get(id) {
            Type::Integer { bytes, .. }
            | Type::Boolean { bytes }
            | Type::Float { bytes }
            | Type::Enumeration { bytes, .. } => Some(bytes),
            Type::Structure(composite) | Type::Union(composite) => Some(composite.bytes),
            Type::Pointer { .. } => Some(self.pointer_bytes(id)),
            Type::Array { of, count } => self.size_within(of, left.checked_sub(1)?)?.checked_mul(count?),
            Type::Function | Type::Unknown => None,
        }
    }

    fn pointer_bytes(&self, id: TypeId) -> u64 {
        self.unit_with(id).map_or(4, |(unit, _)| unit.encoding().address_size.into())
    }

    /// The unit whose header is at this place.
    fn unit(&self, place: usize) -> Option<Rc<DwarfUnit<'d>>> {
        let read = || {
            let header = self.dwarf.debug_info.header_from_offset(gimli::DebugInfoOffset(place)).ok()?;
            self.dwarf.unit(header).ok().map(Rc::new)
        };
        self.units.borrow_mut().entry(place).or_insert_with(read).clone()
    }

    /// The unit that an entry is in, and where.
    pub(super) fn unit_with(&self, TypeId(id): TypeId) -> Option<(Rc<DwarfUnit<'d>>, gimli::UnitOffset)> {
        let places = self.debug.tables.values().map(|unit| unit.place.0);
        let unit = self.unit(places.filter(|&place| place <= id).max()?)?;
        let within = gimli::DebugInfoOffset(id).to_unit_offset(&unit.header)?;
        Some((unit, within))
    }

    fn read_function(&self, unit: &Rc<DwarfUnit<'d>>, entry: gimli::UnitOffset) -> Option<FunctionType> {
        let mut tree = unit.entries_tree(Some(entry)).ok()?;
        let root = tree.root().ok()?;
        let result = self
            .attribute(unit, root.entry(), gimli::DW_AT_type)
            .and_then(|(unit, value)| target(&unit, &value));
        let external = self.attribute(unit, root.entry(), gimli::DW_AT_external);
        let is_external = matches!(external, Some((_, gimli::AttributeValue::Flag(true))));
        let linkage_name = self.text(unit, root.entry(), gimli::DW_AT_linkage_name);
        let (mut params, mut has_more) = (Vec::new(), false);
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            has_more |= entry.tag() == gimli::DW_TAG_unspecified_parameters;
            if entry.tag() != gimli::DW_TAG_formal_parameter || params.len() >= MAX_CHILDREN {
                continue;
            }
            let ty = self.attribute(unit, entry, gimli::DW_AT_type);
            let ty = ty.and_then(|(unit, value)| target(&unit, &value))?;
            params.push(Parameter { name: self.name(unit, entry), ty, local: local(entry) });
        }
        Some(FunctionType { params, has_more, result, is_external, linkage_name })
    }

    fn read(&self, mut id: TypeId) -> Option<Type> {
        for _ in 0..MAX_STEPS {
            let (unit, within) = self.unit_with(id)?;
            let entry = unit.entry(within).ok()?;
            match stands_for_another(entry.tag()) {
                true => id = pointee(&unit, &entry)?,
                false => return self.read_entry(&unit, &entry),
            }
        }
        None
    }

    fn read_entry(&self, unit: &Rc<DwarfUnit<'d>>, entry: &DwarfEntry<'d>) -> Option<Type> {
        let bytes = number(entry, gimli::DW_AT_byte_size);
        Some(match entry.tag() {
            gimli::DW_TAG_base_type => base(entry, bytes?)?,
            gimli::DW_TAG_enumeration_type => self.enumeration(unit, entry, bytes)?,
            gimli::DW_TAG_pointer_type => self.pointer(unit, entry),
            gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type => {
                let to = pointee(unit, entry);
                Type::Pointer { to: self.something(to), constant: self.is_constant(to), reference: true }
            }
            gimli::DW_TAG_array_type => Type::Array { of: pointee(unit, entry)?, count: count(unit, entry) },
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                Type::Structure(self.composite(unit, entry, bytes?))
            }
            gimli::DW_TAG_union_type => Type::Union(self.composite(unit, entry, bytes?)),
            gimli::DW_TAG_subroutine_type => Type::Function,
            _ => return None,
        })
    }

    /// Rust says in a pointer's name whether it changes what it points to, C and C++ by a qualifier.
    fn pointer(&self, unit: &Rc<DwarfUnit<'d>>, entry: &DwarfEntry<'d>) -> Type {
        let to = pointee(unit, entry);
        let name = self.name(unit, entry).unwrap_or_default();
        let reference = name.starts_with('&') || name.starts_with("alloc::boxed::Box<");
        let says_constant =
            (name.starts_with('&') && !name.starts_with("&mut ")) || name.starts_with("*const ");
        let constant = says_constant || self.is_constant(to);
        Type::Pointer { to: self.something(to), constant, reference }
    }

    /// What a pointer leads to, unless that is nothing with a qualifier or another name: `const void`.
    fn something(&self, to: Option<TypeId>) -> Option<TypeId> {
        let mut end = to?;
        for _ in 0..MAX_STEPS {
            let Some((unit, within)) = self.unit_with(end) else { return to };
            let Ok(entry) = unit.entry(within) else { return to };
            if !stands_for_another(entry.tag()) {
                return to;
            }
            end = pointee(&unit, &entry)?;
        }
        to
    }

    /// What C calls a type: its own name, or one that stands for it.
    pub fn c_name(&self, id: TypeId) -> Option<String> {
        let mut id = id;
        for _ in 0..MAX_STEPS {
            let (unit, within) = self.unit_with(id)?;
            let entry = unit.entry(within).ok()?;
            let name = self.name(&unit, &entry);
            let of_kind = |kind: &str| name.as_ref().map(|name| format!("{kind} {name}"));
            match entry.tag() {
                gimli::DW_TAG_typedef | gimli::DW_TAG_base_type => return name,
                gimli::DW_TAG_structure_type => return of_kind("struct"),
                gimli::DW_TAG_union_type => return of_kind("union"),
                gimli::DW_TAG_enumeration_type => return of_kind("enum"),
                tag if stands_for_another(tag) => id = pointee(&unit, &entry)?,
                _ => return None,
            }
        }
        None
    }

    /// The type of the function that a type is, if it is one's.
    pub fn signature(&self, id: TypeId) -> Option<FunctionType> {
        let mut id = id;
        for _ in 0..MAX_STEPS {
            let (unit, within) = self.unit_with(id)?;
            let entry = unit.entry(within).ok()?;
            match entry.tag() {
                gimli::DW_TAG_subroutine_type => return self.read_function(&unit, within),
                tag if stands_for_another(tag) => id = pointee(&unit, &entry)?,
                _ => return None,
            }
        }
        None
    }

    fn is_constant(&self, mut to: Option<TypeId>) -> bool {
        for _ in 0..MAX_STEPS {
            let Some((unit, within)) = to.and_then(|to| self.unit_with(to)) else { return false };
            let Ok(entry) = unit.entry(within) else { return false };
            match entry.tag() {
                gimli::DW_TAG_const_type => return true,
                gimli::DW_TAG_typedef | gimli::DW_TAG_volatile_type | gimli::DW_TAG_restrict_type => {
                    to = pointee(&unit, &entry);
                }
                _ => return false,
            }
        }
        false
    }

    fn enumeration(
        &self,
        unit: &Rc<DwarfUnit<'d>>,
        entry: &DwarfEntry<'d>,
        bytes: Option<u64>,
    ) -> Option<Type> {
        let underlying = pointee(unit, entry).map(|ty| self.get(ty));
        let (underlying_bytes, signed) = match underlying {
            Some(Type::Integer { bytes, signed, .. }) => (Some(bytes), signed),
            _ => (None, false),
        };
        let value = |entry: &DwarfEntry<'d>| match entry.attr_value(gimli::DW_AT_const_value)? {
            value @ gimli::AttributeValue::Sdata(_) => value.sdata_value(),
            value => value.udata_value().map(|value| value as i64).or_else(|| value.sdata_value()),
        };
        let mut values = Vec::new();
        for_children(unit, entry, |child| {
            if child.tag() == gimli::DW_TAG_enumerator
                && let Some((name, value)) = self.name(unit, child).zip(value(child))
            {
                values.push((name, value));
            }
        });
        Some(Type::Enumeration { bytes: bytes.or(underlying_bytes)?, signed, values })
    }

    fn composite(&self, unit: &Rc<DwarfUnit<'d>>, entry: &DwarfEntry<'d>, bytes: u64) -> Composite {
        let convention = entry.attr_value(gimli::DW_AT_calling_convention);
        let by_reference = gimli::AttributeValue::CallingConvention(gimli::DW_CC_pass_by_reference);
        let mut composite = Composite {
            name: self.name(unit, entry),
            bytes,
            is_by_reference: convention == Some(by_reference),
            ..Composite::default()
        };
        for_children(unit, entry, |child| match child.tag() {
            gimli::DW_TAG_variant_part => composite.variants = Some(self.variants(unit, child)),
            gimli::DW_TAG_template_type_parameter => {
                composite.type_params.extend(self.name(unit, child).zip(pointee(unit, child)));
            }
            // A member without a place is a static one: it belongs to the class.
            gimli::DW_TAG_member | gimli::DW_TAG_inheritance => {
                let bit = number(child, gimli::DW_AT_data_bit_offset);
                let bits = bit.zip(number(child, gimli::DW_AT_bit_size));
                let in_union = (entry.tag() == gimli::DW_TAG_union_type).then_some(0);
                let at = number(child, gimli::DW_AT_data_member_location);
                let at = at.or(bit.map(|bit| bit / 8)).or(in_union);
                if let Some((at, ty)) = at.zip(pointee(unit, child)) {
                    composite.members.push(Member { name: self.name(unit, child), at, ty, bits });
                }
            }
            _ => {}
        });
        composite
    }

    pub(super) fn name(&self, unit: &Rc<DwarfUnit<'d>>, entry: &DwarfEntry<'d>) -> Option<String> {
        self.text(unit, entry, gimli::DW_AT_name)
    }

    fn text(&self, unit: &Rc<DwarfUnit<'d>>, entry: &DwarfEntry<'d>, name: gimli::DwAt) -> Option<String> {
        let (unit, value) = self.attribute(unit, entry, name)?;
        let bytes = self.dwarf.attr_string(&unit, value).ok()?;
        Some(crate::names::printable(&bytes.to_string_lossy()))
    }

    /// An attribute of an entry, or of the declaration that it completes.
    #[allow(clippy::type_complexity, reason = "a value is of no use without its unit")]
    fn attribute(
        &self,
        unit: &Rc<DwarfUnit<'d>>,
        entry: &DwarfEntry<'d>,
        name: gimli::DwAt,
    ) -> Option<(Rc<DwarfUnit<'d>>, gimli::AttributeValue<Bytes<'d>>)> {
        let (mut unit, mut entry) = (Rc::clone(unit), entry.clone());
        for _ in 0..MAX_STEPS {
            if let Some(value) = entry.attr_value(name) {
                return Some((unit, value));
            }
            let origin = entry.attr_value(gimli::DW_AT_abstract_origin);
            let origin = origin.or_else(|| entry.attr_value(gimli::DW_AT_specification))?;
            let (other, within) = self.unit_with(target(&unit, &origin)?)?;
            entry = other.entry(within).ok()?;
            unit = other;
        }
        None
    }
}

/// Whether a type of this kind is another one, with a name or a qualifier.
fn stands_for_another(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type
            | gimli::DW_TAG_atomic_type
    )
}

pub(super) fn for_children<'d>(
    unit: &DwarfUnit<'d>,
    entry: &DwarfEntry<'d>,
    mut each: impl FnMut(&DwarfEntry<'d>),
) {
    let Ok(mut tree) = unit.entries_tree(Some(entry.offset())) else { return };
    let Ok(root) = tree.root() else { return };
    let mut children = root.children();
    for _ in 0..MAX_CHILDREN {
        let Ok(Some(child)) = children.next() else { return };
        each(child.entry());
    }
}

/// The entry that an attribute refers to.
fn target(unit: &DwarfUnit<'_>, value: &gimli::AttributeValue<Bytes<'_>>) -> Option<TypeId> {
    match value {
        gimli::AttributeValue::UnitRef(offset) => Some(TypeId(offset.to_debug_info_offset(&unit.header)?.0)),
        gimli::AttributeValue::DebugInfoRef(offset) => Some(TypeId(offset.0)),
        _ => None,
    }
}

/// The type that an entry says it is of.
pub(super) fn pointee(unit: &DwarfUnit<'_>, entry: &DwarfEntry<'_>) -> Option<TypeId> {
    target(unit, &entry.attr_value(gimli::DW_AT_type)?)
}

pub(super) fn number(entry: &DwarfEntry<'_>, name: gimli::DwAt) -> Option<u64> {
    entry.attr_value(name)?.udata_value()
}

fn base(entry: &DwarfEntry<'_>, bytes: u64) -> Option<Type> {
    let gimli::AttributeValue::Encoding(encoding) = entry.attr_value(gimli::DW_AT_encoding)? else {
        return None;
    };
    let integer = |signed, character| Type::Integer { bytes, signed, character };
    Some(match encoding {
        gimli::DW_ATE_boolean => Type::Boolean { bytes },
        gimli::DW_ATE_float => Type::Float { bytes },
        gimli::DW_ATE_signed => integer(true, false),
        gimli::DW_ATE_unsigned => integer(false, false),
        gimli::DW_ATE_signed_char => integer(true, true),
        gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF => integer(false, true),
        _ => return None,
    })
}

/// How many elements an array has, over all of its dimensions.
fn count<'d>(unit: &DwarfUnit<'d>, entry: &DwarfEntry<'d>) -> Option<u64> {
    let mut total = Some(1_u64);
    let mut dimensions = 0;
    for_children(unit, entry, |child| {
        if child.tag() == gimli::DW_TAG_subrange_type {
            dimensions += 1;
            let bound = || number(child, gimli::DW_AT_upper_bound)?.checked_add(1);
            let count = number(child, gimli::DW_AT_count).or_else(bound);
            total = total.zip(count).and_then(|(total, count)| total.checked_mul(count));
        }
    });
    total.filter(|_| dimensions > 0)
}

/// The local that a parameter is in.
fn local(entry: &DwarfEntry<'_>) -> Option<u32> {
    let gimli::AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_location)? else {
        return None;
    };
    let index = expression.0.slice().strip_prefix(&WASM_LOCAL)?;
    // Numbers above 127 take more than a byte; so many parameters are not worth it.
    index.first().filter(|&&byte| byte < 0x80).map(|&byte| byte.into())
}
