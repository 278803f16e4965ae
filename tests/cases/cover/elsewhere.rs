// A Rust file that is not in the working directory is the user's all the same.
// REQUIRES: rust-wasm
// RUN: mkdir %t/here && cp % %t && cd %t/here && coax cover ../% --entry sign --no-mutate --out ../relative
// RUN: cd %t/here && coax cover %t/% --entry sign --no-mutate --out ../absolute | grep branches

fn sign(number: i32) -> i32 {
    if number < 0 {
        return -1;
    }
    (number > 0) as i32
}

fn main() {
    println!("{}", sign(3));
}

// OUTPUT
// $ mkdir %t/here && cp % %t && cd %t/here && coax cover ../% --entry sign --no-mutate --out ../relative
// | 2 tests, 0 failures; branches 2/2 (100 %), lines 3/6 (50 %), functions 1/2 (50 %)
// | [work], [time]; all paths are explored
// | Tests are in ../relative/tests.
// $ cd %t/here && coax cover %t/% --entry sign --no-mutate --out ../absolute | grep branches
// | 2 tests, 0 failures; branches 2/2 (100 %), lines 3/6 (50 %), functions 1/2 (50 %)
