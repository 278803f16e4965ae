//! Functions by the names that users give them.

use coax_program::{Code, Func, Function, Import, Program};

/// The functions of this name; of C++ and Rust also without their parameters, namespace or module, imports also with their module: `env.read`.
pub fn functions_named(program: &Program, name: &str) -> Vec<Func> {
    let found = program.find_functions(name);
    if !found.is_empty() {
        return found;
    }
    let is_it = |full: &str| {
        let path = full.split('(').next().unwrap_or(full);
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    let is_import = |function: &Function| match function.code {
        Code::Import(import) => {
            let Import { module, name: field, .. } = &program.imports[import];
            name.strip_prefix(module.as_str()).and_then(|rest| rest.strip_prefix('.')) == Some(field)
        }
        Code::Defined(_) => false,
    };
    let all = program.functions.iter();
    all.filter(|(_, function)| is_it(&function.name) || is_import(function)).map(|(func, _)| func).collect()
}
