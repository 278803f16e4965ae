//! Numbers as the source has them: narrower than wasm's own, signed or not.

use crate::Value;
use wasmparser::ValType;

/// A number of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// One of wasm's own.
    Value(Value),
    /// True or false.
    Bool(bool),
    /// 8 bits with a sign.
    I8(i8),
    /// 8 bits without.
    U8(u8),
    /// 16 bits with a sign.
    I16(i16),
    /// 16 bits without.
    U16(u16),
    /// 32 bits without a sign: as `i32`, but people read it otherwise.
    U32(u32),
    /// 64 bits without a sign.
    U64(u64),
}

/// What kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "as those of `Number`")]
pub enum NumberKind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    V128,
    /// A reference, which can only be null.
    Null,
}

impl NumberKind {
    /// All that JSON has keys for beside those of [`Value`].
    pub(super) const NARROW: [NumberKind; 7] = [
        NumberKind::Bool,
        NumberKind::I8,
        NumberKind::U8,
        NumberKind::I16,
        NumberKind::U16,
        NumberKind::U32,
        NumberKind::U64,
    ];

    /// The kinds that lengths can be of.
    pub(super) fn integers() -> impl Iterator<Item = NumberKind> {
        [1, 2, 4, 8]
            .into_iter()
            .flat_map(|bytes| [true, false].map(|signed| NumberKind::integer(bytes, signed)))
            .flatten()
    }

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            NumberKind::Bool => "bool",
            NumberKind::I8 => "i8",
            NumberKind::U8 => "u8",
            NumberKind::I16 => "i16",
            NumberKind::U16 => "u16",
            NumberKind::I32 => "i32",
            NumberKind::U32 => "u32",
            NumberKind::I64 => "i64",
            NumberKind::U64 => "u64",
            NumberKind::F32 => "f32",
            NumberKind::F64 => "f64",
            NumberKind::V128 => "v128",
            NumberKind::Null => "ref",
        }
    }

    /// The wasm type that it is passed as.
    pub fn passed_as(self) -> Option<ValType> {
        Some(match self {
            NumberKind::I64 | NumberKind::U64 => ValType::I64,
            NumberKind::F32 => ValType::F32,
            NumberKind::F64 => ValType::F64,
            NumberKind::V128 => ValType::V128,
            NumberKind::Null => return None,
            _ => ValType::I32,
        })
    }

    /// A plain number of this wasm type.
    pub fn of(ty: ValType) -> NumberKind {
        match ty {
            ValType::I32 => NumberKind::I32,
            ValType::I64 => NumberKind::I64,
            ValType::F32 => NumberKind::F32,
            ValType::F64 => NumberKind::F64,
            ValType::V128 => NumberKind::V128,
            ValType::Ref(_) => NumberKind::Null,
        }
    }

    /// An integer of so many bytes.
    pub fn integer(bytes: u64, signed: bool) -> Option<NumberKind> {
        Some(match (bytes, signed) {
            (1, true) => NumberKind::I8,
            (1, false) => NumberKind::U8,
            (2, true) => NumberKind::I16,
            (2, false) => NumberKind::U16,
            (4, true) => NumberKind::I32,
            (4, false) => NumberKind::U32,
            (8, true) => NumberKind::I64,
            (8, false) => NumberKind::U64,
            _ => return None,
        })
    }

    /// How many bits its symbol has.
    pub fn width(self) -> Option<u8> {
        Some(match self {
            NumberKind::Bool => 1,
            NumberKind::I8 | NumberKind::U8 => 8,
            NumberKind::I16 | NumberKind::U16 => 16,
            NumberKind::I32 | NumberKind::U32 | NumberKind::F32 => 32,
            NumberKind::I64 | NumberKind::U64 | NumberKind::F64 => 64,
            NumberKind::V128 | NumberKind::Null => return None,
        })
    }

    /// How many bytes it takes in memory; none if it cannot be there.
    pub fn bytes(self) -> Option<u64> {
        match self {
            NumberKind::V128 => Some(16),
            kind => kind.width().map(|width| u64::from(width).div_ceil(8)),
        }
    }

    /// Whether a symbol of fewer bits than wasm's numbers is extended by its sign.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, NumberKind::I8 | NumberKind::I16)
    }

    /// The number with these bits.
    pub fn number(self, bits: u64) -> Number {
        match self {
            NumberKind::Bool => Number::Bool(bits & 1 != 0),
            NumberKind::I8 => Number::I8(bits as i8),
            NumberKind::U8 => Number::U8(bits as u8),
            NumberKind::I16 => Number::I16(bits as i16),
            NumberKind::U16 => Number::U16(bits as u16),
            NumberKind::I32 => Number::Value(Value::I32(bits as i32)),
            NumberKind::U32 => Number::U32(bits as u32),
            NumberKind::I64 => Number::Value(Value::I64(bits as i64)),
            NumberKind::U64 => Number::U64(bits),
            NumberKind::F32 => Number::Value(Value::F32(bits as u32)),
            NumberKind::F64 => Number::Value(Value::F64(bits)),
            NumberKind::V128 => Number::Value(Value::V128(bits.into())),
            NumberKind::Null => Number::Value(Value::Ref(crate::Reference::Null)),
        }
    }

    /// Reads a number as people write it.
    pub fn parse(self, text: &str) -> Option<Number> {
        let within = |low: i128, high: i128| {
            let value = Value::parse(text, ValType::I64)?;
            let Value::I64(value) = value else { return None };
            (low..=high).contains(&i128::from(value)).then(|| self.number(value as u64))
        };
        match self {
            NumberKind::Bool if text == "true" => Some(Number::Bool(true)),
            NumberKind::Bool if text == "false" => Some(Number::Bool(false)),
            NumberKind::Bool => within(0, 1),
            // A negative number is one of 64 bits: each width takes its own, with a sign or without.
            NumberKind::I8 | NumberKind::U8 => within(i8::MIN.into(), u8::MAX.into()),
            NumberKind::I16 | NumberKind::U16 => within(i16::MIN.into(), u16::MAX.into()),
            NumberKind::U32 => Value::parse(text, ValType::I32).and_then(|value| match value {
                Value::I32(value) => Some(Number::U32(value as u32)),
                _ => None,
            }),
            NumberKind::U64 => Value::parse(text, ValType::I64).and_then(|value| match value {
                Value::I64(value) => Some(Number::U64(value as u64)),
                _ => None,
            }),
            NumberKind::Null => (text == "null").then(|| self.number(0)),
            kind => Value::parse(text, kind.passed_as()?).map(Number::Value),
        }
    }
}

impl Number {
    /// What kind of number it is.
    pub fn kind(self) -> NumberKind {
        match self {
            Number::Bool(_) => NumberKind::Bool,
            Number::I8(_) => NumberKind::I8,
            Number::U8(_) => NumberKind::U8,
            Number::I16(_) => NumberKind::I16,
            Number::U16(_) => NumberKind::U16,
            Number::U32(_) => NumberKind::U32,
            Number::U64(_) => NumberKind::U64,
            Number::Value(value) => match value {
                Value::I32(_) => NumberKind::I32,
                Value::I64(_) => NumberKind::I64,
                Value::F32(_) => NumberKind::F32,
                Value::F64(_) => NumberKind::F64,
                Value::V128(_) => NumberKind::V128,
                Value::Ref(_) => NumberKind::Null,
            },
        }
    }

    /// The value that the function is given for it: extended as C and Rust do.
    pub fn passed(self) -> Value {
        match self {
            Number::Value(value) => value,
            Number::Bool(value) => Value::I32(value.into()),
            Number::I8(value) => Value::I32(value.into()),
            Number::U8(value) => Value::I32(value.into()),
            Number::I16(value) => Value::I32(value.into()),
            Number::U16(value) => Value::I32(value.into()),
            Number::U32(value) => Value::I32(value as i32),
            Number::U64(value) => Value::I64(value as i64),
        }
    }

    /// Its value, if it is an integer.
    pub fn integer(self) -> Option<i128> {
        Some(match self {
            Number::U32(value) => value.into(),
            Number::U64(value) => value.into(),
            number => match number.passed() {
                Value::I32(value) => value.into(),
                Value::I64(value) => value.into(),
                _ => return None,
            },
        })
    }

    /// Its bits, as many as its symbol has.
    pub fn bits(self) -> u64 {
        match self {
            Number::I8(value) => u64::from(value as u8),
            Number::I16(value) => u64::from(value as u16),
            number => number.passed().bits(),
        }
    }

    /// Its bytes in memory.
    pub(crate) fn memory_bytes(self) -> Vec<u8> {
        if let Number::Value(Value::V128(bits)) = self {
            return bits.to_le_bytes().to_vec();
        }
        let count = self.kind().bytes().unwrap_or(0);
        self.bits().to_le_bytes()[..count as usize].to_vec()
    }
}
