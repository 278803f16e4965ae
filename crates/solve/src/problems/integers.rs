//! Machine integers: products, collisions of hash functions, overflow that must happen, bytes of an input, state machines.

use super::Recipe;
use super::builder::{Builder, Int};

pub(super) const PROBLEMS: &[Recipe] = &[
    ("blind/product_is_factor", |p| {
        let (x, y) = (p.int("x", 32, 3), p.int("y", 32, 1));
        p.require(x.is(x * y));
        p.require(x.gt(2));
    }),
    ("blind/two_products", |p| {
        let (x, y, z) = (p.int("x", 32, 5), p.int("y", 32, 7), p.int("z", 32, 35));
        p.require(z.is(x * y));
        p.require((x + y).is(12) & x.lt(y) & x.gt(1));
    }),
    ("blind/bits_of_double", |p| {
        let u = p.f64("u", 1.000_001);
        p.require((u.bits() & 0xff000).gt(0));
        p.require(u.gt(1.0) & u.lt(1.001));
    }),
    ("blind/product_of_64_bits", |p| {
        let (x, y) = (p.int("x", 64, 1_000_003), p.int("y", 64, 998_244_353));
        p.require((x * y).is_as_known());
        p.require(x.gt(1) & x.lt(y));
    }),
    ("blind/square_and_shift", |p| {
        let (x, y) = (p.int("x", 32, 321), p.int_bytes("y", 32, -7));
        p.require((x * x - (y << 4)).is(321 * 321 + 112));
        p.require(y.lt(0) & x.gt(300));
    }),
    ("hash/collide_multiply", |p| collide(p, [[1, 40, 3], [2, 9, 3]], |state, byte| state * 31 + byte)),
    ("hash/collide_shift_xor", |p| {
        collide(p, [[1, 40, 3], [2, 72, 3]], |state, byte| ((state << 5) ^ (state >> 27)) ^ byte)
    }),
    ("hash/collide_rotate_add", |p| {
        collide(p, [[1, 40, 3], [0, 168, 3]], |state, byte| state.rotate_left(7) + byte)
    }),
    ("hash/invert_fnv_of_four", |p| {
        let bytes: Vec<_> =
            (0..4).map(|i| p.int(&format!("b{i}"), 8, [b'w', b'a', b'l', b'k'][i].into())).collect();
        let start = bytes[0].zero_extend(32).constant(0x811c_9dc5);
        let hash = bytes.iter().fold(start, |state, b| (state ^ b.zero_extend(32)) * 0x0100_0193);
        p.require(hash.unsigned_rem(1024).is_as_known());
    }),
    ("hash/djb_bucket", |p| {
        let bytes: Vec<_> = (0..6).map(|i| p.int(&format!("b{i}"), 8, letter(b'a') + i * 3)).collect();
        let hash =
            bytes.iter().fold(bytes[0].zero_extend(32).constant(5381), |h, b| h * 33 + b.zero_extend(32));
        p.require((hash & 0xffff).is_as_known());
        bytes.iter().for_each(|&b| p.require(b.ge(letter(b'a')) & b.le(letter(b'z'))));
    }),
    ("hash/polynomial_of_words", |p| {
        let (x, y) = (p.int("x", 32, 0x1234), p.int("y", 32, 0x77));
        p.require((x * x * 17 + y * 3 + (x ^ y)).is_as_known());
        p.require(x.gt(0) & y.gt(0));
    }),
    ("hash/mix_of_words", |p| {
        let (x, y) = (p.int("x", 32, 0x0bad_cafe), p.int("y", 32, 0x0fee_d000));
        let first = (x * 0x9e37_79b1) ^ y;
        p.require(((first ^ (first >> 15)) * 5 + y).is_as_known());
    }),
    ("hash/checksum_of_fields", |p| {
        let (kind, length) = (p.int_bytes("kind", 16, 7), p.int_bytes("length", 16, 260));
        let sum = p.int_bytes("sum", 32, (7 * 65521 + 260) ^ 0x5a5a);
        p.require(sum.is((kind.zero_extend(32) * 65521 + length.zero_extend(32)) ^ 0x5a5a));
        p.require(kind.is(7) & length.gt(255) & length.lt(512));
    }),
    ("dart/cubes_overflow", |p| {
        let x = p.int("x", 32, 1300);
        p.require(x.gt(0) & (x * x * x).lt(0));
    }),
    ("dart/polynomial", |p| {
        let (x, y) = (p.int("x", 32, 10), p.int("y", 32, 20));
        p.require((x * x * x).is(y * 50));
        p.require(x.gt(0) & y.is(20));
    }),
    ("dart/negated_minimum", |p| {
        let (x, y) = (p.int("x", 32, i64::from(i32::MIN)), p.int("y", 32, 5));
        p.require((x * -1).lt(0) & x.lt(0));
        p.require((x + y).lt(-100) & (y * y).is(25));
    }),
    ("dart/sum_overflows", |p| {
        let (x, y) = (p.int("x", 32, 0x7000_0000), p.int("y", 32, 0x1000_0005));
        p.require(x.gt(0) & y.gt(0) & (x + y).lt(0));
        p.require((x + y).is(i64::from(i32::MIN) + 5));
    }),
    ("dart/size_overflows", |p| {
        let (count, size) = (p.int("count", 32, 0x1000_0001), p.int("size", 32, 16));
        p.require((count * size).below(64) & size.gt(8) & size.lt(64));
        p.require(count.gt(100) & !(count * size).is(0));
    }),
    ("dart/square_wraps_to", |p| {
        let x = p.int("x", 32, 0x1_2345);
        p.require((x * x).is_as_known());
        p.require(x.gt(0xffff));
    }),
    ("dart/wide_square", |p| {
        let x = p.int_bytes("x", 32, 46_341);
        let wide = x.sign_extend(64);
        p.require((wide * wide).gt(i64::from(i32::MAX)) & (x * x).lt(0) & x.gt(0) & x.lt(46_400));
    }),
    ("power/cube", |p| {
        let x = p.int("x", 32, 123);
        p.require((x * x * x).is(1_860_867));
    }),
    ("power/fifth_of_64_bits", |p| {
        let x = p.int("x", 64, 1234);
        p.require((x * x * x * x * x).is_as_known());
    }),
    ("power/doubling", |p| {
        let (base, exponent) = (p.int("base", 32, 3), p.int("exponent", 32, 11));
        p.require(power(base, exponent).is(177_147));
        p.require(base.gt(1) & exponent.gt(1) & exponent.lt(16));
    }),
    ("power/of_two_at_least", |p| {
        let (base, exponent) = (p.int("base", 32, 7), p.int("exponent", 32, 5));
        p.require(power(base, exponent).gt(16_000) & power(base, exponent).lt(17_000));
        p.require(base.gt(5) & exponent.gt(3) & exponent.lt(16));
    }),
    ("power/exp_of_int", |p| {
        let n = p.int("n", 32, 9);
        p.require(n.to_f64().exp().gt(8103.0) & n.to_f64().exp().lt(8104.0));
    }),
    ("power/pow_is_integer", |p| {
        let (x, n) = (p.f64("x", 1.5), p.int("n", 32, 4));
        p.require(x.pow(n.to_f64()).is(5.0625));
        p.require(n.gt(2));
    }),
    ("tcas/alarm_upward", |p| tcas(p, 1)),
    ("tcas/alarm_downward", |p| tcas(p, 2)),
    ("tcas/state_machine", |p| {
        let start = p.int("c0", 8, b's'.into());
        let bytes: Vec<_> = (1..6)
            .map(|i| p.int(&format!("c{i}"), 8, [b'x', b'+', b'7', b'=', b'!'][i - 1].into()))
            .collect();
        p.require(start.is(letter(b's')));
        p.require(bytes[0].ge(letter(b'x')) & bytes[0].le(letter(b'z')));
        p.require(bytes[1].is(letter(b'+')) | bytes[1].is(letter(b'-')));
        let digit = bytes[2].zero_extend(32) - 48;
        p.require(digit.below(10) & (digit * digit).is(49));
        p.require(bytes[3].is(letter(b'=')) & bytes[4].is(letter(b'!')));
    }),
    ("tcas/separation_table", |p| {
        let (altitude, layer) = (p.int("altitude", 32, 640), p.int("layer", 32, 2));
        let threshold = layer.is(0).choose(
            layer.constant(400),
            layer.is(1).choose(layer.constant(500), layer.is(2).choose(layer.constant(640), 740)),
        );
        p.require(threshold.is(altitude) & layer.ge(0) & layer.lt(4) & altitude.gt(500) & altitude.lt(700));
    }),
    ("tcas/date_of_fields", |p| {
        let (year, month, day) = (p.int_bytes("year", 16, 2024), p.int("month", 8, 2), p.int("day", 8, 29));
        let year = year.zero_extend(32);
        let leap = (year & 3).is(0) & (!year.unsigned_rem(100).is(0) | year.unsigned_rem(400).is(0));
        p.require(month.is(2) & day.is(29) & leap & year.gt(1900) & year.lt(2100));
        p.require((year * 372 + month.zero_extend(32) * 31 + day.zero_extend(32)).gt(750_000));
    }),
];

/// A character as a number.
fn letter(byte: u8) -> i64 {
    i64::from(byte)
}

/// Two different inputs of three fields with the same hash.
fn collide<'a>(p: &'a Builder, known: [[i64; 3]; 2], step: fn(Int<'a>, Int<'a>) -> Int<'a>) {
    let [one, other] = [0, 1].map(|input| {
        [0, 1, 2].map(|i| p.int(&format!("{}{i}", ["a", "b"][input]), 16, known[input][i]).zero_extend(32))
    });
    let hash = |fields: [Int<'a>; 3]| step(step(fields[0], fields[1]), fields[2]);
    p.require(hash(one).is(hash(other)));
    p.require(!one[0].is(other[0]) & one[1].gt(30) & one[2].gt(0));
}

/// Repeated squaring over four bits of the exponent.
fn power<'a>(base: Int<'a>, exponent: Int<'a>) -> Int<'a> {
    let one = base.constant(1);
    let mut square = base;
    let mut result = one;
    for bit in 0..4 {
        let factor = ((exponent >> bit) & 1).is(1).choose(square, one);
        result = result * factor;
        square = square * square;
    }
    result
}

/// The collision avoidance of two aircraft: mostly comparisons with constants.
fn tcas(p: &Builder, wanted: i64) {
    let own = p.int("own", 32, 1000);
    let other = p.int("other", 32, if wanted == 1 { 1300 } else { 700 });
    let rate = p.int("rate", 32, 500);
    let (up, down) = (
        p.int("up", 32, if wanted == 1 { 740 } else { 300 }),
        p.int("down", 32, if wanted == 1 { 300 } else { 800 }),
    );
    let (confidence, kind) = (p.int("confidence", 32, 1), p.int("kind", 32, 1));
    let enabled = confidence.is(1)
        & rate.le(600)
        & rate.gt(100)
        & (other - own).shift_arithmetic(31).is(if wanted == 1 { 0 } else { -1 });
    let climb = up + kind.is(0).choose(up.constant(100), 0);
    let crosses_upward = climb.gt(down) & (own.lt(other) & down.le(640));
    let crosses_downward = !climb.gt(down) & (other.lt(own) & up.le(640));
    let zero = own.constant(0);
    let advice =
        (enabled & crosses_upward).choose(zero + 1, (enabled & crosses_downward).choose(zero + 2, 0));
    p.require(advice.is(wanted));
    p.require(kind.is(1));
}
