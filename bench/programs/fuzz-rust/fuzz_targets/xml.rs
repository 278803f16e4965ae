//! A document, and a walk through what was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use roxmltree::{Document, ParsingOptions};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let options = ParsingOptions { allow_dtd: true, nodes_limit: 10_000 };
    if let Ok(document) = Document::parse_with_options(text, options) {
        let texts = document.descendants().filter_map(|node| node.text());
        assert!(texts.map(str::len).sum::<usize>() <= usize::MAX / 2);
    }
});
