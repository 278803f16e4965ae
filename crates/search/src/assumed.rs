//! What proofs take for granted, in words: what is true of all inputs that a search makes, though a caller might do otherwise; how the host
//! answers; what is assumed of programs. Each proof is told with what can matter to it ([`crate::needs`]), so that it is read.

use crate::Subject;
use crate::backward::Granted;
use crate::facts::Trust;
use crate::needs::memory::Memory;
use crate::needs::{
    self, ADDRESSES, BLOCKS, Done, FLOAT_BITS, FLOATS, GROWS, KEEPS, Needs, STATIC, TERMINAL, UNSET,
};
use coax_execute::{Argument, CallbackResult, Content, Entry, Input, Object, PROGRAM_NAME};
use coax_program::addresses::Addresses;
use coax_program::debug_info::Types;
use coax_program::{Extern, Func, Program, Site};
use std::collections::BTreeSet;

/// What programs are called by that are commands.
const COMMAND: &str = "_start";

/// What proofs take for granted: of inputs, of the surroundings, of the program. Whoever reads one is told what matters to it.
#[derive(Debug, Default)]
pub struct Assumed {
    /// Each in words; it matters where something of each of these is done before, everywhere if there are none.
    words: Vec<(Vec<Done>, String)>,
    needs: Needs,
    /// What the whole program may do.
    all: Done,
}

/// What a backward search may take for granted of writes, of what is there at the beginning, and of the stack.
const NO_STRAY_WRITES: &str = "no write leaves the variable or block that its address was made from";
const AS_GIVEN: &str = "all but symbolic input is as given: arguments, environment, other files, which streams are terminals, clock, random numbers, memory that is asked for";
const STACK: &str =
    "every function leaves the stack pointer as it found it, and the stack does not grow into static data";
/// What is true of C's types, where they are used.
const LONG: &str = "`long`, `size_t` and pointers have 32 bits";

/// Which types of C have how many bits, in words.
pub fn data_model(program: &Program) -> &'static str {
    match program.memories.iter().any(|memory| memory.ty.memory64) {
        true => "lp64 (wasm64): int has 32 bits; long, long long, size_t and pointers have 64",
        false => "ilp32 (wasm32): int, long, size_t and pointers have 32 bits; long long has 64",
    }
}

impl Assumed {
    /// What is assumed of inputs like this one.
    pub(crate) fn of(subject: &Subject<'_>, like: &Input, reads_stdin: bool) -> Assumed {
        let program = subject.program;
        // Without an entry nothing was proved.
        let Ok(entry) = Entry::find(program, like.entry.as_deref()) else { return Assumed::default() };
        let before = entry.before(program);
        let needs = Needs::of(program, (entry.func, &before), &|func| subject.is_in_scope(func));
        let mut words = Vec::new();
        // Whoever calls a target of libFuzzer's says how many bytes there are.
        let (says_length, is_command) = (entry.is_libfuzzer(), entry.export == COMMAND);
        of_input(&mut words, subject, like, (is_command, reads_stdin));
        of_surroundings(&mut words, program, subject.symbols.faults, like);
        of_memory(&mut words, subject);
        let longest = subject.symbols.longest;
        let params = (0..like.params.len())
            .filter_map(|number| of_parameter(&like.params, number, longest, says_length));
        words.extend(params.map(|text| (Vec::new(), text)));
        words.extend(of_callbacks(like).into_iter().map(|text| (Vec::new(), text)));
        let is_placed = |it: &Argument| {
            matches!(it.content, Content::Bytes(..) | Content::Text(..) | Content::Pointer(Some(_)))
        };
        if like.params.iter().any(is_placed) {
            words.push((Vec::new(), "what pointers lead to is where it is in these runs".to_owned()));
        }
        words.extend(fresh(program, entry.func).map(|text| (vec![STATIC], text)));
        let all = needs.in_function(entry.func);
        Assumed { words, needs, all }
    }

    /// All that matters to anything in the program.
    pub fn all(&self) -> Vec<String> {
        self.with(self.all)
    }

    /// What matters to what is in these functions.
    pub fn in_functions(&self, funcs: impl IntoIterator<Item = Func>) -> Vec<String> {
        self.with(funcs.into_iter().fold(0, |all, func| all | self.needs.in_function(func)))
    }

    /// What matters to a branch.
    pub(crate) fn before(&self, program: &Program, site: Site) -> Vec<String> {
        self.with(self.needs.before(program, site))
    }

    /// What matters if this is done before.
    fn with(&self, done: Done) -> Vec<String> {
        let matters = |needed: &[Done]| needed.iter().all(|any| done & any != 0);
        self.words.iter().filter(|(needed, _)| matters(needed)).map(|(_, text)| text.clone()).collect()
    }
}

/// What a backward search has taken for granted, in words. Of a program that is entered by these functions, the entry first.
pub fn granted(program: &Program, roots: &[Func], trust: Trust, granted: Granted) -> Vec<String> {
    let all = [(trust.writes, NO_STRAY_WRITES), (trust.start, AS_GIVEN), (granted.stack, STACK)];
    let said = all.into_iter().filter(|(is_granted, _)| *is_granted).map(|(_, text)| text.to_owned());
    let fresh = roots.first().filter(|_| granted.fresh).and_then(|entry| fresh(program, *entry));
    said.chain(fresh).collect()
}

/// That C's `long` is short, if the source of a function has it.
pub fn of_types(program: &Program, types: &Types<'_>, func: Func) -> Option<String> {
    let is_wide = program.memories.iter().any(|memory| memory.ty.memory64);
    (!is_wide && types.has_long(&program.functions[func])).then(|| LONG.to_owned())
}

/// That an entry is called once; a program is begun once in any case.
fn fresh(program: &Program, entry: Func) -> Option<String> {
    let is_command = program.exports.iter().any(|it| it.kind == Extern::Func(entry) && it.name == COMMAND);
    let name = &program.functions[entry].name;
    (!is_command).then(|| format!("`{name}` is called once, when the program has just begun"))
}

/// What is assumed of arguments, standard input and files.
fn of_input(
    words: &mut Vec<(Vec<Done>, String)>,
    subject: &Subject<'_>,
    like: &Input,
    (is_command, reads_stdin): (bool, bool),
) {
    let (program, longest) = (subject.program, subject.symbols.longest);
    let args = imports(program, &["args_get", "args_sizes_get"]);
    let called = format!("the program is called `{PROGRAM_NAME}`");
    match &like.args[..] {
        _ if !is_command => {}
        [] => {
            words.push((vec![args], format!("there are no arguments (`--sym-arg` makes one), and {called}")))
        }
        [_] => words.push((vec![args], format!("there is 1 argument, no longer than given, and {called}"))),
        several => {
            let count = several.len();
            words.push((
                vec![args],
                format!("there are {count} arguments, none longer than given, and {called}"),
            ));
        }
    }
    let read = |source: &str, what: &str, flag: &str| match &like.symbols {
        None => at_most(what, longest),
        Some(symbols) => match symbols.get(source) {
            Some(Some(bytes)) => Some(format!("{what} has at most {bytes} bytes (`{flag}`)")),
            Some(None) => at_most(what, longest),
            None => Some(format!("{what} is as given")),
        },
    };
    let reads = imports(program, &["fd_read", "fd_pread"]);
    // One that is as given is no symbol, so that nothing shows whether it is read.
    let is_given = like.symbols.as_ref().is_some_and(|symbols| !symbols.contains_key("stdin"));
    if reads_stdin || is_command && is_given {
        words.extend(read("stdin", "standard input", "--sym-stdin").map(|text| (vec![reads], text)));
    }
    let file = |name: &String| read(&format!("files/{name}"), &format!("file `{name}`"), "--sym-file");
    let opens = imports(program, &["path_open"]);
    words.extend(like.files.keys().filter_map(file).map(|text| (vec![opens, reads], text)));
}

/// What is assumed of everything else that a program asks for.
fn of_surroundings(words: &mut Vec<(Vec<Done>, String)>, program: &Program, has_faults: bool, like: &Input) {
    let mut add = |needed: Vec<Done>, text: &str| words.push((needed, text.to_owned()));
    let surroundings: [(&[&str], &str); 4] = [
        (&["environ_get", "environ_sizes_get"], "environment variables are as given"),
        (&["clock_time_get", "clock_res_get"], "the clock shows what it shows in these runs"),
        (&["random_get"], "random numbers are those of these runs"),
        (&["path_open", "path_filestat_get", "path_readlink"], "there are no files but those given"),
    ];
    for (names, text) in surroundings {
        add(vec![imports(program, names)], text);
    }
    if !has_faults {
        let names = ["fd_read", "fd_write", "fd_pread", "fd_pwrite"];
        add(vec![imports(program, &names)], "reads and writes do not fail (`--io-faults` lets them)");
    }
    add(vec![TERMINAL], "standard input is no terminal, standard output and errors are");
    add(vec![GROWS], "memory does not run out: `malloc` and its like do not fail");
    add(vec![FLOATS, FLOAT_BITS], "a NaN that was computed has no sign and no payload");
    for (number, import) in program.imports.iter().enumerate() {
        let is_it = |(name, _): &(&String, &String)| {
            **name == import.name || **name == format!("{}.{}", import.module, import.name)
        };
        if let Some((name, said)) = like.stubs.iter().find(is_it).filter(|(_, said)| *said != "unknown") {
            add(vec![needs::import(number)], &format!("`{name}` always gives {said} (`--stub`)"));
        }
    }
}

/// What is assumed of functions that the entry is given, each once.
fn of_callbacks(like: &Input) -> BTreeSet<String> {
    let told = like.callbacks().into_iter().map(|callback| {
        let returns = match callback.result {
            CallbackResult::Nothing => "nothing",
            CallbackResult::Number(_) => "anything",
            CallbackResult::Null => "null",
        };
        format!("`{}` is a function that returns {returns} and changes nothing", callback.name)
    });
    told.collect()
}

/// What is assumed of memory that nobody has written yet, and of where it is.
fn of_memory(words: &mut Vec<(Vec<Done>, String)>, subject: &Subject<'_>) {
    let program = subject.program;
    let mut add = |needed: Done, text: String| words.push((vec![needed], text));
    add(UNSET, "variables without a first value hold what is on the stack in these runs".to_owned());
    add(BLOCKS, "what `malloc` and its like give holds what it holds in these runs".to_owned());
    add(ADDRESSES, "variables and blocks are where they are in these runs".to_owned());
    let addresses = Addresses::read(program);
    let memory = Memory::of(program, addresses.as_ref(), &|func| subject.is_in_scope(func));
    let keepers: Vec<String> = memory.keepers(program).iter().map(|name| format!("`{name}`")).collect();
    let keep = if keepers.len() == 1 { "keeps" } else { "keep" };
    add(KEEPS, format!("the state that {} {keep} is that of these runs", keepers.join(", ")));
}

/// What is done by calling one of these functions of WASI's.
fn imports(program: &Program, names: &[&str]) -> Done {
    let all = program.imports.iter().enumerate();
    let named = all.filter(|(_, import)| names.contains(&&import.name[..]));
    named.fold(0, |all, (number, _)| all | needs::import(number))
}

fn at_most(what: &str, longest: u64) -> Option<String> {
    (longest < u64::MAX).then(|| format!("{what} has at most {longest} bytes (`--max-len`)"))
}

/// What is assumed of one of the parameters. `says_length`: lengths are always true.
fn of_parameter(params: &[Argument], number: usize, longest: u64, says_length: bool) -> Option<String> {
    let argument = &params[number];
    let is_named = argument.name.is_some();
    let name = argument.name.clone().unwrap_or_else(|| format!("param{number}"));
    let guess = match argument.content.byte_count().filter(|_| argument.spare > 0) {
        Some(bytes) => {
            format!(", and has zeros behind its first {bytes} bytes, for nothing says how many it has")
        }
        None => String::new(),
    };
    match &argument.content {
        Content::Bytes(..) | Content::Text(..) if argument.spare == 0 => {
            let at_most = at_most(&format!("`{name}`"), longest);
            // What a slice or a fuzzer has is never null.
            let is_there =
                says_length || params.iter().any(|it| it.name.is_none() && it.counts().contains(&name));
            match at_most.as_deref().and_then(|said| said.split_once(' ')) {
                _ if is_there => at_most,
                Some((_, has)) => Some(format!("`{name}` is not null and {has}")),
                None => Some(format!("`{name}` is not null")),
            }
        }
        Content::Bytes(..) | Content::Text(..) => Some(format!("`{name}` is not null{guess}")),
        Content::Pointer(Some(object)) if object.is_length() => {
            let of = argument.counts().join("` and `");
            Some(format!("`{name}` is not null and leads to how much `{of}` has room for"))
        }
        Content::Pointer(Some(object)) => {
            let more = shape_below(object);
            Some(format!("`{name}` is not null and shares nothing with other pointers{more}{guess}"))
        }
        Content::Pointer(None) => Some(format!("`{name}` is null")),
        // A length without a name is part of a slice.
        Content::LengthOf { also, .. } if is_named && !also.is_empty() => {
            let of = argument.counts().join("` and `");
            Some(format!("`{name}` is how many elements `{of}` have{}", most_elements(argument, longest)))
        }
        Content::LengthOf { name: of, element: 0 | 1, .. } => {
            (is_named && !says_length).then(|| format!("`{name}` is how many bytes `{of}` has"))
        }
        Content::LengthOf { name: of, element, .. } => {
            let most = (longest < u64::MAX).then(|| longest / element);
            match (is_named, most) {
                (true, Some(most)) => {
                    Some(format!("`{name}` is how many elements `{of}` has, at most {most} (`--max-len`)"))
                }
                (true, None) => Some(format!("`{name}` is how many elements `{of}` has")),
                (false, Some(most)) => Some(format!("`{of}` has at most {most} elements (`--max-len`)")),
                (false, None) => None,
            }
        }
        Content::Number(_) | Content::Inline(_) | Content::Callback(_) => None,
    }
}

/// How many elements something can have that several things have, for people.
fn most_elements(length: &Argument, longest: u64) -> String {
    let Content::LengthOf { element, also, .. } = &length.content else { return String::new() };
    let element = also.iter().map(|also| also.element).chain([*element, 1]).max().unwrap_or(1);
    match longest < u64::MAX {
        true => format!(", at most {} (`--max-len`)", longest / element),
        false => String::new(),
    }
}

/// What is assumed of an object beside that it is there.
fn shape_below(object: &Object) -> &'static str {
    let has = |is: &dyn Fn(&Content) -> bool| object.fields.iter().any(|field| is(&field.argument.content));
    let is_deep = has(&|it| matches!(it, Content::Pointer(_) | Content::Bytes(..) | Content::Text(..)));
    match has(&|it| matches!(it, Content::LengthOf { .. })) {
        true => ", and what it leads to has the shape of the first input, with lengths that are true",
        false if is_deep => ", and what it leads to has the shape of the first input",
        false => "",
    }
}
