//! Compresses standard input with miniz_oxide at several levels, restores it and compares.

use miniz_oxide::{deflate::compress_to_vec_zlib, inflate::decompress_to_vec_zlib};
use std::io::{self, Read};
use std::process::ExitCode;

fn main() -> io::Result<ExitCode> {
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    for level in [0, 3, 6, 9] {
        let packed = compress_to_vec_zlib(&input, level);
        if decompress_to_vec_zlib(&packed).ok().as_ref() != Some(&input) {
            println!("level {level}: not restored");
            return Ok(ExitCode::FAILURE);
        }
        println!("level {level}: {} bytes become {}", input.len(), packed.len());
    }
    Ok(ExitCode::SUCCESS)
}
