//! Functions that the entry is given pointers to: the module gets an import for each (docs/decisions/0016-callbacks.md).

use crate::args::note;
use coax_execute::{Callback, Entry, Shapes};
use coax_load::HostFunction;
use coax_program::Program;

/// The module with the functions that its entry or these tests want, if it lacks any.
pub fn added(program: &Program, entry: Option<&str>, of_tests: &[Callback]) -> Option<Vec<u8>> {
    // What is wrong with the entry is said by who runs it.
    let entry = Entry::find(program, entry).ok().filter(|it| !program.signature(it.func).params.is_empty());
    let shapes = entry.map(|entry| Shapes::of(program, &entry, Shapes::DEPTH));
    let of_entry = shapes.map(|shapes| shapes.callbacks).unwrap_or_default();
    let missing = Callback::missing([of_entry, of_tests.to_vec()].concat(), program);
    if missing.is_empty() {
        return None;
    }
    let function = |callback: &Callback| {
        let (module, name) = callback.import();
        let signature = callback.signature();
        HostFunction { module, name, params: signature.params, results: signature.results }
    };
    let functions: Vec<HostFunction> = missing.iter().map(function).collect();
    match coax_load::add_to_table(&program.wasm, &functions) {
        Ok(more) => more,
        Err(why) => {
            note(format_args!("the program is given no functions: {why}"));
            None
        }
    }
}
