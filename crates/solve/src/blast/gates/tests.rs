//! What gates mean, and that each is made once.

use super::*;

/// The value of a bit when the inputs have these values.
fn value(gates: &Gates, inputs: &[(Bit, bool)], bit: Bit) -> bool {
    let of = |bit| value(gates, inputs, bit);
    let positive = match gates.gate(bit.gate()) {
        Gate::Constant => false,
        Gate::Input => inputs.iter().find(|input| input.0.gate() == bit.gate()).is_some_and(|input| input.1),
        Gate::And(a, b) => of(a) & of(b),
        Gate::Xor(a, b) => of(a) ^ of(b),
        Gate::Xor3(a, b, c) => of(a) ^ of(b) ^ of(c),
        Gate::Ite(a, b, c) => {
            if of(a) {
                of(b)
            } else {
                of(c)
            }
        }
        Gate::Majority(a, b, c) => u8::from(of(a)) + u8::from(of(b)) + u8::from(of(c)) >= 2,
    };
    positive != bit.is_negated()
}

#[test]
fn every_gate_of_every_three_bits_keeps_its_meaning() {
    let mut gates = Gates::default();
    let (x, y, z) = (gates.input(), gates.input(), gates.input());
    let mut bits = vec![Bit::FALSE, Bit::TRUE, x, !x, y, !y, z, !z];
    for (a, b) in [(x, y), (x, !y), (!y, z), (x, z)] {
        let (and, xor) = (gates.and(a, b), gates.xor(a, b));
        bits.extend([and, !and, xor]);
    }
    for (a, b, c) in bits.iter().flat_map(|&a| {
        let bits = &bits;
        bits.iter().flat_map(move |&b| bits.iter().map(move |&c| (a, b, c)))
    }) {
        let made = [
            gates.and(a, b),
            gates.xor(a, b),
            gates.xor3(a, b, c),
            gates.ite(a, b, c),
            gates.majority(a, b, c),
        ];
        for packed in 0..8 {
            let inputs = [(x, packed & 1 == 1), (y, packed & 2 == 2), (z, packed & 4 == 4)];
            let [p, q, r] = [a, b, c].map(|bit| value(&gates, &inputs, bit));
            let expected = [p & q, p ^ q, p ^ q ^ r, if p { q } else { r }, p & q | p & r | q & r];
            assert_eq!(made.map(|bit| value(&gates, &inputs, bit)), expected, "{a:?} {b:?} {c:?} {packed}");
        }
    }
}

#[test]
fn room_is_made_in_time_or_not_at_all() {
    let mut gates = Gates::default();
    let inputs: Vec<Bit> = (0..60).map(|_| gates.input()).collect();
    let pairs = inputs.iter().flat_map(|&a| inputs.iter().map(move |&b| (a, b)));
    let pairs: Vec<(Bit, Bit)> = pairs.filter(|(a, b)| a < b).collect();
    let made: Vec<Bit> = pairs.iter().map(|&(a, b)| gates.and(a, b)).collect();
    let late = Budget::unlimited().within(std::time::Duration::ZERO);
    let more = 2 * gates.index.len();
    for (budget, result) in [(late, Err(Spent)), (Budget::unlimited(), Ok(()))] {
        assert_eq!(gates.make_room(more, &budget), result);
        let again: Vec<Bit> = pairs.iter().map(|&(a, b)| gates.and(a, b)).collect();
        assert_eq!(again, made);
    }
}

#[test]
fn a_gate_is_made_once() {
    let mut gates = Gates::default();
    let (x, y, z) = (gates.input(), gates.input(), gates.input());
    let first = [gates.and(x, !y), gates.xor(x, y), gates.ite(x, y, z), gates.majority(x, !y, z)];
    let made = gates.len();
    let again = [gates.and(!y, x), !gates.xor(!y, x), gates.ite(!x, z, y), !gates.majority(!z, y, !x)];
    assert_eq!(first, again);
    assert_eq!(gates.len(), made);
}
