//! Turns Markdown from standard input into HTML with pulldown-cmark.

use pulldown_cmark::{Options, Parser, html};
use std::io::{self, Read};

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(&text, Options::all()));
    print!("{page}");
    Ok(())
}
