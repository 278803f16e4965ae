//! Classic functions of numerical optimisation, wanted at a minimum or a root: Moré, Garbow and Hillstrom, "Testing
//! Unconstrained Optimization Software", 1981, with their starting points as hints, and a few of global optimisation.

use super::Recipe;
use super::builder::Builder;

pub(super) const PROBLEMS: &[Recipe] = &[
    ("opti/rosenbrock", rosenbrock),
    ("opti/beale", beale),
    ("opti/wood", wood),
    ("opti/powell", powell),
    ("opti/freudenstein_roth", freudenstein_roth),
    ("opti/helical_valley", helical_valley),
    ("opti/powell_badly_scaled", powell_badly_scaled),
    ("opti/brown_badly_scaled", brown_badly_scaled),
    ("opti/himmelblau", himmelblau),
    ("opti/booth", booth),
    ("opti/goldstein_price", goldstein_price),
    ("opti/box", box_three),
    ("opti/jennrich_sampson", jennrich_sampson),
    ("opti/three_hump_camel", three_hump_camel),
    ("opti/rosenbrock_near", rosenbrock_near),
    ("opti/matyas_f32", matyas_f32),
];

fn rosenbrock(p: &Builder) {
    let (x, y) = (p.f64_from("x", 1.0, -1.2), p.f64_from("y", 1.0, 1.0));
    p.require((100.0 * (y - x * x).squared() + (1.0 - x).squared()).is(0.0));
}

fn beale(p: &Builder) {
    let (x, y) = (p.f64_from("x", 3.0, 1.0), p.f64_from("y", 0.5, 1.0));
    let (first, second) = (1.5 - x * (1.0 - y), 2.25 - x * (1.0 - y * y));
    let third = 2.625 - x * (1.0 - y * y * y);
    p.require((first.squared() + second.squared() + third.squared()).is(0.0));
}

fn wood(p: &Builder) {
    let (a, b) = (p.f64_from("a", 1.0, -3.0), p.f64_from("b", 1.0, -1.0));
    let (c, d) = (p.f64_from("c", 1.0, -3.0), p.f64_from("d", 1.0, -1.0));
    let valleys = 100.0 * (b - a * a).squared() + 90.0 * (d - c * c).squared();
    let ends = (1.0 - a).squared() + (1.0 - c).squared();
    let mixed = 10.1 * ((b - 1.0).squared() + (d - 1.0).squared()) + 19.8 * (b - 1.0) * (d - 1.0);
    p.require((valleys + ends + mixed).is(0.0));
}

fn powell(p: &Builder) {
    let (a, b) = (p.f64_from("a", 0.0, 3.0), p.f64_from("b", 0.0, -1.0));
    let (c, d) = (p.f64_from("c", 0.0, 0.0), p.f64_from("d", 0.0, 1.0));
    let quadratic = (a + 10.0 * b).squared() + 5.0 * (c - d).squared();
    let quartic = (b - 2.0 * c).squared().squared() + 10.0 * (a - d).squared().squared();
    p.require((quadratic + quartic).is(0.0));
}

fn freudenstein_roth(p: &Builder) {
    let (x, y) = (p.f64_from("x", 5.0, 0.5), p.f64_from("y", 4.0, -2.0));
    let first = x - 13.0 + ((5.0 - y) * y - 2.0) * y;
    let second = x - 29.0 + ((y + 1.0) * y - 14.0) * y;
    p.require((first.squared() + second.squared()).is(0.0));
}

fn helical_valley(p: &Builder) {
    let x = p.f64_from("x", 1.0, -1.0);
    let (y, z) = (p.f64("y", 0.0), p.f64("z", 0.0));
    let turn = y.atan2(x) / (2.0 * std::f64::consts::PI);
    let radius = (x * x + y * y).sqrt();
    let first = 10.0 * (z - 10.0 * turn);
    let second = 10.0 * (radius - 1.0);
    p.require((first.squared() + second.squared() + z.squared()).is(0.0));
}

fn powell_badly_scaled(p: &Builder) {
    let (x, y) = (p.f64("x", 1.0981593296998997e-05), p.f64_from("y", 9.106146739865842, 1.0));
    p.require((10000.0 * x * y).near(1.0, 1e-9));
    p.require(((-x).exp() + (-y).exp()).near(1.0001, 1e-9));
}

fn brown_badly_scaled(p: &Builder) {
    let (x, y) = (p.f64_from("x", 1e6, 1.0), p.f64_from("y", 2e-6, 1.0));
    p.require(((x - 1e6).squared() + (y - 2e-6).squared() + (x * y - 2.0).squared()).is(0.0));
}

fn himmelblau(p: &Builder) {
    let (x, y) = (p.f64("x", 3.0), p.f64("y", 2.0));
    p.require(((x * x + y - 11.0).squared() + (x + y * y - 7.0).squared()).is(0.0));
}

fn booth(p: &Builder) {
    let (x, y) = (p.f64("x", 1.0), p.f64("y", 3.0));
    p.require(((x + 2.0 * y - 7.0).squared() + (2.0 * x + y - 5.0).squared()).le(0.0));
}

fn goldstein_price(p: &Builder) {
    let (x, y) = (p.f64_from("x", 0.0, 1.0), p.f64_from("y", -1.0, 1.0));
    let near =
        (x + y + 1.0).squared() * (19.0 - 14.0 * x + 3.0 * x * x - 14.0 * y + 6.0 * x * y + 3.0 * y * y);
    let far = (2.0 * x - 3.0 * y).squared()
        * (18.0 - 32.0 * x + 12.0 * x * x + 48.0 * y - 36.0 * x * y + 27.0 * y * y);
    p.require(((1.0 + near) * (30.0 + far)).le(3.0));
}

fn box_three(p: &Builder) {
    let (x, y, z) = (p.f64("x", 1.0), p.f64_from("y", 10.0, 10.0), p.f64_from("z", 1.0, 20.0));
    for i in 1..=5 {
        let t = 0.1 * f64::from(i);
        let residual = (-(t * x)).exp() - (-(t * y)).exp() - z * ((-t).exp() - (-10.0 * t).exp());
        p.require(residual.near(0.0, 1e-6));
    }
    p.require(z.gt(0.1));
}

fn jennrich_sampson(p: &Builder) {
    let (x, y) = (p.f64_from("x", 0.2578, 0.3), p.f64_from("y", 0.2578, 0.4));
    let squares = (1..=10).map(|i| {
        let i = f64::from(i);
        (2.0 + 2.0 * i - ((i * x).exp() + (i * y).exp())).squared()
    });
    let total = squares.reduce(|sum, square| sum + square).expect("ten");
    p.require(total.lt(124.37));
}

fn three_hump_camel(p: &Builder) {
    let (x, y) = (p.f64_from("x", 0.0, 2.0), p.f64_from("y", 0.0, -2.0));
    let square = x * x;
    let value = 2.0 * square - 1.05 * square * square + square * square * square / 6.0 + x * y + y * y;
    p.require(value.lt(1e-10));
    p.require((x - 1e-7).lt(y));
}

fn rosenbrock_near(p: &Builder) {
    let (x, y) = (p.f64_bytes("x", 1.0), p.f64_bytes("y", 1.0));
    p.require((100.0 * (y - x * x).squared() + (1.0 - x).squared()).lt(1e-20));
}

fn matyas_f32(p: &Builder) {
    let (x, y) = (p.f32("x", 1.5), p.f32("y", 1.5));
    let (u, v) = (x - 1.5, y - 1.5);
    p.require((0.26 * (u * u + v * v) - 0.48 * u * v).le(0.0));
}
