//! The solver stack on the questions of third-party programs.

use anyhow::{Context, Result};
use coax_judge::thirdparty::Table;
use coax_solve::{Nothing, Stack};
use std::path::Path;

/// Records the questions of each program.
pub fn run(table: &Table, questions: usize, save: Option<&Path>) -> Result<()> {
    for name in table.entries.keys().filter(|name| table.is_there(name)) {
        let mut stack = Stack::above(Box::new(Nothing));
        let questions = table.questions(name, questions, &mut stack)?;
        eprintln!("{name}: {} questions, {} terms", questions.len(), questions.terms.len());
        if let Some(directory) = save {
            let file = directory.join(format!("{name}.stream"));
            std::fs::write(&file, questions.write()).with_context(|| file.display().to_string())?;
        }
    }
    Ok(())
}
