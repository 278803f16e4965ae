//! Which function a run calls, and what must be called before it.

use crate::arguments::Naming;
use crate::arguments::{ParameterPlan, fuzz_initializer_plan};
use crate::{Error, Input, Limits};
use coax_program::{Export, Extern, Func, Function, Program, Signature, names};
use wasmparser::ValType;

/// The function that a run calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The function.
    pub func: Func,
    /// The name it is exported by; if it is not exported, its own.
    pub export: String,
    /// Whether it is exported. (If not, the module that runs has one more export.)
    pub is_exported: bool,
    /// Whether it is the start function and nobody else is to call it: it has run when the module is instantiated.
    pub(crate) is_start: bool,
    /// What must be called first, so that constructors have run: a library's `_initialize`; the linker's
    /// `__wasm_call_ctors` if a function of a command is called instead of the whole.
    pub(crate) initializer: Option<Func>,
    /// What a fuzz target has called before its first input.
    pub(crate) fuzz_initializer: Option<Func>,
    /// The program's own allocator, for parameters that it may free.
    pub(crate) allocator: Option<Allocator>,
}

/// A function that gives memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allocator {
    /// C's `malloc(size)`, and its `free`, if it has one.
    Malloc(Func, Option<Func>),
    /// Rust's `__rust_alloc(size, alignment)`.
    Rust(Func),
}

/// How the parameters of an entry, and of what is called before it, are given to it.
#[derive(Default)]
pub(crate) struct Plans {
    pub(crate) entry: ParameterPlan,
    pub(crate) fuzz_initializer: Option<ParameterPlan>,
}

impl Plans {
    /// Whether something has to be put into memory.
    pub(crate) fn use_memory(&self) -> bool {
        self.entry.uses_memory() || self.fuzz_initializer.is_some()
    }
}

const COMMAND: &str = "_start";
/// What a command's `_start` calls; compilers give it several other names.
const MAIN: &str = "main";
/// What the linker calls the function that it puts in place of a main that nobody has: targets of `cargo fuzz` have none.
const NO_MAIN: &str = "undefined_weak:main";
/// What runs constructors, the first there is; a command's `_start` does it by itself.
const INITIALIZERS: [&str; 2] = ["_initialize", "__wasm_call_ctors"];
/// The entries of fuzz targets: libFuzzer's own, and the one that Rust's has behind it.
const FUZZ_TARGETS: [&str; 2] = ["LLVMFuzzerTestOneInput", "rust_fuzzer_test_input"];
const FUZZ_INITIALIZER: &str = "LLVMFuzzerInitialize";
/// What stands before the name of a harness in one more export that marks it: `coax.h` and `#[coax::test]` make them.
const HARNESS_MARK: &str = "__coax_harness_";
/// What stands before an attribute and the name of a harness that has it, in an export that says so.
const IGNORED_MARK: &str = "__coax_ignored_";
/// Attributes of Kani's that change what a harness says.
const IGNORED_ATTRIBUTES: [&str; 3] = ["should_panic", "stub", "stub_verified"];
/// What the linker puts between a name and the end of the name of its wrapper with constructors.
const WRAPPER: &str = ".command_export";

impl Entry {
    /// Finds the function of this name, or the one that is meant when no name is given. C++ and Rust functions may be named without their
    /// namespaces, static ones with their file (`a.c:parse`), as long as that is one only.
    pub fn find(program: &Program, name: Option<&str>) -> Result<Entry, Error> {
        let func = match name {
            Some(name) => named(program, name)?,
            None => default(program)?,
        };
        Ok(Entry::of(program, func))
    }

    /// The name of the function that a user means by this one: if there are several, also in libraries, the only one of the user's own, as
    /// `is_own` says.
    pub fn own_name(program: &Program, name: &str, is_own: impl Fn(Func) -> bool) -> String {
        let is_it = |name: &str, func: Func| Entry::find(program, Some(name)).is_ok_and(|it| it.func == func);
        if let Ok(entry) = Entry::find(program, Some(name))
            && (entry.export == COMMAND || is_own(entry.source_function(program)))
        {
            return name.to_owned();
        }
        let mut own = longer_names(program, name);
        let has_name = |function: &Function| {
            function.defined().is_some() && (function.symbol == name || function.name == name)
        };
        own.extend(program.functions.iter().filter(|(_, function)| has_name(function)).map(|(func, _)| func));
        own.retain(|&func| is_own(func));
        own.sort();
        own.dedup();
        let [only] = own[..] else { return name.to_owned() };
        let full = program.functions[only].name.clone();
        let file = program.declared_at(only).and_then(|frame| frame.file).unwrap_or_default();
        let names = [format!("{file}:{full}"), full];
        let found = names.into_iter().rev().find(|name| is_it(name, only));
        found.unwrap_or_else(|| name.to_owned())
    }

    /// A function as the entry, after constructors.
    fn of(program: &Program, func: Func) -> Entry {
        let export = functions(program)
            .find(|(exported, _)| *exported == func)
            .map(|(_, export)| export.name.as_str());
        let is_fuzz_target = export.is_some_and(|name| FUZZ_TARGETS.contains(&name));
        Entry {
            initializer: initializer(program, export, func),
            fuzz_initializer: if is_fuzz_target { fuzz_initializer(program) } else { None },
            ..Entry::alone(program, func)
        }
    }

    /// A function as the entry of a program that is initialized already.
    pub(crate) fn alone(program: &Program, func: Func) -> Entry {
        let export =
            functions(program).find(|(exported, _)| *exported == func).map(|(_, export)| export.name.clone());
        Entry {
            func,
            is_start: program.start == Some(func) && export.is_none(),
            is_exported: export.is_some(),
            export: export.unwrap_or_else(|| program.functions[func].name.clone()),
            initializer: None,
            fuzz_initializer: None,
            allocator: allocator(program, func),
        }
    }

    /// What people call it.
    pub fn name(&self) -> String {
        names::demangle(&self.export)
    }

    /// The attributes that it has as a harness and that coax does not follow.
    pub fn ignored_attributes(&self, program: &Program) -> Vec<&'static str> {
        let has = |attribute: &str| {
            let mark = format!("{IGNORED_MARK}{attribute}_{}", self.export);
            program.exports.iter().any(|export| export.name == mark)
        };
        IGNORED_ATTRIBUTES.into_iter().filter(|attribute| has(attribute)).collect()
    }

    /// Whether libFuzzer would call it with bytes and their number.
    pub fn is_libfuzzer(&self) -> bool {
        self.is_exported && self.export == FUZZ_TARGETS[0]
    }

    /// How its parameters are given to it.
    pub(crate) fn plans(
        &self,
        program: &Program,
        input: &Input,
        limits: &Limits,
        naming: Naming,
    ) -> Result<Plans, Error> {
        let most_bytes = limits.memory_bytes;
        let plan = ParameterPlan::new(program, self.func, &self.name(), input, most_bytes, naming)?;
        Ok(Plans {
            entry: plan.tight(limits.is_tight),
            fuzz_initializer: fuzz_initializer_plan(program, self, most_bytes)?,
        })
    }

    /// Where its code begins; 0 if it is not the program's.
    pub(crate) fn begin(&self, program: &Program) -> u32 {
        program.functions[self.func].defined().map_or(0, |defined| defined.range.start)
    }

    /// The functions that are called from outside, for these plans.
    pub(crate) fn called(&self, plans: &Plans) -> Vec<Func> {
        let wants_heap = plans.entry.wants_heap()
            || plans.fuzz_initializer.as_ref().is_some_and(ParameterPlan::wants_heap);
        let (malloc, free) = match self.allocator {
            Some(Allocator::Malloc(malloc, free)) if plans.use_memory() => (Some(malloc), free),
            Some(Allocator::Rust(alloc)) if wants_heap => (Some(alloc), None),
            _ => (None, None),
        };
        let all = [Some(self.func), self.initializer, self.fuzz_initializer, malloc, free];
        all.into_iter().flatten().collect()
    }

    /// All functions that are ever called from outside when this is the entry.
    pub fn roots(&self, program: &Program) -> Vec<Func> {
        let (malloc, free) = match self.allocator {
            Some(Allocator::Malloc(malloc, free)) => (Some(malloc), free),
            Some(Allocator::Rust(alloc)) => (Some(alloc), None),
            None => (None, None),
        };
        let all = [Some(self.func), program.start, self.initializer, self.fuzz_initializer, malloc, free];
        all.into_iter().flatten().collect()
    }

    /// The functions that are called before it: constructors, mostly.
    pub fn before(&self, program: &Program) -> Vec<Func> {
        [program.start, self.initializer, self.fuzz_initializer].into_iter().flatten().collect()
    }

    /// The function that has the source of this one: a linker may have put constructors around it.
    pub fn source_function(&self, program: &Program) -> Func {
        let symbol = &program.functions[self.func].symbol;
        let inner = symbol.strip_suffix(WRAPPER).and_then(|inner| {
            program.functions.iter().find(|(_, function)| function.symbol == inner).map(|(func, _)| func)
        });
        inner.unwrap_or(self.func)
    }
}

fn functions(program: &Program) -> impl Iterator<Item = (Func, &Export)> {
    program.exports.iter().filter_map(|export| match export.kind {
        Extern::Func(func) if !export.name.starts_with(HARNESS_MARK) => Some((func, export)),
        _ => None,
    })
}

fn exported(program: &Program, name: &str) -> Option<Func> {
    functions(program).find(|(_, export)| export.name == name).map(|(func, _)| func)
}

/// The function that runs the constructors before this one is called.
fn initializer(program: &Program, export: Option<&str>, func: Func) -> Option<Func> {
    if export.is_some_and(|name| name == COMMAND || INITIALIZERS.contains(&name)) {
        return None;
    }
    let is_it =
        |func: &Func| *program.signature(*func) == Signature::default() && program.start != Some(*func);
    let mut found = INITIALIZERS.into_iter().filter_map(|name| exported(program, name).filter(is_it));
    found.next().filter(|&found| found != func)
}

fn fuzz_initializer(program: &Program) -> Option<Func> {
    let pointers = Signature { params: vec![ValType::I32; 2], results: vec![ValType::I32] };
    exported(program, FUZZ_INITIALIZER).filter(|&func| *program.signature(func) == pointers)
}

/// The allocator of the program, that of the entry's own language first.
fn allocator(program: &Program, entry: Func) -> Option<Allocator> {
    let find = |is_it: &dyn Fn(&str) -> bool, params: usize, results: usize| {
        let signature =
            Signature { params: vec![ValType::I32; params], results: vec![ValType::I32; results] };
        let mut found = program.functions.iter().filter(|(_, function)| {
            function.defined().is_some() && (is_it(&function.symbol) || is_it(&function.name))
        });
        found.find(|(func, _)| *program.signature(*func) == signature).map(|(func, _)| func)
    };
    let free = find(&|name| name == "free", 1, 0);
    let malloc = find(&|name| name == "malloc", 1, 1).map(|malloc| Allocator::Malloc(malloc, free));
    let rust = find(&|name| name.ends_with("__rust_alloc"), 2, 1).map(Allocator::Rust);
    let unit = program.functions[entry].defined().and_then(|defined| defined.unit);
    let is_rust = unit.is_some_and(|unit| program.debug.units[unit].language == "Rust");
    if is_rust { rust.or(malloc) } else { malloc.or(rust) }
}

fn named(program: &Program, name: &str) -> Result<Func, Error> {
    // Without `_start`, main would have neither arguments nor streams that are closed in the end.
    if name == MAIN
        && let Some(start) = exported(program, COMMAND)
    {
        return Ok(start);
    }
    if let Some(func) = exported(program, name) {
        return Ok(func);
    }
    let here = |func: &Func| program.functions[*func].defined().is_some();
    let mut found: Vec<Func> = program.find_functions(name).into_iter().filter(here).collect();
    if found.is_empty() {
        found = with_file(program, name);
    }
    if found.is_empty() {
        found = longer_names(program, name);
    }
    match found[..] {
        [only] => Ok(only),
        [] => {
            // Only compilers leave functions out.
            let left_out = match program.debug.units.is_empty() {
                true => "",
                false => " Inline functions and templates that nobody calls are not compiled.",
            };
            let advice = format!("{}{left_out}", callable_list(program));
            Err(Error::NoSuchFunction { name: name.into(), advice })
        }
        _ => Err(Error::SeveralFunctions { name: name.into(), advice: distinction(program, &found) }),
    }
}

/// The functions that `a.c:parse` may mean.
fn with_file(program: &Program, name: &str) -> Vec<Func> {
    let Some((file, name)) = name.rsplit_once(':').filter(|(file, _)| !file.ends_with(':')) else {
        return Vec::new();
    };
    let is_there = |func: &Func| {
        let declared = program.declared_at(*func).and_then(|frame| frame.file).unwrap_or_default();
        declared.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    program.find_functions(name).into_iter().filter(is_there).collect()
}

/// The functions that this may be a short name of: C++ and Rust have longer ones.
fn longer_names(program: &Program, name: &str) -> Vec<Func> {
    let is_it = |full: &str| {
        let full = full.replace("(anonymous namespace)::", "");
        let path = full.split('(').next().unwrap_or_default();
        path == name || path.strip_suffix(name).is_some_and(|before| before.ends_with("::"))
    };
    let found = program
        .functions
        .iter()
        .filter(|(_, function)| function.defined().is_some() && is_it(&function.name));
    found.map(|(func, _)| func).collect()
}

/// How to name one of several functions.
fn distinction(program: &Program, found: &[Func]) -> String {
    const SHOWN: usize = 5;
    let name = |func: &Func| &program.functions[*func].name;
    let all_named_alike = found.iter().all(|func| name(func) == name(&found[0]));
    let full = |func: &Func| match program.declared_at(*func).and_then(|frame| frame.file) {
        Some(file) if all_named_alike => format!("`{file}:{}`", name(func)),
        _ => format!("`{}`", name(func)),
    };
    let mut names: Vec<String> = found.iter().map(full).collect();
    names.dedup();
    names.truncate(SHOWN);
    format!("Give the whole name: {}.", names.join(" or "))
}

/// `_start`, else a fuzz target, else the only harness, else the only function that a person can have meant, else the start function.
fn default(program: &Program) -> Result<Func, Error> {
    let has_main = !program.functions.iter().any(|(_, function)| function.symbol == NO_MAIN);
    let usual = [COMMAND].into_iter().filter(|_| has_main).chain(FUZZ_TARGETS);
    if let Some(func) = usual.filter_map(|name| exported(program, name)).next() {
        return Ok(func);
    }
    match &harnesses(program)[..] {
        [] => {}
        [only] => return Ok(*only),
        several => {
            let names = several.iter().map(|func| format!("`{}`", program.functions[*func].name));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(Error::NoEntry(format!("Name one of the harnesses as the entry: {names}.")));
        }
    }
    match (&callable(program)[..], program.start) {
        ([(func, _)], _) => Ok(*func),
        // Some programs do all they do while they are instantiated.
        ([], Some(start)) => Ok(start),
        _ => Err(Error::NoEntry(callable_list(program))),
    }
}

/// The functions that are marked as harnesses.
fn harnesses(program: &Program) -> Vec<Func> {
    let marked = program.exports.iter().filter_map(|export| {
        let name = export.name.strip_prefix(HARNESS_MARK)?;
        // In C the mark is the function's only export, in Rust it is one beside it.
        let itself = match export.kind {
            Extern::Func(func) if program.functions[func].name == name => Some(func),
            _ => None,
        };
        exported(program, name).or(itself)
    });
    let mut found: Vec<Func> = marked.collect();
    found.sort();
    found.dedup();
    found
}

/// The exported functions that are not the tool chain's own.
fn callable(program: &Program) -> Vec<(Func, &Export)> {
    // C reserves names with an underscore in front for compilers and libraries; C++ makes its own names of others.
    let is_own = |name: &str| !name.starts_with('_') || name.starts_with("_Z");
    functions(program).filter(|(_, export)| is_own(&export.name)).collect()
}

fn callable_list(program: &Program) -> String {
    const SHOWN: usize = 20;
    let mut names: Vec<String> =
        callable(program).iter().map(|(_, export)| format!("`{}`", names::demangle(&export.name))).collect();
    if names.is_empty() {
        return match exported(program, COMMAND) {
            Some(_) => "Leave the entry out to start the whole program; `coax dump functions` lists what else there is.".into(),
            None => "The program exports no function; `coax dump functions` lists what there is.".into(),
        };
    }
    let hidden = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let more = if hidden == 0 { String::new() } else { format!(" and {hidden} more") };
    format!("Name one of the exported functions as the entry: {}{more}.", names.join(", "))
}
