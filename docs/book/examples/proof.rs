//! A proof harness of Kani's, as it is.

pub fn midpoint(low: u8, high: u8) -> u8 {
    (low + high) / 2
}

#[cfg(kani)]
#[kani::proof]
fn midpoint_is_between() {
    let low: u8 = kani::any();
    let high: u8 = kani::any();
    kani::assume(low <= high);
    let middle = midpoint(low, high);
    assert!(low <= middle && middle <= high);
}
