//! Parses an HTTP request from standard input with httparse and prints its parts.

use httparse::{EMPTY_HEADER, Request, Status};
use std::io::{self, Read};

fn main() -> io::Result<()> {
    let mut text = Vec::new();
    io::stdin().read_to_end(&mut text)?;
    let mut headers = [EMPTY_HEADER; 16];
    let mut request = Request::new(&mut headers);
    match request.parse(&text) {
        Ok(Status::Complete(length)) => {
            println!("{:?} {:?} version {:?}", request.method, request.path, request.version);
            for header in request.headers.iter() {
                println!("{}: {}", header.name, String::from_utf8_lossy(header.value));
            }
            println!("{} bytes follow", text.len() - length);
        }
        Ok(Status::Partial) => println!("incomplete"),
        Err(problem) => println!("not HTTP: {problem}"),
    }
    Ok(())
}
