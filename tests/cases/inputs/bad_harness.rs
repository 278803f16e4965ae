// A harness that does not compile is left out, by its name; the others run.
// REQUIRES: rust-wasm
// RUN: mkdir -p %t/p/src && cp % %t/p/src/lib.rs && printf '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n' > %t/p/Cargo.toml
// RUN: coax replay %t/p --entry good --value 100 2>&1 | grep -e note: -e '^FAIL' -e 'cannot find function'
pub fn twice(x: u8) -> u8 {
    if x == 100 { 7 } else { x.wrapping_mul(2) }
}

#[cfg(kani)]
mod proofs {
    #[kani::proof]
    fn good() {
        let x: u8 = kani::any();
        assert!(super::twice(x) != 7);
    }

    #[kani::proof]
    fn bad() {
        super::thrice(kani::any());
    }
}

// OUTPUT
// $ mkdir -p %t/p/src && cp % %t/p/src/lib.rs && printf '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n' > %t/p/Cargo.toml
// $ coax replay %t/p --entry good --value 100 2>&1 | grep -e note: -e '^FAIL' -e 'cannot find function'
// | error[E0425]: cannot find function `thrice` in module `super`
// | note: Harnesses that do not compile are left out: bad. The compiler says why.
// | FAIL  run: trapped: unreachable (panicked: assertion failed: super::twice(x) != 7) at [t]/p/src/lib.rs:14:9 in p::proofs::good
// |       stderr | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
