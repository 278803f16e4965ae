// Tests of functions that return options, results and enums: they are called, and what is known of the outcome is asserted.
// REQUIRES: rust-wasm
// RUN: coax cover % --entry digit --out %t/1 --emit rust > %t/said; grep 'digit(' %t/1/rust/coax_tests.rs
// RUN: coax cover % --entry check --out %t/2 --emit rust > %t/said; grep -B 1 'check(\|should_panic' %t/2/rust/coax_tests.rs | grep -v '^--\|fn '
// RUN: coax cover % --entry kind --out %t/3 --emit rust > %t/said; grep 'kind(' %t/3/rust/coax_tests.rs
fn digit(letter: u8) -> Option<u32> {
    match letter {
        b'0'..=b'9' => Some(u32::from(letter - b'0')),
        _ => None,
    }
}

fn check(value: i32) -> Result<i64, String> {
    match value {
        7 => panic!("not seven"),
        0.. => Ok(i64::from(value)),
        _ => Err("negative".into()),
    }
}

enum Kind {
    Small,
    Large = 5,
}

fn kind(value: u16) -> Kind {
    if value > 1000 { Kind::Large } else { Kind::Small }
}

fn main() {
    println!("{:?} {:?} {}", digit(b'7'), check(3), kind(3) as u8);
}

// OUTPUT
// $ coax cover % --entry digit --out %t/1 --emit rust > %t/said; grep 'digit(' %t/1/rust/coax_tests.rs
// |     assert!(matches!(digit(0), None));
// |     assert!(matches!(digit(48), Some(0)));
// |     assert!(matches!(digit(58), None));
// $ coax cover % --entry check --out %t/2 --emit rust > %t/said; grep -B 1 'check(\|should_panic' %t/2/rust/coax_tests.rs | grep -v '^--\|fn '
// |     assert!(matches!(check(0), Ok(0)));
// | #[test]
// | #[should_panic]
// |     let _ = check(7);
// |     assert!(matches!(check(-1), Err(_)));
// $ coax cover % --entry kind --out %t/3 --emit rust > %t/said; grep 'kind(' %t/3/rust/coax_tests.rs
// |     assert_eq!(kind(0) as i32, 0);
// |     assert_eq!(kind(1001) as i32, 5);
