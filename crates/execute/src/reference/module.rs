//! What an instance needs of a module beyond its [`Program`]: initial values and segments, read from the same bytes.

use super::constant::Constant;
use coax_program::Program;
use std::ops::Range;
use std::sync::Arc;
use wasmparser::{
    BinaryReaderError, DataKind, ElementItems, ElementKind, Parser, Payload, TableInit, TableType, TypeRef,
};

#[derive(Debug)]
pub(super) struct Module {
    pub(super) program: Arc<Program>,
    /// The types of all tables, imports first.
    pub(super) tables: Vec<TableType>,
    /// What the elements of each table that is not imported are at first; null if nothing is said.
    pub(super) table_inits: Vec<Option<Constant>>,
    /// The initial value of each global that is not imported.
    pub(super) globals: Vec<Constant>,
    pub(super) elements: Vec<Elements>,
    pub(super) data: Vec<Data>,
}

#[derive(Debug)]
pub(super) struct Elements {
    pub(super) items: Vec<Constant>,
    pub(super) place: Place,
}

#[derive(Debug)]
pub(super) struct Data {
    /// The bytes, by their place in the module.
    pub(super) bytes: Range<usize>,
    pub(super) place: Place,
}

/// When a segment is used.
#[derive(Debug)]
pub(super) enum Place {
    /// At instantiation: the table or memory and where in it.
    Active(u32, Constant),
    /// When the code says so.
    Passive,
    /// Never.
    Declared,
}

impl Module {
    pub(super) fn read(program: Arc<Program>) -> Result<Module, BinaryReaderError> {
        let mut module = Module {
            program: Arc::clone(&program),
            tables: Vec::new(),
            table_inits: Vec::new(),
            globals: Vec::new(),
            elements: Vec::new(),
            data: Vec::new(),
        };
        for payload in Parser::new(0).parse_all(&program.wasm) {
            module.section(payload?)?;
        }
        Ok(module)
    }

    fn section(&mut self, payload: Payload<'_>) -> Result<(), BinaryReaderError> {
        match payload {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    if let TypeRef::Table(ty) = import?.ty {
                        self.tables.push(ty);
                    }
                }
            }
            Payload::TableSection(tables) => {
                for table in tables {
                    let table = table?;
                    self.tables.push(table.ty);
                    self.table_inits.push(match table.init {
                        TableInit::RefNull => None,
                        TableInit::Expr(expression) => Some(Constant::read(&expression)?),
                    });
                }
            }
            Payload::GlobalSection(globals) => {
                for global in globals {
                    self.globals.push(Constant::read(&global?.init_expr)?);
                }
            }
            Payload::ElementSection(segments) => {
                for segment in segments {
                    self.elements.push(elements(segment?)?);
                }
            }
            Payload::DataSection(segments) => {
                for segment in segments {
                    let segment = segment?;
                    let place = match segment.kind {
                        DataKind::Passive => Place::Passive,
                        DataKind::Active { memory_index, offset_expr } => {
                            Place::Active(memory_index, Constant::read(&offset_expr)?)
                        }
                    };
                    let end = segment.range.end;
                    self.data.push(Data { bytes: end - segment.data.len()..end, place });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The bytes of a data segment.
    pub(super) fn data_bytes(&self, segment: usize) -> &[u8] {
        &self.program.wasm[self.data[segment].bytes.clone()]
    }
}

fn elements(segment: wasmparser::Element<'_>) -> Result<Elements, BinaryReaderError> {
    let items = match segment.items {
        ElementItems::Functions(functions) => {
            functions.into_iter().map(|func| Ok(Constant::function(func?))).collect::<Result<_, _>>()?
        }
        ElementItems::Expressions(_, expressions) => expressions
            .into_iter()
            .map(|expression| Constant::read(&expression?))
            .collect::<Result<_, BinaryReaderError>>()?,
    };
    let place = match segment.kind {
        ElementKind::Passive => Place::Passive,
        ElementKind::Declared => Place::Declared,
        ElementKind::Active { table_index, offset_expr } => {
            Place::Active(table_index.unwrap_or(0), Constant::read(&offset_expr)?)
        }
    };
    Ok(Elements { items, place })
}
