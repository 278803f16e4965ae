//! What numeric programs compute: rays and spheres, means and deviations, flight paths, functions written in bits.

use super::Recipe;
use super::builder::{Builder, Real};

pub(super) const PROBLEMS: &[Recipe] = &[
    ("ray/hits_sphere", |p| {
        let direction = vector(p, "d", [0.6, 0.0, 0.8]);
        p.require(dot(direction, direction).near(1.0, 1e-9));
        let center = [6.0, 0.5, 8.0];
        let along = direction[0] * center[0] + direction[1] * center[1] + direction[2] * center[2];
        p.require((along.squared() - (100.25 - 1.0)).gt(0.0) & along.gt(0.0));
    }),
    ("ray/orthogonal", |p| {
        let (a, b) = (vector(p, "a", [1.0, 2.0, 3.0]), vector(p, "b", [3.0, 0.0, -1.0]));
        p.require(dot(a, b).is(0.0));
        p.require(dot(a, a).is(14.0) & dot(b, b).is(10.0));
    }),
    ("ray/unit_vector", |p| {
        let a = vector(p, "a", [0.6, 0.8, 0.0]);
        p.require(dot(a, a).sqrt().is_as_known());
        p.require(a[0].gt(0.5) & a[1].gt(0.5));
    }),
    ("ray/reflection", |p| {
        let incoming = vector(p, "i", [1.0, -1.0, 0.0]);
        let normal = [0.0, 1.0, 0.0];
        let cosine = incoming[0] * normal[0] + incoming[1] * normal[1] + incoming[2] * normal[2];
        let reflected: Vec<_> = (0..3).map(|i| incoming[i] - 2.0 * cosine * normal[i]).collect();
        p.require(reflected[0].is(1.0) & reflected[1].gt(0.5) & reflected[1].lt(1.5));
        p.require(dot(incoming, incoming).is(2.0));
    }),
    ("ray/first_of_two_hits", |p| {
        let (origin, direction) = (vector(p, "o", [0.0, 0.0, -5.0]), vector(p, "d", [0.0, 0.0, 1.0]));
        let (a, b) = (dot(direction, direction), 2.0 * dot(origin, direction));
        let discriminant = b * b - 4.0 * a * (dot(origin, origin) - 1.0);
        p.require(discriminant.gt(0.0) & a.gt(0.5));
        let near = (-b - discriminant.sqrt()) / (2.0 * a);
        p.require(near.gt(3.9) & near.lt(4.1));
    }),
    ("ray/shaded_pixel_f32", |p| {
        let normal = [p.f32("nx", 0.0), p.f32("ny", 0.6), p.f32("nz", 0.8)];
        let diffuse = normal[0] * 0.5 + normal[1] * 0.5 + normal[2] * 0.7;
        let color = (diffuse * 255.0).to_int32();
        p.require(color.is_as_known());
        p.require(dot(normal, normal).near(1.0, 1e-3) & normal[2].gt(0.7));
    }),
    ("ray/cross_product", |p| {
        let (a, b) = (vector(p, "a", [1.0, 2.0, 2.0]), vector(p, "b", [2.0, -1.0, 3.0]));
        p.require((a[1] * b[2] - a[2] * b[1]).is(8.0));
        p.require((a[2] * b[0] - a[0] * b[2]).is(1.0));
        p.require((a[0] * b[1] - a[1] * b[0]).is(-5.0));
    }),
    ("ray/three_distances", |p| {
        let (x, y) = (p.f64_bytes("x", 3.0), p.f64_bytes("y", 4.0));
        p.require((x * x + y * y).sqrt().is(5.0));
        p.require(((x - 6.0).squared() + y * y).sqrt().is(5.0) & y.gt(0.0));
        p.require((x * x + (y - 8.0).squared()).sqrt().near(5.0, 1e-6));
    }),
    ("sine/exponent_field", |p| {
        let x = p.f64("x", 1.0e10);
        p.require(((x.bits() >> 52) & 0x7ff).is_as_known());
        p.require(x.gt(0.0) & (x.bits() & 0xfff).is(0x123).choose_real(x, x).gt(1.0));
    }),
    ("sine/mantissa_pattern", |p| {
        let x = p.f64("x", f64::from_bits(0x4009_21fb_5444_2d18));
        p.require((x.bits() & 0xffff_ffff).is(0x5444_2d18));
        p.require(x.gt(3.0) & x.lt(4.0));
    }),
    ("sine/high_word_range", |p| {
        let x = p.f64_bytes("x", 0.9);
        let high = (x.bits() >> 32) & 0x7fff_ffff;
        p.require(high.lt(0x3fe9_21fb + 0x10_0000) & high.gt(0x3fe9_21fb));
        p.require(x.sin().gt(0.75));
    }),
    ("sine/reduced_argument", |p| {
        let x = p.f64("x", 20.5);
        let turns = (x * std::f64::consts::FRAC_1_PI * 2.0 + 0.5).to_int32();
        let rest = x - turns.to_f64() * std::f64::consts::FRAC_PI_2;
        p.require((turns & 3).is(1) & rest.gt(0.05) & rest.lt(0.1) & turns.gt(8));
    }),
    ("sine/taylor_is_small", |p| {
        let x = p.f64("x", 3.0);
        let z = x * x;
        let sine = x + x * z * (-1.0 / 6.0 + z * (1.0 / 120.0 - z * (1.0 / 5040.0)));
        p.require(sine.lt(0.1) & sine.gt(0.09) & x.gt(1.0));
    }),
    ("sine/float_bits_f32", |p| {
        let x = p.f32_bytes("x", f32::from_bits(0x4048_f5c3));
        p.require(((x.bits() >> 23) & 0xff).is(128));
        p.require((x.bits() & 0xff).is(0xc3) & x.gt(3.0) & x.lt(3.2));
    }),
    ("sine/round_trip", |p| {
        let x = p.f64("x", 16_777_217.0);
        p.require(!x.demote().promote().is(x));
        p.require(x.to_int64().to_f64().is(x) & x.gt(1.0e7) & x.lt(2.0e7));
    }),
    ("sine/inverse_square_root", |p| {
        let x = p.f32("x", 4.0);
        let estimate = (0x5f37_59dfi64 - (x.bits() >> 1)).as_float();
        let refined = estimate * (1.5 - 0.5 * x * estimate * estimate);
        p.require(refined.gt(0.4985) & refined.lt(0.4995) & x.gt(0.0));
    }),
    ("sine/sinf_of_bits", |p| {
        let n = p.int("n", 32, 0x4000_0000);
        p.require(n.as_float().sinf().gt(0.9) & n.as_float().sinf().lt(0.91));
        p.require((n & 0xff).is(0) & n.gt(0x3f80_0000) & n.lt(0x4010_0000));
    }),
    ("sine/negative_zero", |p| {
        let (x, y) = (p.f64("x", -0.0), p.f64("y", -1.0));
        p.require(x.is(0.0) & (1.0 / x).is(f64::NEG_INFINITY));
        p.require((y * y).is(1.0) & y.lt(x));
    }),
    ("stat/mean_of_five", |p| {
        let values = list(p, [1.0, 2.0, 4.0, 8.0, 10.0]);
        p.require(mean(&values).is(5.0));
        p.require(values[0].gt(0.5) & values[4].gt(9.0) & values[3].gt(values[2]));
    }),
    ("stat/deviation_exact", |p| {
        let values = list(p, [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        p.require(variance(&values).sqrt().is(2.0));
        p.require(mean(&values).is(5.0));
    }),
    ("stat/deviation_window", |p| {
        let values = list(p, [10.0, 20.0, 30.0, 40.0]);
        p.require(variance(&values).sqrt().gt(11.0) & variance(&values).sqrt().lt(11.5));
        p.require(mean(&values).gt(24.9) & mean(&values).lt(25.1));
        values.windows(2).for_each(|pair| p.require(pair[0].lt(pair[1])));
    }),
    ("stat/mean_of_integers", |p| {
        let values: Vec<_> =
            [3, 14, 15, 92].iter().enumerate().map(|(i, &v)| p.int_bytes(&format!("v{i}"), 32, v)).collect();
        let sum = values.iter().map(|v| v.to_f64()).reduce(|a, b| a + b).expect("four");
        p.require((sum / 4.0).is(31.0));
        let squares = values.iter().map(|v| v.to_f64().squared()).reduce(|a, b| a + b).expect("four");
        p.require(squares.gt(8000.0) & squares.lt(9000.0));
    }),
    ("stat/correlation", |p| {
        let (xs, ys) = (list(p, [1.0, 2.0, 3.0]), [p.f64("y0", 2.0), p.f64("y1", 4.5), p.f64("y2", 6.0)]);
        let (mx, my) = (mean(&xs), mean(&ys));
        let both = (0..3).map(|i| (xs[i] - mx) * (ys[i] - my)).reduce(|a, b| a + b).expect("three") / 3.0;
        let correlation = both / (variance(&xs) * variance(&ys)).sqrt();
        p.require(correlation.gt(0.98) & correlation.lt(0.995));
    }),
    ("stat/geometric_mean", |p| {
        let values = list(p, [1.0, 3.0, 9.0]);
        p.require((values[0] * values[1] * values[2]).pow(1.0 / 3.0).near(3.0, 1e-9));
        p.require(mean(&values).gt(4.0) & values[0].gt(0.0) & values[1].gt(0.0));
    }),
    ("stat/median_of_three", |p| {
        let [a, b, c] = [p.f64("a", 9.0), p.f64("b", 2.5), p.f64("c", -3.0)];
        let (low, high) = (a.lt(b).choose_real(a, b), a.lt(b).choose_real(b, a));
        let median = c.lt(low).choose_real(low, c.lt(high).choose_real(c, high));
        p.require(median.is(2.5) & (a + b + c).is(8.5) & a.gt(5.0));
    }),
    ("tsafe/turn_radius", |p| {
        let (speed, bank) = (p.f64("speed", 120.0), p.f64("bank", 0.4));
        let radius = speed * speed / (9.81 * bank.tan());
        p.require(radius.gt(3400.0) & radius.lt(3500.0));
        p.require(bank.gt(0.1) & bank.lt(0.6) & speed.gt(80.0) & speed.lt(250.0));
    }),
    ("tsafe/conflict", |p| conflict(p, 5.0)),
    ("tsafe/conflict_close", |p| conflict(p, 0.05)),
    ("tsafe/heading_to_point", |p| {
        let (x, y) = (p.f64("x", 30.0), p.f64("y", 40.0));
        let heading = y.atan2(x) * 180.0 / std::f64::consts::PI;
        p.require(heading.gt(53.0) & heading.lt(53.2));
        p.require((x * x + y * y).sqrt().near(50.0, 1e-3));
    }),
    ("tsafe/great_circle", |p| {
        let (latitude, longitude) = (p.f64("latitude", 0.7), p.f64("longitude", 0.3));
        let cosine = latitude.sin() * 0.64 + latitude.cos() * 0.76 * (longitude - 0.1).cos();
        let distance = cosine.acos() * 6371.0;
        p.require(distance.gt(500.0) & distance.lt(1300.0));
        p.require(latitude.gt(0.69) & latitude.lt(0.9) & longitude.gt(0.29));
    }),
    ("tsafe/time_to_turn", |p| {
        let (rate, time) = (p.f64("rate", 0.05), p.f64_bytes("time", 31.0));
        let angle = rate * time;
        p.require(angle.sin().gt(0.9997) & angle.cos().gt(0.0));
        p.require(time.gt(30.0) & time.lt(60.0) & time.is(time.floor()));
    }),
    ("tsafe/track_in_fixed_point", |p| {
        let (east, north) = (p.int_bytes("east", 32, 3 << 16), p.int_bytes("north", 32, 4 << 16));
        let (e, n) = (east.to_f64() / 65536.0, north.to_f64() / 65536.0);
        p.require((e * e + n * n).sqrt().is(5.0));
        p.require(n.atan2(e).gt(0.9) & n.atan2(e).lt(0.95));
    }),
];

type Vector<'a> = [Real<'a>; 3];

fn vector<'a>(p: &'a Builder, name: &str, solution: [f64; 3]) -> Vector<'a> {
    [0, 1, 2].map(|i| p.f64(&format!("{name}{i}"), solution[i]))
}

fn dot<'a>(a: Vector<'a>, b: Vector<'a>) -> Real<'a> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn list<const N: usize>(p: &Builder, solution: [f64; N]) -> [Real<'_>; N] {
    std::array::from_fn(|i| p.f64(&format!("x{i}"), solution[i]))
}

fn mean<'a>(values: &[Real<'a>]) -> Real<'a> {
    let sum = values.iter().copied().reduce(|a, b| a + b).expect("there are values");
    sum / values.len() as f64
}

fn variance<'a>(values: &[Real<'a>]) -> Real<'a> {
    let mean = mean(values);
    let squares = values.iter().map(|&value| (value - mean).squared());
    squares.reduce(|a, b| a + b).expect("there are values") / values.len() as f64
}

/// Two aircraft that fly straight come closer than a distance.
fn conflict(p: &Builder, distance: f64) {
    let (speed, heading) = (p.f64("speed", 8.0), p.f64("heading", 0.644));
    let time = p.f64("time", 6.25);
    let (x, y) = (speed * heading.cos() * time, speed * heading.sin() * time);
    let (dx, dy) = (x - 40.0, y - (6.25 + 3.8 * time));
    p.require((dx * dx + dy * dy).lt(distance * distance));
    p.require(speed.gt(5.0) & speed.lt(9.0) & time.gt(2.0) & time.lt(10.0) & heading.gt(0.5));
}
