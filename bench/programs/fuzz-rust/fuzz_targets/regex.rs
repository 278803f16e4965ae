//! A regular expression: read, simplified, and written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use regex_syntax::ParserBuilder;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(expression) = ParserBuilder::new().nest_limit(50).build().parse(text) {
        let _ = expression.to_string();
    }
});
