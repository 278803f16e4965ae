//! Higher-order tests: what unknown functions, samples and strategies reach, beside what is reached without.
//!
//! Small examples say whether their target was reached (`targets`), programs with checksums and lexers how many branches behind them (`behind`).

mod behind;
mod cost;
mod searched;
mod targets;
mod texts;

use super::contest::Tools;
use anyhow::Result;
use coax_judge::harnesses::Harnesses;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// The ways to treat what is unknown; the first is ours.
const TREATMENTS: [&str; 4] = ["higher-order", "delayed", "sound", "unsound"];
/// Where the paper's examples are.
const PAPER: &str = "examples/seeds/000/";

/// A table of this benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Table {
    /// The examples of Godefroid 2011, in the four treatments.
    Paper,
    /// A format of chunks behind several checksums.
    Checksums,
    /// Conditions on library maths.
    Maths,
    /// A parser behind three lexers.
    Lexers,
    /// Formats of others that have checksums.
    Formats,
    /// What it costs where nothing is unknown.
    Cost,
}

const TABLES: [Table; 6] =
    [Table::Paper, Table::Checksums, Table::Maths, Table::Lexers, Table::Formats, Table::Cost];

/// What to run.
pub struct Options {
    /// These tables; all, if none is named.
    pub only: Vec<Table>,
    /// How long each search of a table may take, in seconds, if not as long as is usual for it.
    pub seconds: Option<u32>,
    /// How many random seeds; medians are shown.
    pub seeds: u32,
    /// coax's own files.
    pub repository: PathBuf,
}

impl Options {
    /// The path of a file of the repository.
    fn path(&self, file: &str) -> PathBuf {
        self.repository.join(file)
    }
}

/// Prints the tables, and what there is to compare from version to version.
pub fn run(harnesses: &Harnesses, tools: &Tools, options: &Options) -> Result<()> {
    let mut numbers = Map::new();
    numbers.insert("bench".into(), "higher-order".into());
    for table in TABLES.into_iter().filter(|it| options.only.is_empty() || options.only.contains(it)) {
        let (name, found) = match table {
            Table::Paper => ("paper", targets::paper(tools, options)?),
            Table::Checksums => ("checksums", behind::checksums(tools, options)?),
            Table::Maths => ("maths", targets::maths(tools, options)?),
            Table::Lexers => ("lexers", behind::lexers(tools, options)?),
            Table::Formats => ("formats", behind::formats(harnesses, tools, options)?),
            Table::Cost => ("cost", cost::run(tools, options)?),
        };
        numbers.insert(name.into(), found);
        println!();
    }
    println!("{}", Value::Object(numbers));
    Ok(())
}
