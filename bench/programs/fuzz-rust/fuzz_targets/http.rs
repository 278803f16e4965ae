//! The head of a request, then the same bytes as that of a response.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let _ = httparse::Request::new(&mut headers).parse(data);
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let _ = httparse::Response::new(&mut headers).parse(data);
    let _ = httparse::parse_chunk_size(data);
});
