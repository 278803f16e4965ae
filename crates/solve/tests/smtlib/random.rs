//! Random expressions as a script writes them.

use crate::support::Random;

/// Random expressions as a script writes them.
pub(super) struct Text<'a> {
    pub(super) random: &'a mut Random,
    /// Names of bit-vectors, with their widths; none: constants only.
    pub(super) names: &'a [(&'a str, u8)],
}

impl Text<'_> {
    fn leaf(&mut self, width: u8) -> String {
        let fitting: Vec<&str> =
            self.names.iter().filter(|(_, of)| *of == width).map(|(name, _)| *name).collect();
        if !fitting.is_empty() && self.random.below(4) > 0 {
            return self.random.pick(&fitting).to_owned();
        }
        format!("(_ bv{} {width})", self.random.number(width))
    }

    pub(super) fn bits(&mut self, width: u8, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(width);
        }
        match self.random.below(9) {
            0 => format!("({} {})", self.random.pick(&["bvnot", "bvneg"]), self.bits(width, depth - 1)),
            1..=3 => {
                let op = self.random.pick(&[
                    "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvadd", "bvsub", "bvmul",
                    "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr",
                ]);
                format!("({op} {} {})", self.bits(width, depth - 1), self.bits(width, depth - 1))
            }
            4 => {
                let more = self.random.below(u64::from(64 - width) + 1) as u8;
                let low = self.random.below(u64::from(more) + 1) as u8;
                let inner = self.bits(width + more, depth - 1);
                format!("((_ extract {} {low}) {inner})", low + width - 1)
            }
            5 if width > 1 => {
                let low = 1 + self.random.below(u64::from(width) - 1) as u8;
                match self.random.below(3) {
                    0 => format!("((_ zero_extend {}) {})", width - low, self.bits(low, depth - 1)),
                    1 => format!("((_ sign_extend {}) {})", width - low, self.bits(low, depth - 1)),
                    _ => format!(
                        "(concat {} {})",
                        self.bits(width - low, depth - 1),
                        self.bits(low, depth - 1)
                    ),
                }
            }
            6 => {
                let op = self.random.pick(&["rotate_left", "rotate_right"]);
                format!("((_ {op} {}) {})", self.random.below(70), self.bits(width, depth - 1))
            }
            7 => {
                let condition = self.condition(depth - 1);
                format!("(ite {condition} {} {})", self.bits(width, depth - 1), self.bits(width, depth - 1))
            }
            _ => {
                let inner = self.bits(width, depth - 1);
                format!("(let ((v {inner})) (bvadd v {} v))", self.bits(width, depth - 1))
            }
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        let width =
            if self.names.is_empty() { self.random.pick(&[1, 5, 8, 32, 64]) } else { self.names[0].1 };
        match self.random.below(4) {
            0 if depth > 0 => {
                let op = self.random.pick(&["and", "or", "xor", "=>", "=", "distinct"]);
                format!("({op} {} {})", self.condition(depth - 1), self.condition(depth - 1))
            }
            1 if depth > 0 => format!("(not {})", self.condition(depth - 1)),
            _ => {
                let depth = depth.saturating_sub(1);
                let mut ops = vec![
                    "=", "distinct", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge",
                ];
                if self.names.is_empty() {
                    ops.extend(["bvuaddo", "bvsaddo", "bvumulo", "bvsmulo", "bvusubo", "bvssubo", "bvsdivo"]);
                }
                format!(
                    "({} {} {})",
                    self.random.pick(&ops),
                    self.bits(width, depth),
                    self.bits(width, depth)
                )
            }
        }
    }

    pub(super) fn float(&mut self, width: u8, depth: u32) -> String {
        let format = if width == 32 { "8 24" } else { "11 53" };
        if depth == 0 {
            return match self.random.below(3) {
                0 => format!("((_ to_fp {format}) (_ bv{} {width}))", self.random.number(width)),
                1 => format!("(_ {} {format})", self.random.pick(&["+oo", "-oo", "+zero", "-zero", "NaN"])),
                _ => {
                    let numbers =
                        ["1.0", "(- 0.5)", "2.5", "0.1", "3000000000.0", "(- 1.5)", "127.5", "0.000001"];
                    format!("((_ to_fp {format}) RNE {})", self.random.pick(&numbers))
                }
            };
        }
        let other = 96 - width;
        let integer = self.random.pick(&[8, 32, 40, 64]);
        match self.random.below(8) {
            0 => format!(
                "({} {})",
                self.random.pick(&["fp.abs", "fp.neg", "fp.sqrt RNE"]),
                self.float(width, depth - 1)
            ),
            1 => {
                let mode = self.random.pick(&["RNE", "RTP", "RTN", "RTZ"]);
                format!("(fp.roundToIntegral {mode} {})", self.float(width, depth - 1))
            }
            2 => format!("((_ to_fp {format}) RNE {})", self.float(other, depth - 1)),
            3 => {
                let op = self.random.pick(&["to_fp", "to_fp_unsigned"]);
                format!("((_ {op} {format}) RNE {})", self.bits(integer, 0))
            }
            _ => {
                let op = self.random.pick(&[
                    "fp.add RNE",
                    "fp.sub RNE",
                    "fp.mul RNE",
                    "fp.div RNE",
                    "fp.min",
                    "fp.max",
                ]);
                format!("({op} {} {})", self.float(width, depth - 1), self.float(width, depth - 1))
            }
        }
    }

    pub(super) fn about_floats(&mut self, depth: u32) -> String {
        let width = self.random.pick(&[32, 64]);
        match self.random.below(3) {
            0 => {
                let op = self.random.pick(&[
                    "fp.isNaN",
                    "fp.isInfinite",
                    "fp.isZero",
                    "fp.isNormal",
                    "fp.isSubnormal",
                    "fp.isNegative",
                    "fp.isPositive",
                ]);
                format!("({op} {})", self.float(width, depth))
            }
            1 => {
                let op = self.random.pick(&["fp.eq", "fp.lt", "fp.leq", "fp.gt", "fp.geq", "=", "distinct"]);
                format!("({op} {} {})", self.float(width, depth), self.float(width, depth))
            }
            _ => {
                let (op, bits) =
                    (self.random.pick(&["fp.to_sbv", "fp.to_ubv"]), self.random.pick(&[8, 32, 64]));
                let mode = self.random.pick(&["RNE", "RTP", "RTN", "RTZ"]);
                let float = self.float(width, depth);
                format!("(= ((_ {op} {bits}) {mode} {float}) ((_ {op} {bits}) {mode} {float}))")
            }
        }
    }
}

/// Random expressions over arrays and functions of two bits.
pub(super) struct ArrayText<'a>(pub(super) &'a mut Random);

impl ArrayText<'_> {
    fn array(&mut self, depth: u32) -> String {
        match self.0.below(4) {
            0 if depth > 0 => {
                let condition = self.condition(depth - 1);
                format!("(ite {condition} {} {})", self.array(depth - 1), self.array(depth - 1))
            }
            1 | 2 if depth > 0 => {
                format!("(store {} {} {})", self.array(depth - 1), self.bits(depth - 1), self.bits(depth - 1))
            }
            _ => self.0.pick(&["m", "n", "((as const (Array (_ BitVec 2) (_ BitVec 2))) #b10)"]).to_owned(),
        }
    }

    pub(super) fn bits(&mut self, depth: u32) -> String {
        match self.0.below(5) {
            0 | 1 if depth > 0 => format!("(select {} {})", self.array(depth - 1), self.bits(depth - 1)),
            2 if depth > 0 => format!("(f {} {})", self.bits(depth - 1), self.condition(depth - 1)),
            3 if depth > 0 => format!("(g {} {})", self.bits(depth - 1), self.bits(depth - 1)),
            _ => self.0.pick(&["a", "b", "#b00", "#b01", "#b11"]).to_owned(),
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        match self.0.below(6) {
            0 if depth > 0 => format!("(= {} {})", self.array(depth - 1), self.array(depth - 1)),
            1 => format!("(bvult {} {})", self.bits(depth), self.bits(depth)),
            2 if depth > 0 => format!("(xor {} {})", self.condition(depth - 1), self.condition(depth - 1)),
            3 => format!("(distinct {} {})", self.bits(depth), self.bits(depth)),
            _ => format!("(= {} {})", self.bits(depth), self.bits(depth)),
        }
    }
}
