//! Bounds, switches and accesses through symbolic addresses, each against brute force. (Operators are compared with
//! wasmtime by `coax-judge`.)

use coax_execute::semantics::memory::{effective, in_bounds, range_in_bounds};
use coax_execute::semantics::window::{self, Bytes};
use coax_execute::semantics::{switch, truth};
use coax_term::{Algebra, Binary, Bits, Concrete, Model, Term, Terms};

fn bits(width: u8, bits: u64) -> Bits {
    Concrete.constant(width, bits)
}

/// Numbers near the ends of everything.
fn corners(width: u8) -> Vec<u64> {
    let most = u64::MAX >> (64 - width);
    let near = [0, 0xffff, 0x1_0000, 0xffff_ffff, 1 << 32, most / 2, most];
    let mut corners: Vec<u64> = near
        .iter()
        .flat_map(|&at: &u64| [at.wrapping_sub(8), at.wrapping_sub(1), at, at.wrapping_add(1)])
        .map(|at| at & most)
        .collect();
    corners.sort_unstable();
    corners.dedup();
    corners
}

#[test]
fn accesses_are_in_bounds_as_exact_arithmetic_says() {
    let sizes = [0, 1, 8, 0x1_0000, 0x2_0000, 1 << 32, 1 << 40];
    for width in [32, 64] {
        for &address in &corners(width) {
            for &offset in &corners(width) {
                for bytes in [1, 2, 4, 8, 16] {
                    for size in sizes {
                        let end = u128::from(address) + u128::from(offset) + u128::from(bytes);
                        let fits = end <= u128::from(size);
                        let condition = in_bounds(&mut Concrete, bits(width, address), offset, bytes, size);
                        assert_eq!(condition, bits(1, u64::from(fits)), "{address} {offset} {bytes} {size}");
                        if fits {
                            let first = effective(&mut Concrete, bits(width, address), offset);
                            assert_eq!(first, bits(64, address + offset));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn ranges_are_in_bounds_as_exact_arithmetic_says() {
    for (width, other) in [(32, 32), (64, 64), (64, 32), (32, 64)] {
        for &start in &corners(width) {
            for &length in &corners(other) {
                for size in [0, 1, 10, 0x1_0000, 0xffff_ffff, 1 << 40, u64::MAX] {
                    let fits = u128::from(start) + u128::from(length) <= u128::from(size);
                    let condition =
                        range_in_bounds(&mut Concrete, bits(width, start), bits(other, length), size);
                    assert_eq!(condition, bits(1, u64::from(fits)), "{start} {length} {size}");
                }
            }
        }
    }
}

#[test]
fn a_condition_is_true_if_it_is_not_zero() {
    for value in corners(32) {
        assert_eq!(truth(&mut Concrete, bits(32, value)), bits(1, u64::from(value != 0)));
    }
}

/// Checks all directions of a switch on all indices that matter.
fn check_switch(cases: &[u32], default: u32, directions: u32) {
    let mut terms = Terms::new();
    let index = terms.symbol("index", 32);
    let symbol = terms.find_symbol("index").expect("just made");
    let end = cases.len() as u64;
    let indices: Vec<u64> = (0..end + 2).chain([0x7fff_ffff, 0x8000_0000, 0xffff_ffff]).collect();
    for direction in 0..directions {
        let condition = switch(&mut terms, index, cases, default, direction);
        for &value in &indices {
            let expected = cases.get(value as usize).copied().unwrap_or(default) == direction;
            let expected = u64::from(expected);
            let model = Model::from_iter([(symbol, value)]);
            assert_eq!(terms.eval(condition, &model), expected, "{cases:?} {default} {direction} {value}");
            let concrete = switch(&mut Concrete, bits(32, value), cases, default, direction);
            assert_eq!(concrete.bits, expected, "{cases:?} {default} {direction} {value}");
        }
    }
}

#[test]
fn a_switch_goes_where_its_table_says() {
    check_switch(&[], 0, 1);
    // Every table of up to six indices with three directions.
    for length in 1..=6_u32 {
        for number in 0..3_u32.pow(length) {
            let cases: Vec<u32> = (0..length).map(|place| number / 3_u32.pow(place) % 3).collect();
            for default in 0..3 {
                check_switch(&cases, default, 3);
            }
        }
    }
}

#[test]
fn conditions_of_big_switches_are_small() {
    let mut terms = Terms::new();
    let index = terms.symbol("index", 32);
    let halves: Vec<u32> = (0..1000).map(|index| u32::from(index >= 500)).collect();
    let mut one_hole = vec![0; 1000];
    one_hole[700] = 2;
    for (cases, default) in [(halves, 2), (one_hole, 2)] {
        for direction in 0..3 {
            let condition = switch(&mut terms, index, &cases, default, direction);
            assert!(terms.size(condition) < 15, "{}", terms.size(condition));
        }
    }
}

/// A memory of a few terms.
struct Small(Vec<Term>);

impl Bytes for Small {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn byte(&mut self, _: &mut Terms, address: u64) -> Term {
        self.0[address as usize]
    }
}

const SIZE: u64 = 24;

/// Stores and loads at `base + stride * (i & 3)`, for every i and two values; the terms must say what plain bytes do.
fn check_window(base: u64, stride: u64, stored: u8, loaded: u8) {
    let mut terms = Terms::new();
    let mut place = |name: &str| {
        let index = terms.symbol(name, 64);
        let (mask, stride, base) =
            (terms.constant(64, 3), terms.constant(64, stride), terms.constant(64, base));
        let index = terms.and(index, mask);
        let distance = terms.binary(Binary::Mul, index, stride);
        terms.binary(Binary::Add, distance, base)
    };
    let (to, from) = (place("to"), place("from"));
    let value = terms.symbol("value", stored * 8);
    // Half of the bytes are symbols.
    let mut memory = Small(Vec::new());
    for at in 0..SIZE {
        memory.0.push(match at % 2 {
            0 => terms.constant(8, at),
            _ => terms.symbol(&format!("byte{at}"), 8),
        });
    }
    let places = window::places(&mut terms, &memory, to, stored, window::WRITES);
    let places = places.expect("four addresses are few");
    for (at, byte) in window::write(&mut terms, &mut memory, to, &places, value, stored) {
        memory.0[at as usize] = byte;
    }
    let places = window::places(&mut terms, &memory, from, loaded, window::READS);
    let places = places.expect("four addresses are few");
    let read = window::read(&mut terms, &mut memory, from, &places, loaded);
    for (to, from) in (0..16).map(|pair| (pair / 4, pair % 4)) {
        let (target, source) = (base + stride * to, base + stride * from);
        if target + u64::from(stored) > SIZE || source + u64::from(loaded) > SIZE {
            continue;
        }
        let value = 0xf1e2_d3c4_b5a6_9788_u64 & (u64::MAX >> (64 - stored * 8));
        let mut bytes: Vec<u8> = (0..SIZE).map(|at| if at % 2 == 0 { at } else { 100 + at } as u8).collect();
        bytes[target as usize..][..usize::from(stored)]
            .copy_from_slice(&value.to_le_bytes()[..usize::from(stored)]);
        let mut model = Model::new();
        let mut set = |name: &str, value| terms.find_symbol(name).map(|symbol| model.set(symbol, value));
        set("to", to);
        set("from", from);
        set("value", value);
        (0..SIZE).for_each(|at| {
            set(&format!("byte{at}"), 100 + at);
        });
        for (at, &byte) in bytes.iter().enumerate() {
            assert_eq!(terms.eval(memory.0[at], &model), u64::from(byte), "byte {at}, stored at {target}");
        }
        let mut expected = [0; 8];
        expected[..usize::from(loaded)].copy_from_slice(&bytes[source as usize..][..usize::from(loaded)]);
        assert_eq!(terms.eval(read, &model), u64::from_le_bytes(expected), "{target} {source}");
    }
}

#[test]
fn windows_hold_what_plain_memory_would() {
    for base in [0, 5, 16, 22] {
        for stride in [1, 2, 3, 4, 7] {
            for (stored, loaded) in [(1, 1), (1, 4), (4, 1), (4, 4), (2, 8), (8, 2)] {
                // At least the first address must be inside.
                if base + u64::from(stored.max(loaded)) <= SIZE {
                    check_window(base, stride, stored, loaded);
                }
            }
        }
    }
}

#[test]
fn an_address_with_many_values_has_no_window() {
    let mut terms = Terms::new();
    let zero = terms.constant(8, 0);
    let memory = Small(vec![zero; 1000]);
    let address = terms.symbol("address", 64);
    assert_eq!(window::places(&mut terms, &memory, address, 4, window::READS), None);
    let mask = terms.constant(64, 0xff);
    let address = terms.and(address, mask);
    assert!(window::places(&mut terms, &memory, address, 4, window::READS).is_some());
    assert_eq!(window::places(&mut terms, &memory, address, 4, window::WRITES), None);
}
