//! What the indices of a module become when it is part of another.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};
use wasmparser::{Operator, OperatorsReader};

type Result<T> = std::result::Result<T, Error<Infallible>>;

/// The new indices of what a module has.
#[derive(Debug, Default)]
pub(super) struct Indices {
    /// Of each function.
    pub functions: Vec<u32>,
    /// Of each memory.
    pub memories: Vec<u32>,
    /// Of the first type; the others follow.
    pub types: u32,
    pub tables: u32,
    pub globals: u32,
    pub tags: u32,
    pub elements: u32,
    pub data: u32,
    /// By how many elements the first table becomes larger.
    pub more_elements: u64,
}

fn moved(indices: &[u32], index: u32) -> Result<u32> {
    // What is not there is left as it is: whether modules are valid is judged in the end.
    Ok(indices.get(index as usize).copied().unwrap_or(index))
}

impl Reencode for Indices {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32> {
        moved(&self.functions, function)
    }

    fn memory_index(&mut self, memory: u32) -> Result<u32> {
        moved(&self.memories, memory)
    }

    fn type_index(&mut self, ty: u32) -> Result<u32> {
        Ok(self.types + ty)
    }

    fn table_index(&mut self, table: u32) -> Result<u32> {
        Ok(self.tables + table)
    }

    fn table_type(&mut self, mut table: wasmparser::TableType) -> Result<wasm_encoder::TableType> {
        let more = std::mem::take(&mut self.more_elements);
        table.initial += more;
        table.maximum = table.maximum.map(|most| most + more);
        wasm_encoder::reencode::utils::table_type(self, table)
    }

    fn global_index(&mut self, global: u32) -> Result<u32> {
        Ok(self.globals + global)
    }

    fn tag_index(&mut self, tag: u32) -> Result<u32> {
        Ok(self.tags + tag)
    }

    fn element_index(&mut self, element: u32) -> Result<u32> {
        Ok(self.elements + element)
    }

    fn data_index(&mut self, data: u32) -> Result<u32> {
        Ok(self.data + data)
    }
}

impl Indices {
    /// Replaces the indices of functions in code without moving anything, so that debug information stays true. `base` is where the bytes
    /// begin in the module that the operators were read from. None if an index does not fit where the old one was.
    pub fn patch(&self, code: &mut [u8], base: usize, mut operators: OperatorsReader<'_>) -> Option<()> {
        while !operators.eof() {
            let (operator, offset) = operators.read_with_offset().ok()?;
            let (Operator::Call { function_index: old }
            | Operator::ReturnCall { function_index: old }
            | Operator::RefFunc { function_index: old }) = operator
            else {
                continue;
            };
            let new = *self.functions.get(old as usize)?;
            if new != old {
                // Each of these operators is one byte and the index.
                overwrite(code.get_mut(offset + 1 - base..)?, new)?;
            }
        }
        Some(())
    }
}

/// Overwrites a number with another, in as many bytes.
fn overwrite(bytes: &mut [u8], mut number: u32) -> Option<()> {
    let length = bytes.iter().take_while(|byte| **byte & 0x80 != 0).count() + 1;
    for (index, byte) in bytes.get_mut(..length)?.iter_mut().enumerate() {
        let more = if index + 1 < length { 0x80 } else { 0 };
        *byte = (number & 0x7f) as u8 | more;
        number >>= 7;
    }
    (number == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::overwrite;

    #[test]
    fn numbers_keep_their_length() {
        let mut bytes = [0x83, 0x80, 0x00, 0xff];
        assert_eq!(overwrite(&mut bytes, 300), Some(()));
        assert_eq!(bytes, [0xac, 0x82, 0x00, 0xff]);
        assert_eq!(overwrite(&mut [5], 128), None);
    }
}
