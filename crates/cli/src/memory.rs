//! What memory errors runs are checked for, as the command line says it.

use anyhow::{Result, bail};
use clap::Args;
use coax_execute::{MemoryChecks, PlainModule, check_allocator};
use coax_program::Program;

/// What memory errors runs are checked for.
#[derive(Args, Clone)]
pub struct MemoryArgs {
    /// The functions of the program's allocator, if they do not have the usual names: `malloc=my_alloc,free=my_free`, and the same for calloc,
    /// realloc, aligned_alloc, posix_memalign …
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    allocator: Vec<String>,
    /// Count a block that nothing points to in the end, and that was not freed, as a failure
    #[arg(long)]
    leaks: bool,
    /// Do not look for accesses outside of blocks of the heap, to freed blocks or through null, nor for blocks that are freed wrongly
    #[arg(long, conflicts_with_all = ["leaks", "allocator"])]
    no_memory_checks: bool,
}

impl MemoryArgs {
    /// The module of a program, with the checks that the user wants.
    pub fn check<'p>(&self, program: &Program, module: PlainModule<'p>) -> Result<PlainModule<'p>> {
        if self.no_memory_checks {
            return Ok(module);
        }
        let mut checks = MemoryChecks { leaks: self.leaks, ..MemoryChecks::default() };
        for pair in &self.allocator {
            let Some((standard, name)) = pair.split_once('=') else {
                bail!("`--allocator {pair}` has no `=`; write `--allocator malloc=my_alloc,free=my_free`")
            };
            checks.allocator.insert(standard.into(), name.into());
        }
        check_allocator(program, &checks.allocator)?;
        Ok(module.with_checks(checks))
    }
}
