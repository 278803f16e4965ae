// The arms of a `match`, and conditions that contradict each other, in Rust: `cover`, `reach` and `explain` agree.
// REQUIRES: rust-wasm
// RUN: coax cover % --entry kind --no-mutate --out %t/out | grep 'branches'
// RUN: for line in 10 15 18 21 23; do coax explain %t/out lines.rs:$line | head -n 1 | sed 's/, for.*//'; done
// RUN: coax reach % --entry kind --target lines.rs:15 --target lines.rs:18 --target lines.rs:23 --out %t/reach | cut -c 1-24
fn kind(code: u8, flag: bool) -> u32 {
    let limit = if flag { 3 } else { 7 };
    match code {
        0 => {
            if limit > 5 && flag {
                return 1;
            }
            2
        }
        1..=9 if code > 20 => 3,
        b'a' => {
            let next = code + 1;
            u32::from(next) + 4
        }
        b'b' | b'c' => match code {
            b'b' => 5,
            b'c' => 6,
            _ => 7,
        },
        _ => {
            for other in 0..limit {
                if other == code && code == limit {
                    return 8;
                }
            }
            9
        }
    }
}

fn main() {
    let code = std::env::args().count() as u8;
    std::process::exit(kind(code, code > 2) as i32);
}

// OUTPUT
// $ coax cover % --entry kind --no-mutate --out %t/out | grep 'branches'
// | 7 tests, 0 failures; branches 24/31 (77 %), lines 16/20 (80 %), functions 1/2 (50 %)
// $ for line in 10 15 18 21 23; do coax explain %t/out lines.rs:$line | head -n 1 | sed 's/, for.*//'; done
// | lines.rs:10 is covered
// | lines.rs:15 is covered
// | lines.rs:18 is covered
// | lines.rs:21 is covered
// | lines.rs:23 is not covered
// $ coax reach % --entry kind --target lines.rs:15 --target lines.rs:18 --target lines.rs:23 --out %t/reach | cut -c 1-24
// | reached      lines.rs:15
// | reached      lines.rs:18
// | unreachable  lines.rs:23
