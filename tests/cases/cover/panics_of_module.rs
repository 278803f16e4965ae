// In a module that is given compiled, all code counts; who panics is to blame nevertheless, not the library that ends the program.
// REQUIRES: rust-wasm rustc
// RUN: rustc --target wasm32-wasip1 --crate-type cdylib -g -C debug-assertions=on -o %t/module.wasm %
// RUN: coax cover %t/module.wasm --entry check --max-runs 60 --no-mutate --out %t/out | grep FAILS

#[no_mangle]
pub extern "C" fn check(x: u32) -> u32 {
    assert!(x != 77, "seventy-seven");
    if x == 5 {
        let list: Vec<u32> = vec![];
        return list[x as usize];
    }
    x
}

// OUTPUT
// $ rustc --target wasm32-wasip1 --crate-type cdylib -g -C debug-assertions=on -o %t/module.wasm %
// $ coax cover %t/module.wasm --entry check --max-runs 60 --no-mutate --out %t/out | grep FAILS
// | FAILS  panic (seventy-seven) at panics_of_module.rs:8:5  fails-Panic-line-8-61b03b.json
// | FAILS  panic (index out of bounds: the len is 0 but the index is 5) at panics_of_module.rs:11:20  fails-Panic-line-11-6f75ed.json
