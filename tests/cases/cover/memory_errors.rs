// Memory errors in unsafe Rust.
// REQUIRES: rust-wasm
// RUN: coax cover % --entry unchecked_index --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry checked_index --out %t/2 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry dangling --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry not_dangling --out %t/4 2>/dev/null | grep -c FAILS
// EXIT: 1

fn at(index: usize, most: usize) -> u64 {
    let numbers: Vec<u64> = (0..50).map(|n| n * n).collect();
    // SAFETY: wrong for the caller whose limit is too large, which is what is tested.
    if index > 30 && index <= most { unsafe { *numbers.as_ptr().add(index) } } else { 0 }
}

#[unsafe(no_mangle)]
pub extern "C" fn unchecked_index(index: usize) -> u64 {
    at(index, 50)
}

#[unsafe(no_mangle)]
pub extern "C" fn checked_index(index: usize) -> u64 {
    at(index, 49)
}

fn dropped(key: u32, drops: bool) -> u8 {
    let text = String::from("a text on the heap");
    let first = text.as_ptr();
    if key == 90210 && drops {
        drop(text);
        // SAFETY: none, which is what is tested.
        return unsafe { first.read_volatile() };
    }
    text.as_bytes()[0]
}

#[unsafe(no_mangle)]
pub extern "C" fn dangling(key: u32) -> u8 {
    dropped(key, true)
}

#[unsafe(no_mangle)]
pub extern "C" fn not_dangling(key: u32) -> u8 {
    dropped(key, false)
}

// OUTPUT
// $ coax cover % --entry unchecked_index --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  heap buffer overflow at memory_errors.rs:13:47
// $ coax cover % --entry checked_index --out %t/2 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry dangling --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  use after free at memory_errors.rs:32:31
// $ coax cover % --entry not_dangling --out %t/4 2>/dev/null | grep -c FAILS
// | 0
