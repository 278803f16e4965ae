//! Whom an indirect call may reach.

use coax_program::Program;
use coax_program::calls::CallGraph;

/// The callees of the only call in `caller`, by name, and whether there may be others.
fn callees(source: &str) -> (Vec<String>, bool) {
    let program = Program::parse(wat::parse_str(source).expect("wat")).expect("a module");
    let graph = CallGraph::of(&program);
    let [call] = &graph.calls[program.find_function("caller").expect("caller")][..] else {
        panic!("one call")
    };
    let names = call.callees.iter().map(|&func| program.functions[func].name.clone()).collect();
    (names, call.open)
}

const CALLER: &str = r#"
  (type $t (func (result i32)))
  (func $a (type $t) (i32.const 1))
  (func $b (type $t) (i32.const 2))
  (func $other (param i64))
  (func (export "caller") (param i32) (result i32) (call_indirect (type $t) (local.get 0)))"#;

fn with(items: &str) -> (Vec<String>, bool) {
    callees(&format!("(module {items} {CALLER})"))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn a_table_that_nobody_changes_holds_what_its_segments_put_there() {
    assert_eq!(with("(table 9 funcref) (elem (i32.const 1) $a $other)"), (names(&["a"]), false));
    assert_eq!(with("(table 9 funcref) (elem (i32.const 1) $a $b)"), (names(&["a", "b"]), false));
    let overwritten = "(table 9 funcref) (elem (i32.const 1) $a) (elem (i32.const 1) $b)";
    assert_eq!(with(overwritten), (names(&["b"]), false));
    let cleared = "(table 9 funcref) (elem (i32.const 1) $a $b) (elem (i32.const 1) funcref (ref.null func))";
    assert_eq!(with(cleared), (names(&["b"]), false));
}

#[test]
fn a_table_that_may_change_holds_any_function_whose_address_is_taken() {
    assert_eq!(with("(table (export \"t\") 9 funcref) (elem (i32.const 1) $a)"), (names(&["a"]), true));
    assert_eq!(with("(import \"m\" \"t\" (table 9 funcref)) (elem declare func $b)"), (names(&["b"]), true));
    let written = "(table 9 funcref) (elem (i32.const 1) $a) (func (table.set (i32.const 0) (ref.func $b)))
        (elem declare func $b)";
    assert_eq!(with(written), (names(&["a", "b"]), true));
}

#[test]
fn what_a_global_holds_is_not_known() {
    let global = "(import \"m\" \"g\" (global $g funcref)) (table 9 funcref)";
    let segment = format!("{global} (elem (i32.const 1) funcref (ref.func $a) (global.get $g))");
    assert_eq!(with(&segment), (names(&["a"]), true));
    let place = "(import \"m\" \"g\" (global $g i32)) (table 9 funcref) (elem (global.get $g) $a)";
    assert_eq!(with(place), (names(&["a"]), true));
}

#[test]
fn a_segment_far_out_costs_nothing() {
    let far = "(table 4000000000 funcref) (elem (i32.const 3999999999) $a)";
    assert_eq!(with(far), (names(&["a"]), false));
}
