//! Types of parameters as DWARF has them. What is expected is what the C compiler itself asserts in the source.

mod compile;

use coax_program::Program;
use coax_program::debug_info::{Composite, DebugInfo, FunctionType, Type, TypeId, Types};
use compile::{Level, Random, Workshop, custom_sections};
use std::collections::BTreeSet;

const SOURCE: &str = r#"
struct node { short value; struct node *next; struct { double d; unsigned low : 3, high : 7; } in; char name[5]; };
typedef struct node node;
_Static_assert(__builtin_offsetof(node, next) == 4, "");
_Static_assert(__builtin_offsetof(node, in) == 8, "");
_Static_assert(__builtin_offsetof(node, name) == 24, "");
_Static_assert(sizeof(node) == 32, "");
enum colour { RED = -1, GREEN = 5 };
union either { int i; float f; };
typedef int (*callback)(int);
__attribute__((noinline)) static int hidden(int *x) { return *x += 1; }
int f(const node *list, enum colour c, _Bool flag, unsigned char *bytes, const union either *either, callback call, float x,
      void *anything, int (*grid)[3][4]) {
    return list->value + c + flag + bytes[0] + either->i + call(1) + (int)x + (anything != 0) + grid[0][1][2] + hidden(grid[0][0]);
}
"#;

fn members(types: &Types<'_>, composite: &Composite) -> Vec<(String, u64, Type)> {
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    composite.members.iter().map(|member| (name(&member.name), member.at, types.get(member.ty))).collect()
}

fn function(program: &Program, types: &Types<'_>, name: &str) -> FunctionType {
    let func = program.find_function(name).expect(name);
    types.function(&program.functions[func]).expect("it has a type")
}

#[test]
fn types_are_those_of_the_source() {
    let Some(workshop) = Workshop::new() else { return };
    workshop.write("t.c", SOURCE);
    let program = Program::parse(workshop.module("t.c", Level::O1)).expect("a module");
    let types = program.debug.types();
    let FunctionType { params, result, is_external, .. } = function(&program, &types, "f");
    assert!(is_external && !function(&program, &types, "hidden").is_external);
    let names: Vec<&str> = params.iter().filter_map(|param| param.name.as_deref()).collect();
    assert_eq!(names, ["list", "c", "flag", "bytes", "either", "call", "x", "anything", "grid"]);
    let int = Type::Integer { bytes: 4, signed: true, character: false };
    assert_eq!(result.map(|result| types.get(result)), Some(int.clone()));
    let ty = |index: usize| types.get(params[index].ty);
    let Type::Pointer { to: Some(node), constant: true, reference: false } = ty(0) else {
        panic!("{:?}", ty(0))
    };
    let Type::Structure(composite) = types.get(node) else { panic!("{:?}", types.get(node)) };
    assert_eq!(
        (composite.name.as_deref(), composite.bytes, composite.variants.is_some()),
        (Some("node"), 32, false)
    );
    let found = members(&types, &composite);
    assert_eq!(found[0], ("value".into(), 0, Type::Integer { bytes: 2, signed: true, character: false }));
    // The list refers to itself by id.
    let Type::Pointer { to: Some(next), constant: false, .. } = found[1].2 else { panic!("{found:?}") };
    assert_eq!((found[1].0.as_str(), found[1].1, types.get(next)), ("next", 4, types.get(node)));
    let Type::Structure(inner) = &found[2].2 else { panic!("{found:?}") };
    assert_eq!(found[2].1, 8);
    let bits: Vec<Option<(u64, u64)>> = inner.members.iter().map(|member| member.bits).collect();
    assert_eq!(bits, [None, Some((64, 3)), Some((67, 7))]);
    let Type::Array { of, count: Some(5) } = found[3].2 else { panic!("{found:?}") };
    assert_eq!((found[3].1, types.get(of)), (24, Type::Integer { bytes: 1, signed: true, character: true }));
    let colours = vec![("RED".to_owned(), -1), ("GREEN".to_owned(), 5)];
    assert_eq!(ty(1), Type::Enumeration { bytes: 4, signed: true, values: colours });
    assert_eq!(ty(2), Type::Boolean { bytes: 1 });
    let Type::Pointer { to: Some(byte), constant: false, .. } = ty(3) else { panic!("{:?}", ty(3)) };
    assert_eq!(types.get(byte), Type::Integer { bytes: 1, signed: false, character: true });
    let Type::Pointer { to: Some(either), constant: true, .. } = ty(4) else { panic!("{:?}", ty(4)) };
    let Type::Union(either) = types.get(either) else { panic!("a union") };
    assert!(either.members.iter().all(|member| member.at == 0) && either.bytes == 4);
    let Type::Pointer { to: Some(call), .. } = ty(5) else { panic!("{:?}", ty(5)) };
    assert_eq!(types.get(call), Type::Function);
    assert_eq!(ty(6), Type::Float { bytes: 4 });
    assert_eq!(ty(7), Type::Pointer { to: None, constant: false, reference: false });
    let Type::Pointer { to: Some(grid), .. } = ty(8) else { panic!("{:?}", ty(8)) };
    assert_eq!((types.size(grid), types.size(params[0].ty), types.size(node)), (Some(48), Some(4), Some(32)));
}

/// Every type that can be reached, as often as there are ways to it up to a limit.
fn visit(types: &Types<'_>, id: TypeId, seen: &mut BTreeSet<TypeId>) {
    if seen.len() > 500 || !seen.insert(id) {
        return;
    }
    types.size(id);
    match types.get(id) {
        Type::Pointer { to, .. } => to.into_iter().for_each(|to| visit(types, to, seen)),
        Type::Array { of, .. } => visit(types, of, seen),
        Type::Structure(composite) | Type::Union(composite) => {
            composite.members.iter().for_each(|member| visit(types, member.ty, seen));
        }
        _ => {}
    }
}

#[test]
fn damaged_types_do_no_harm() {
    let Some(workshop) = Workshop::new() else { return };
    workshop.write("t.c", SOURCE);
    let intact = workshop.module("t.c", Level::O1);
    let program = Program::parse(intact.clone()).expect("a module");
    let func = program.find_function("f").expect("f");
    let ranges = custom_sections(&intact).into_iter().filter(|(name, _)| name.starts_with(".debug_"));
    let places = Vec::from_iter(ranges.flat_map(|(_, range)| range));
    let mut random = Random::new();
    let mut whole = 0;
    for _ in 0..2000 {
        let debug = DebugInfo::parse(&random.damage(&intact, &places));
        let types = debug.types();
        let Some(function) = types.function(&program.functions[func]) else { continue };
        whole += usize::from(function.params.len() == 9);
        let ids = function.params.iter().map(|param| param.ty).chain(function.result);
        ids.for_each(|id| visit(&types, id, &mut BTreeSet::new()));
    }
    assert!(whole > 100, "damage mostly leaves parameters alone, but only {whole} were there");
}
