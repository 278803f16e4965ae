//! Functions of the host that a program can call through its table, though it does not import them.
//!
//! They become imports, and the last elements of the program's first table: so a pointer to one is the number of its element, as it is of any function, and
//! no engine knows that it is special.

use wasm_encoder::{
    ConstExpr, ElementSection, Elements, EntityType, ImportSection, Module as Written, RefType, TableType,
    TypeSection, ValType as Encoded,
};
use wasmparser::{TableInit, TypeRef, ValType};

use super::merge;
use super::module::Module;

/// A function of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFunction {
    /// What it is imported as.
    pub module: String,
    /// The name that it has there.
    pub name: String,
    /// What it takes, and what it returns.
    pub params: Vec<ValType>,
    /// See there.
    pub results: Vec<ValType>,
}

/// The program with these functions in its first table; none if it has no table of functions of its own, so that nobody could call them. What is wrong with the
/// program if they cannot be added.
pub fn add_to_table(wasm: &[u8], functions: &[HostFunction]) -> Result<Option<Vec<u8>>, String> {
    let program = Module::read(wasm).map_err(|error| error.to_string())?;
    if program.imported(|ty| matches!(ty, TypeRef::Table(_))) > 0 {
        return Err("its table of functions comes from elsewhere".to_owned());
    }
    let Some(first) = program.tables.clone().and_then(|tables| tables.into_iter().next()) else {
        return Ok(None);
    };
    let first = first.map_err(|error| error.to_string())?;
    if first.ty.element_type != wasmparser::RefType::FUNCREF || !matches!(first.init, TableInit::RefNull) {
        return Err("its first table is none of functions".to_owned());
    }
    let more = others(functions, first.ty.initial, first.ty.table64);
    let more = Module::read(&more).map_err(|error| error.to_string())?;
    merge::merge(&program, &more, "", &[]).map(Some)
}

/// A module that puts the functions into a table that it imports, behind so many elements.
fn others(functions: &[HostFunction], behind: u64, table64: bool) -> Vec<u8> {
    let (mut types, mut imports, mut elements) =
        (TypeSection::new(), ImportSection::new(), ElementSection::new());
    for (index, HostFunction { module, name, params, results }) in (0..).zip(functions) {
        types.ty().function(params.iter().map(encoded), results.iter().map(encoded));
        imports.import(module, name, EntityType::Function(index));
    }
    let table =
        TableType { element_type: RefType::FUNCREF, table64, minimum: 0, maximum: None, shared: false };
    imports.import("program", "table", table);
    let place = match table64 {
        true => ConstExpr::i64_const(behind as i64),
        false => ConstExpr::i32_const(behind as i32),
    };
    elements.active(Some(0), &place, Elements::Functions((0..functions.len() as u32).collect()));
    let mut module = Written::new();
    module.section(&types).section(&imports).section(&elements);
    module.finish()
}

fn encoded(ty: &ValType) -> Encoded {
    match ty {
        ValType::I64 => Encoded::I64,
        ValType::F32 => Encoded::F32,
        ValType::F64 => Encoded::F64,
        _ => Encoded::I32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str) -> HostFunction {
        HostFunction {
            module: "host".into(),
            name: name.into(),
            params: vec![ValType::I32],
            results: vec![ValType::I64],
        }
    }

    #[test]
    fn functions_follow_those_of_the_table() {
        let text = r#"(module (import "env" "f" (func $f)) (table 3 3 funcref) (elem (i32.const 1) $g)
            (func $g (call $f)) (func (export "h") (call $g)))"#;
        let wasm = wat::parse_str(text).expect("it is well-formed");
        let more = add_to_table(&wasm, &[function("a"), function("b")]).expect("it has room");
        let text = wasmprinter(&more.expect("it has a table"));
        assert!(text.imports.ends_with(&["host.a".to_owned(), "host.b".to_owned()]), "{:?}", text.imports);
        assert_eq!((text.table, text.elements), ((5, Some(5)), vec![(1, vec![3]), (3, vec![1, 2])]));
    }

    #[test]
    fn without_a_table_nobody_can_call_them() {
        let wasm = wat::parse_str("(module (func (export \"h\")))").expect("it is well-formed");
        assert_eq!(add_to_table(&wasm, &[function("a")]), Ok(None));
        let wasm =
            wat::parse_str("(module (import \"a\" \"t\" (table 1 funcref)))").expect("it is well-formed");
        assert!(add_to_table(&wasm, &[function("a")]).is_err());
    }

    /// What a module has of all this.
    struct Seen {
        imports: Vec<String>,
        table: (u64, Option<u64>),
        elements: Vec<(i32, Vec<u32>)>,
    }

    fn wasmprinter(wasm: &[u8]) -> Seen {
        let module = Module::read(wasm).expect("it is valid");
        let imports = module.imports.iter().map(|it| format!("{}.{}", it.module, it.name)).collect();
        let table = module.tables.expect("a table").into_iter().next().expect("one").expect("it is valid").ty;
        let mut elements = Vec::new();
        for element in module.elements.expect("elements") {
            let element = element.expect("it is valid");
            let wasmparser::ElementKind::Active { offset_expr, .. } = element.kind else { continue };
            let at = match offset_expr.get_operators_reader().read().expect("a constant") {
                wasmparser::Operator::I32Const { value } => value,
                _ => -1,
            };
            let wasmparser::ElementItems::Functions(functions) = element.items else { continue };
            elements.push((at, functions.into_iter().flatten().collect()));
        }
        Seen { imports, table: (table.initial, table.maximum), elements }
    }
}
