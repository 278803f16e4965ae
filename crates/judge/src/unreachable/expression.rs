//! Random expressions.

use super::statement::Code;

/// Types of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    I32,
    I64,
    F32,
    F64,
}

impl Ty {
    fn name(self) -> &'static str {
        match self {
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
        }
    }

    /// The locals of this type that statements assign.
    pub(super) fn locals(self) -> &'static [&'static str] {
        match self {
            Ty::I32 => &["$a", "$b", "$x", "$y"],
            Ty::I64 => &["$p", "$q"],
            Ty::F32 => &["$s"],
            Ty::F64 => &["$t"],
        }
    }
}

/// Operators of integers that never trap.
const BINARY: &[&str] =
    &["add", "sub", "mul", "and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "add", "and"];
const DIVISIONS: &[&str] = &["div_s", "div_u", "rem_s", "rem_u"];
const COMPARISONS: &[&str] =
    &["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u", "eq", "ne"];
const FLOAT_COMPARISONS: &[&str] = &["eq", "ne", "lt", "gt", "le", "ge"];
const FLOAT_BINARY: &[&str] = &["add", "sub", "mul", "div", "min", "max", "copysign"];
/// Loads and stores of integers, by how many bytes they are of.
const LOADS_32: &[&str] = &["load", "load8_u", "load8_s", "load16_u", "load16_s", "load"];
const LOADS_64: &[&str] = &["load", "load8_u", "load16_s", "load32_u", "load32_s", "load"];
pub(super) const STORES_32: &[&str] = &["store", "store8", "store16", "store"];
pub(super) const STORES_64: &[&str] = &["store", "store8", "store16", "store32", "store"];

impl Code<'_> {
    /// A number of a type, as text.
    pub(super) fn constant(&mut self, ty: Ty) -> String {
        let number = match self.random.below(12) {
            0 => "-1".to_owned(),
            1 if ty == Ty::I32 || ty == Ty::I64 => {
                self.random.pick(&["0x7fffffff", "0x80000000", "255", "256", "65535"]).to_owned()
            }
            _ => self.random.below(18).to_string(),
        };
        format!("({}.const {number})", ty.name())
    }

    pub(super) fn local(&mut self, ty: Ty) -> String {
        format!("(local.get {})", self.random.pick(ty.locals()))
    }

    /// What is looked at by branches: few variables and few numbers, so that conditions contradict each other.
    pub(super) fn condition(&mut self) -> String {
        let condition = match self.random.below(9) {
            0..=1 if !self.conditions.is_empty() => {
                let old = self.random.below(self.conditions.len());
                return self.conditions[old].clone();
            }
            0..=4 => {
                let (operator, variable) = (self.random.pick(COMPARISONS), self.variable());
                format!("(i32.{operator} {variable} {})", self.constant(Ty::I32))
            }
            5 if self.is_framed => {
                let (operator, bytes) = (self.random.pick(COMPARISONS), 16 * self.random.below(6));
                format!(
                    "(i32.{operator} (i32.sub (local.get $frame) (global.get $__stack_pointer)) (i32.const {bytes}))"
                )
            }
            5 => {
                let (operator, variable) = (self.random.pick(COMPARISONS), self.variable());
                format!("(i32.{operator} {variable} {})", self.variable())
            }
            6 => {
                let ty = self.random.pick(&[Ty::I64, Ty::F32, Ty::F64]);
                self.comparison(ty, 1)
            }
            7 => format!("(i32.eqz {})", self.condition()),
            _ => self.expression(Ty::I32, 2),
        };
        self.conditions.push(condition.clone());
        condition
    }

    /// A local or something that was kept elsewhere.
    fn variable(&mut self) -> String {
        match self.random.below(8) {
            0 => "(global.get $g)".to_owned(),
            1 => "(global.get $h)".to_owned(),
            2 => self.load(Ty::I32, 0),
            _ => self.local(Ty::I32),
        }
    }

    fn comparison(&mut self, ty: Ty, depth: usize) -> String {
        let operators = if matches!(ty, Ty::I32 | Ty::I64) { COMPARISONS } else { FLOAT_COMPARISONS };
        let (operator, first) = (self.random.pick(operators), self.expression(ty, depth));
        let second = if self.random.below(2) == 0 { self.constant(ty) } else { self.expression(ty, depth) };
        format!("({}.{operator} {first} {second})", ty.name())
    }

    /// An expression of a type, at most so deep.
    pub(super) fn expression(&mut self, ty: Ty, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return if self.random.below(3) == 0 { self.constant(ty) } else { self.local(ty) };
        };
        match (ty, self.random.below(16)) {
            (_, 0) => self.constant(ty),
            (_, 1..=2) => self.local(ty),
            (_, 3) => {
                let (one, other) = (self.expression(ty, depth), self.expression(ty, depth));
                format!("(select {one} {other} {})", self.condition())
            }
            (_, 4..=5) => self.load(ty, depth),
            (_, 6) => {
                let (one, other) = (self.expression(ty, depth), self.expression(ty, depth));
                let condition = self.condition();
                format!("(if (result {}) {condition} (then {one}) (else {other}))", ty.name())
            }
            (Ty::I32, 7) => self.comparison(Ty::I32, depth),
            (Ty::I32, 8) => {
                let ty = self.random.pick(&[Ty::I64, Ty::F32, Ty::F64]);
                self.comparison(ty, depth)
            }
            (Ty::I32, 9) => format!("(i32.wrap_i64 {})", self.expression(Ty::I64, depth)),
            (Ty::I32, 10) => {
                let from = self.random.pick(&[Ty::F32, Ty::F64]);
                let operator = if self.random.below(8) == 0 { "trunc" } else { "trunc_sat" };
                format!("(i32.{operator}_{}_s {})", from.name(), self.expression(from, depth))
            }
            (Ty::I32, 11..=12) => self.call(depth).unwrap_or_else(|| self.local(Ty::I32)),
            (Ty::I32, 13) => self.random.pick(&["(global.get $g)", "(global.get $h)"]).to_owned(),
            (Ty::I64, 7) => "(global.get $w)".to_owned(),
            (Ty::I64, 8..=10) => {
                let operator = self.random.pick(&["extend_i32_u", "extend_i32_s"]);
                format!("(i64.{operator} {})", self.expression(Ty::I32, depth))
            }
            (Ty::I32 | Ty::I64, 14) => {
                let (operator, first) = (self.random.pick(DIVISIONS), self.expression(ty, depth));
                let mut second = self.expression(ty, depth);
                if self.random.below(8) > 0 {
                    second = format!("({0}.or {second} ({0}.const 1))", ty.name());
                }
                format!("({}.{operator} {first} {second})", ty.name())
            }
            (Ty::I32 | Ty::I64, 15) => {
                let operator = self.random.pick(&["clz", "ctz", "popcnt", "extend8_s"]);
                format!("({}.{operator} {})", ty.name(), self.expression(ty, depth))
            }
            (Ty::I32 | Ty::I64, _) => {
                let (operator, first) = (self.random.pick(BINARY), self.expression(ty, depth));
                format!("({}.{operator} {first} {})", ty.name(), self.expression(ty, depth))
            }
            (Ty::F32, 7) => format!("(f32.demote_f64 {})", self.expression(Ty::F64, depth)),
            (Ty::F64, 7) => format!("(f64.promote_f32 {})", self.expression(Ty::F32, depth)),
            (Ty::F32 | Ty::F64, 8..=11) => {
                let operator = self.random.pick(&["convert_i32_s", "convert_i32_u"]);
                format!("({}.{operator} {})", ty.name(), self.expression(Ty::I32, depth))
            }
            (Ty::F32 | Ty::F64, 12) => {
                let operator = self.random.pick(&["neg", "abs", "floor", "nearest", "sqrt"]);
                format!("({}.{operator} {})", ty.name(), self.expression(ty, depth))
            }
            (Ty::F32 | Ty::F64, _) => {
                let (operator, first) = (self.random.pick(FLOAT_BINARY), self.expression(ty, depth));
                format!("({}.{operator} {first} {})", ty.name(), self.expression(ty, depth))
            }
        }
    }

    fn load(&mut self, ty: Ty, depth: usize) -> String {
        let operator = match ty {
            Ty::I32 => self.random.pick(LOADS_32),
            Ty::I64 => self.random.pick(LOADS_64),
            Ty::F32 | Ty::F64 => "load",
        };
        format!("({}.{operator} {})", ty.name(), self.address(depth))
    }

    /// A store to memory.
    pub(super) fn store(&mut self) -> String {
        let ty = self.random.pick(&[Ty::I32, Ty::I32, Ty::I32, Ty::I64, Ty::F32, Ty::F64]);
        let operator = match ty {
            Ty::I32 => self.random.pick(STORES_32),
            Ty::I64 => self.random.pick(STORES_64),
            Ty::F32 | Ty::F64 => "store",
        };
        let address = self.address(1);
        format!("({}.{operator} {address} {})", ty.name(), self.expression(ty, 2))
    }

    /// A value in memory: how it gets there, and how all or a part of it is looked at.
    pub(super) fn cell(&mut self, value: &str) -> (String, String) {
        let (address, store) = (self.address(0), self.random.pick(STORES_32));
        let load = self.random.pick(LOADS_32);
        let look = match self.random.below(3) {
            0 => format!("(i32.shr_u (i32.{load} {address}) (i32.const 8))"),
            1 => format!("(i32.and (i32.{load} {address}) (i32.const 15))"),
            _ => format!("(i32.{load} {address})"),
        };
        (format!("(i32.{store} {address} {value})"), look)
    }

    /// Where to load from or store to: a few bytes, which accesses share and overlap in. With an offset in front.
    fn address(&mut self, depth: usize) -> String {
        let offset = self.random.pick(&["", "", "offset=4 ", "offset=1 ", "offset=8 "]);
        let address = match self.random.below(8) {
            0 => {
                format!("(i32.and {} (i32.const {}))", self.local(Ty::I32), self.random.pick(&[3, 4, 7, 12]))
            }
            1 => {
                let index = self.expression(Ty::I32, depth);
                format!("(i32.shl (i32.and {index} (i32.const 3)) (i32.const 2))")
            }
            2 => {
                let base = self.local(Ty::I32);
                format!("(i32.add (i32.and {base} (i32.const 7)) (i32.const {}))", self.random.below(6))
            }
            3..=5 if self.is_framed => {
                format!("(i32.add (local.get $frame) (i32.const {}))", 4 * self.random.below(5))
            }
            _ => format!("(i32.const {})", self.random.pick(&[0, 0, 4, 4, 8, 2, 5])),
        };
        format!("{offset}{address}")
    }
}
