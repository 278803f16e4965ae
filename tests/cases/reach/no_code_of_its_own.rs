// A line that only sets a value has no code of its own: the nearest that has is another question, and `-O0` leaves it its code.
// REQUIRES: rust-wasm
// RUN: coax reach % --entry kind --target no_code_of_its_own.rs:11 --out %t/none
// EXIT: 2
// RUN: coax reach % -O0 --entry kind --target no_code_of_its_own.rs:11 --out %t/kept | cut -c 1-38
fn kind(code: u8, flag: bool) -> u32 {
    let limit = if flag { 3 } else { 7 };
    match code {
        0 => {
            if limit > 5 && !flag {
                return 1;
            }
            2
        }
        _ => 3,
    }
}

fn main() {
    let code = std::env::args().count() as u8;
    std::process::exit(kind(code, code > 2) as i32);
}

// OUTPUT
// $ coax reach % --entry kind --target no_code_of_its_own.rs:11 --out %t/none
// ! error: there is no code on line 11 of `no_code_of_its_own.rs`; name the nearest with code, 10 or 13, or compile with `-O0`, which gives it some if line 11 does something
// $ coax reach % -O0 --entry kind --target no_code_of_its_own.rs:11 --out %t/kept | cut -c 1-38
// | reached      no_code_of_its_own.rs:11
