//! Modules that are large in one way: what a program generator writes, or somebody who wants to see coax hang.
//!
//! Each is made from a number, so that the same kind can be had at two sizes: what is done with it must grow as it does. Every one is valid
//! and has a function `run` that takes an `i32`, decides something with it and returns an `i32` within few steps.

mod sources;
mod text;

/// A kind of large module.
#[derive(Clone, Copy, Debug)]
pub struct Large {
    /// What it is called.
    pub name: &'static str,
    /// What the number counts.
    pub counts: &'static str,
    /// The number at which a tool begins to suffer: what `bench prepare` takes.
    pub usual: u32,
    make: fn(u32) -> Source,
}

/// A program, as it is given to coax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// WebAssembly as text.
    Wat(String),
    /// C.
    C(String),
}

/// The function that each of them has.
pub const ENTRY: &str = "run";

const fn large(name: &'static str, counts: &'static str, usual: u32, make: fn(u32) -> Source) -> Large {
    Large { name, counts, usual, make }
}

/// All kinds.
pub const LARGE: [Large; 22] = [
    large("operators", "times `+ 3, * parameter` in one function", 200_000, text::operators),
    large("expression", "operands on the stack at once", 100_000, text::expression),
    large("locals", "local variables of one function", 40_000, text::locals),
    large("memory-operators", "loads and stores in one function", 50_000, text::accesses),
    large("ifs", "`if` after `if` in one function", 20_000, text::ifs),
    large("else-ifs", "`if` within the `else` of the one before", 10_000, text::else_ifs),
    large("cases", "entries of one `br_table`, with 16 targets; engines take 65,520", 65_000, text::cases),
    large("targets", "targets of one `br_table`, each a block", 10_000, text::targets),
    large("blocks", "blocks within each other", 20_000, text::blocks),
    large("loops", "loops within each other", 20_000, text::loops),
    large("busy-loops", "loops within each other that change locals", 2_000, text::busy_loops),
    large("loop-row", "loops after each other", 10_000, text::loop_row),
    large("functions", "functions of which one is called", 100_000, text::functions),
    large("exports", "functions that are exported", 50_000, text::exports),
    large("tree", "functions that call two others each", 50_000, text::tree),
    large("indirect", "functions in a table, half of which call through it", 5_000, text::indirect),
    large("chain", "functions that call the next", 20_000, text::chain),
    large("data", "bytes of data", 64 << 20, text::data),
    large("segments", "segments of data", 90_000, text::segments),
    large("memory", "pages that the memory begins with", 16_384, text::memory),
    large("table", "elements that the table begins with", 10_000_000, text::table),
    large("states", "lines of C: machines with states", 73_000, sources::states),
];

impl Large {
    /// The kind of this name.
    pub fn named(name: &str) -> Option<Large> {
        LARGE.into_iter().find(|large| large.name == name)
    }

    /// One of this size.
    pub fn source(&self, number: u32) -> Source {
        (self.make)(number)
    }
}

impl Source {
    /// What its file's name ends with.
    pub fn extension(&self) -> &'static str {
        match self {
            Source::Wat(_) => "wat",
            Source::C(_) => "c",
        }
    }

    /// What is in its file.
    pub fn text(&self) -> &str {
        match self {
            Source::Wat(text) | Source::C(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_program::Program;

    #[test]
    fn all_are_valid_and_have_the_entry() {
        for large in LARGE {
            let Source::Wat(text) = large.source(20) else { continue };
            let wasm = wat::parse_str(&text).unwrap_or_else(|error| panic!("{}: {error}", large.name));
            let program = Program::parse(wasm).unwrap_or_else(|error| panic!("{}: {error}", large.name));
            assert!(program.find_function(ENTRY).is_some(), "{} has no entry", large.name);
        }
    }

    #[test]
    fn a_larger_number_makes_a_larger_program() {
        for large in LARGE {
            let of_size = |number| large.source(number).text().to_owned();
            assert!(of_size(5_000) != of_size(10_000), "{} is the same at any size", large.name);
        }
    }
}
