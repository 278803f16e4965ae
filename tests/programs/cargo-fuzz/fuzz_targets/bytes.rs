#![no_main]

use libfuzzer_sys::fuzz_target;

// A header: a magic number, then a length that must be that of the rest.
fuzz_target!(|data: &[u8]| {
    if let [b'F', b'Z', length, rest @ ..] = data {
        if usize::from(*length) == rest.len() {
            assert!(!rest.contains(&0xff), "the rest has no end mark");
        }
    }
});
