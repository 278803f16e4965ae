//! Functions by the names that users give them.

use coax_program::{Func, Program};

/// The functions of this name; of C++ and Rust also without their parameters, namespace or module.
pub fn functions_named(program: &Program, name: &str) -> Vec<Func> {
    let found = program.find_functions(name);
    if !found.is_empty() {
        return found;
    }
    let is_it = |full: &str| {
        let path = full.split('(').next().unwrap_or(full);
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    program.functions.iter().filter(|(_, function)| is_it(&function.name)).map(|(func, _)| func).collect()
}
