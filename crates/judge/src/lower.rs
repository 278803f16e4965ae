//! Lowers SSA back to wasm, so that wasmtime can say whether the SSA is right.
//!
//! The module stays as it was; only its code is replaced. Each function becomes a state machine that
//! is slow and obviously right: every SSA value is a local, every block a case of one big
//! `loop { br_table state }`, and every operator is executed by wasmtime itself. So what is judged is
//! our SSA construction and nothing else.

mod function;

use coax_program::Program;
use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder};
use wasm_encoder::{CodeSection, Module, TypeSection, ValType};
use wasmparser::{CodeSectionReader, CustomSectionReader, Parser, TypeSectionReader};

/// Why a program could not be lowered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A function has more values than wasm allows locals.
    #[error("{function} has {values} values, but a wasm function can have only {limit} locals")]
    TooManyValues {
        /// The function.
        function: String,
        /// How many values it has.
        values: usize,
        /// How many locals it may have.
        limit: usize,
    },
    /// The module could not be encoded again.
    #[error("the module cannot be encoded again: {0}")]
    Encode(#[from] reencode::Error),
}

/// The module with its code lowered from SSA.
pub fn lower(program: &Program) -> Result<Vec<u8>, Error> {
    let mut types = BlockTypes::new(program.types.len());
    let mut code = CodeSection::new();
    for function in program.functions.values() {
        if let Some(defined) = function.defined() {
            code.function(&function::lower(program, function, &defined.body, &mut types)?);
        }
    }
    let mut module = Module::new();
    let mut replacement = ReplaceCode { code, types };
    replacement.parse_core_module(&mut module, Parser::new(0), &program.wasm)?;
    Ok(module.finish())
}

/// Types of blocks with several results, which are added behind the module's own types.
struct BlockTypes {
    next: usize,
    added: Vec<Vec<ValType>>,
}

impl BlockTypes {
    fn new(existing: usize) -> Self {
        BlockTypes { next: existing, added: Vec::new() }
    }

    /// The type of a block without parameters.
    fn with_results(&mut self, results: &[ValType]) -> wasm_encoder::BlockType {
        match results {
            [] => wasm_encoder::BlockType::Empty,
            [one] => wasm_encoder::BlockType::Result(*one),
            _ => {
                let known = self.added.iter().position(|added| added == results);
                let index = known.unwrap_or_else(|| {
                    self.added.push(results.to_vec());
                    self.added.len() - 1
                });
                wasm_encoder::BlockType::FunctionType((self.next + index) as u32)
            }
        }
    }
}

/// Copies a module, but with other code.
struct ReplaceCode {
    code: CodeSection,
    types: BlockTypes,
}

impl Reencode for ReplaceCode {
    type Error = std::convert::Infallible;

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        RoundtripReencoder.parse_type_section(types, section)?;
        for results in &self.types.added {
            types.ty().function([], results.iter().copied());
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        _section: CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        *code = std::mem::take(&mut self.code);
        Ok(())
    }

    /// Names of locals and offsets into the code mean nothing any more.
    fn parse_custom_section(
        &mut self,
        _module: &mut Module,
        _section: CustomSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        Ok(())
    }
}
