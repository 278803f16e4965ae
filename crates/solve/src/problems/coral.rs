//! Conditions on trigonometric functions, exponentials and polynomials, many at once.

use super::Recipe;

pub(super) const PROBLEMS: &[Recipe] = &[
    ("coral/sin_plus_cos", |p| {
        let (x, y) = (p.f64("x", 1.25), p.f64("y", 0.5));
        p.require((x.sin() + y.cos()).is_as_known());
        p.require(x.gt(1.0));
    }),
    ("coral/sin_is_minus_cos", |p| {
        let (x, y) = (p.f64("x", 2.0), p.f64("y", 2.0 + std::f64::consts::FRAC_PI_2));
        p.require((x.sin() + y.cos()).near(0.0, 1e-12));
        p.require(x.gt(1.0) & x.lt(3.0) & y.gt(3.0));
    }),
    ("coral/exact_exp", |p| {
        let x = p.f64("x", 4.0);
        p.require(x.exp().is_as_known());
    }),
    ("coral/sin_of_product", |p| {
        let (x, y) = (p.f64("x", 3.0), p.f64("y", 0.75));
        p.require((x * y).sin().gt(0.77) & (x * y).lt(4.0));
        p.require((x - y).cos().lt(-0.6));
        p.require(x.gt(2.5));
    }),
    ("coral/tangent_window", |p| {
        let (x, y, z) = (p.f64("x", 1.0), p.f64("y", 1.5), p.f64("z", 2.0));
        p.require((x * y.tan() + z).gt(15.0));
        p.require((x * z.atan()).lt(1.2));
        p.require((y.sin() + y.cos() + y.tan()).ge(x - z));
        p.require((x.atan() + y.atan()).gt(z.atan()));
    }),
    ("coral/cubic_and_sine", |p| {
        let (x, y) = (p.f64("x", 2.0), p.f64("y", -1.0));
        p.require((x * x * x + y * y * y).is(7.0));
        p.require((x * y).sin().lt(-0.9));
    }),
    ("coral/circle_and_line", |p| {
        let (x, y) = (p.f64("x", 3.0), p.f64("y", 4.0));
        p.require((x * x + y * y).is(25.0));
        p.require((2.0 * x).is(y + 2.0));
    }),
    ("coral/circle_and_hyperbola", |p| {
        let (x, y) = (p.f64("x", 12.0), p.f64("y", 5.0));
        p.require((x * x + y * y).is(169.0));
        p.require((x * y).is(60.0));
        p.require(x.gt(y));
    }),
    ("coral/three_spheres", |p| {
        let (x, y, z) = (p.f64("x", 1.0), p.f64("y", 2.0), p.f64("z", 3.0));
        p.require((x * x + y * y + z * z).is(14.0));
        p.require(((x - 1.0).squared() + y * y + z * z).is(13.0));
        p.require((x * y * z).is(6.0));
    }),
    ("coral/exp_balances_log", |p| {
        let (x, y) = (p.f64("x", 0.5), p.f64("y", 5.2));
        p.require((x.exp() - y.log()).near(0.0, 1e-3));
        p.require(x.gt(0.25) & y.gt(2.0));
    }),
    ("coral/log_of_sum", |p| {
        let (x, y, z) = (p.f64("x", 7.0), p.f64("y", 8.0), p.f64("z", 9.0));
        p.require((x + y + z).log().is_as_known());
        p.require((x * y * z).log10().gt(2.7));
        p.require(x.lt(y) & y.lt(z));
    }),
    ("coral/inverse_functions", |p| {
        let (x, y) = (p.f64("x", 0.3), p.f64("y", 0.9));
        p.require((x.asin() + y.acos()).lt(0.8));
        p.require((x.acos() - y.asin()).gt(0.1));
        p.require((x + y).gt(1.15) & (x * y).gt(0.25));
    }),
    ("coral/atan2_quadrant", |p| {
        let (x, y) = (p.f64("x", -2.0), p.f64("y", -2.5));
        p.require(y.atan2(x).lt(-2.2));
        p.require(y.atan2(x).gt(-2.3));
        p.require((x * x + y * y).gt(10.0) & (x * x + y * y).lt(11.0));
    }),
    ("coral/power_tower", |p| {
        let (x, y) = (p.f64("x", 2.0), p.f64("y", 3.0));
        p.require(x.pow(y).is(8.0));
        p.require(y.pow(x).is(9.0));
    }),
    ("coral/pow_window", |p| {
        let (x, y) = (p.f64("x", 1.5), p.f64("y", 2.5));
        p.require(x.pow(y).gt(2.75) & x.pow(y).lt(2.76));
        p.require((x + y).near(4.0, 1e-4));
    }),
    ("coral/sum_of_sines", |p| {
        let values = [0.5, 1.0, 1.5, 2.0, 2.5];
        let xs: Vec<_> = values.iter().enumerate().map(|(i, &v)| p.f64(&format!("x{i}"), v)).collect();
        let sum = xs.iter().map(|x| x.sin()).reduce(|a, b| a + b).expect("five");
        p.require(sum.gt(3.8));
        for pair in xs.windows(2) {
            p.require((pair[0] + 0.25).lt(pair[1]));
        }
    }),
    ("coral/exact_product_of_cosines", |p| {
        let (x, y, z) = (p.f64("x", 0.1), p.f64("y", 0.2), p.f64("z", 0.3));
        p.require((x.cos() * y.cos() * z.cos()).is_as_known());
        p.require(x.gt(0.05) & y.gt(x) & z.gt(y));
    }),
    ("coral/steep_exponential", |p| {
        let (x, y) = (p.f64("x", 20.0), p.f64("y", 1.0e8));
        p.require((x.exp() / y).gt(4.8) & (x.exp() / y).lt(4.9));
        p.require(x.gt(19.0));
    }),
    ("coral/square_roots", |p| {
        let (x, y) = (p.f64("x", 16.0), p.f64("y", 81.0));
        p.require((x.sqrt() + y.sqrt()).is(13.0));
        p.require((x * y).sqrt().is(36.0));
        p.require(x.lt(y));
    }),
    ("coral/nested_trigonometry", |p| {
        let (x, y) = (p.f64("x", 0.8), p.f64("y", -0.4));
        p.require((x.sin() + y.cos()).sin().gt(0.99));
        p.require((x.cos() - y.sin()).cos().gt(0.4));
        p.require((x * y).tan().lt(-0.3));
    }),
    ("coral/quintic_root", |p| {
        let x = p.f64("x", -1.5);
        p.require((x * x * x * x * x - 3.0 * x * x + 2.0 * x).is_as_known());
    }),
    ("coral/far_away", |p| {
        let x = p.f64("x", 123_456.5);
        p.require((x * 0.001).sin().lt(-0.5));
        p.require((x * x).gt(1.5241e10) & (x * x).lt(1.5242e10));
        p.require(x.gt(0.0));
    }),
    ("coral/tiny", |p| {
        let (x, y) = (p.f64("x", 3e-9), p.f64("y", 2e-9));
        p.require((x * y).gt(5e-18) & (x * y).lt(7e-18));
        p.require((x - y).gt(0.9e-9) & (x - y).lt(1.1e-9));
    }),
    ("coral/disjunction_of_regions", |p| {
        let (x, y) = (p.f64("x", 10.0), p.f64("y", -10.0));
        let near_corner = (x - 10.0).squared() + (y + 10.0).squared();
        let impossible = (x * x + y * y).lt(-1.0);
        p.require(near_corner.lt(0.01) | impossible);
        p.require((x * y).lt(-99.0) | (x.is(y) & x.gt(100.0)));
    }),
    ("coral/pendulum_period", |p| {
        let (length, angle) = (p.f64("length", 2.5), p.f64("angle", 0.6));
        let period = 2.0 * std::f64::consts::PI * (length / 9.81).sqrt() * (1.0 + angle * angle / 16.0);
        p.require(period.gt(3.23) & period.lt(3.26));
        p.require(angle.sin().gt(0.55) & angle.lt(1.5) & length.gt(0.0));
    }),
    ("coral/compound_interest", |p| {
        let (rate, years) = (p.f64("rate", 0.05), p.f64("years", 12.0));
        let value = 1000.0 * (1.0 + rate).pow(years);
        p.require(value.gt(1790.0) & value.lt(1800.0));
        p.require(rate.gt(0.0) & rate.lt(0.08) & years.is(years.floor()) & years.gt(3.0));
    }),
    ("coral/quadratic_formula", |p| {
        let (a, b, c) = (p.f64("a", 2.0), p.f64("b", -10.0), p.f64("c", 12.0));
        let discriminant = b * b - 4.0 * a * c;
        p.require(discriminant.gt(0.0) & a.gt(1.0));
        p.require(((-b + discriminant.sqrt()) / (2.0 * a)).is(3.0));
        p.require(((-b - discriminant.sqrt()) / (2.0 * a)).is(2.0));
    }),
    ("coral/heron", |p| {
        let (a, b, c) = (p.f64("a", 3.0), p.f64("b", 4.0), p.f64("c", 5.0));
        let s = (a + b + c) / 2.0;
        p.require((s * (s - a) * (s - b) * (s - c)).sqrt().is(6.0));
        p.require((a + b).gt(c) & (b + c).gt(a) & (a + c).gt(b) & a.gt(0.0) & a.lt(b) & b.lt(c));
    }),
    ("coral/f32_cubic", |p| {
        let (x, y) = (p.f32("x", 1.5), p.f32_bytes("y", -2.25));
        p.require((x * x * x + y).is_as_known());
        p.require((x * y).lt(-3.0) & x.gt(1.0));
    }),
];
