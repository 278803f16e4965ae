//! Compiler flags that nobody has to trust: they change what a source means, and nothing else.
//!
//! A flag can load code into the compiler (`-fplugin=`, `-Xclang -load`, `-Clinker=`), start another program (`-B`, `-wrapper`), or read any file
//! (`-include`). Where flags come with a project, and the user has not written them, only those pass that are known here; what is not known
//! is not guessed. The lists are for clang, rustc and cargo at once: what one of them does not know, it refuses.

use std::path::Path;
use std::slice::Iter;

use crate::command_line::{HOST_WITH_VALUE, KEPT, KEPT_F, KEPT_F_PREFIXES, KEPT_LINKER};

/// Whole flags.
const WHOLE: &[&str] = &[
    "-g",
    "-pthread",
    "-nostdlib",
    "-nostdlib++",
    "-nostdinc++",
    "-fno-exceptions",
    "-fexceptions",
    "-fopenmp-simd",
    "--all-features",
    "--no-default-features",
    "--lib",
    "--release",
    "--locked",
    "--offline",
    "--frozen",
];

/// Flags of what a processor of wasm can do; also without, as `-mno-simd128`.
const MACHINE: &[&str] = &[
    "atomics",
    "bulk-memory",
    "bulk-memory-opt",
    "call-indirect-overlong",
    "exception-handling",
    "extended-const",
    "multivalue",
    "mutable-globals",
    "nontrapping-fptoint",
    "reference-types",
    "relaxed-simd",
    "sign-ext",
    "simd128",
    "tail-call",
];

/// Beginnings of flags that carry a value.
const BEGINNINGS: &[&str] =
    &["-gdwarf", "-std=", "--std=", "-fsanitize=", "-fno-sanitize=", "--edition=", "-mexec-model="];

/// Flags whose value is a name, in the same argument or the next one.
const WITH_NAME: &[&str] = &["-D", "-U", "-l"];

/// Flags whose value is a name, in the next argument only.
const BEFORE_NAME: &[&str] =
    &["--bin", "--example", "--test", "--package", "-p", "--features", "--profile", "--cfg", "--edition"];

/// Flags whose value is a file or directory. (Not `-L`: rustc finds macros there, which are code that it runs.)
const WITH_PATH: &[&str] = &["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-I"];

/// What `-C` may set.
const CODEGEN: &[&str] = &["opt-level", "overflow-checks", "debug-assertions", "debuginfo", "target-feature"];

/// Flags, told apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Those that are known to be harmless.
    pub harmless: Vec<String>,
    /// The others, each with its value.
    pub others: Vec<String>,
}

/// Tells flags apart. A path is harmless if `is_inside` says so.
pub fn harmless_flags(flags: &[String], is_inside: &dyn Fn(&Path) -> bool) -> Flags {
    let mut told = Flags::default();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        match judge(flag, &mut rest, is_inside) {
            Some(value) => told.harmless.extend([Some(flag.clone()), value].into_iter().flatten()),
            None => {
                told.others.push(flag.clone());
                // What its value looks like means nothing.
                if HOST_WITH_VALUE.contains(&flag.as_str()) {
                    told.others.extend(rest.next().cloned());
                }
            }
        }
    }
    told
}

/// The value that a harmless flag takes from the next argument, if it takes one; nothing at all if the flag is not known to be harmless.
fn judge(
    flag: &str,
    rest: &mut Iter<'_, String>,
    is_inside: &dyn Fn(&Path) -> bool,
) -> Option<Option<String>> {
    let is_name = |value: &str| !value.is_empty() && !value.starts_with(['-', '@', ':']);
    // A response file, or the compiler's own root.
    let is_path = |value: &str| is_name(value) && !value.starts_with('=') && is_inside(Path::new(value));
    let next = |rest: &mut Iter<'_, String>, is_good: &dyn Fn(&str) -> bool| {
        let value = rest.clone().next().filter(|value| is_good(value))?;
        rest.next();
        Some(Some(value.clone()))
    };
    if is_alone(flag) {
        return Some(None);
    }
    if let Some(parts) = flag.strip_prefix("-Wl,") {
        return parts.split(',').all(is_for_linker).then_some(None);
    }
    if BEFORE_NAME.contains(&flag) {
        return next(rest, &is_name);
    }
    if let Some(setting) = flag.strip_prefix("-C") {
        return match setting {
            "" => next(rest, &is_codegen),
            setting => is_codegen(setting).then_some(None),
        };
    }
    for (names, is_good) in [(WITH_PATH, &is_path as &dyn Fn(&str) -> bool), (WITH_NAME, &is_name)] {
        if let Some(value) = names.iter().find_map(|name| flag.strip_prefix(name)) {
            return match value {
                "" => next(rest, is_good),
                value => is_good(value).then_some(None),
            };
        }
    }
    None
}

/// Whether a flag is harmless that is one argument.
fn is_alone(flag: &str) -> bool {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|begin| flag.starts_with(begin));
    let machine = flag.strip_prefix("-m").map(|name| name.strip_prefix("no-").unwrap_or(name));
    let is_plain = || flag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_=+,.:".contains(&byte));
    match flag {
        // The preprocessor comments of clang are rustc's way to set what code is generated.
        "-C" => false,
        _ if WHOLE.contains(&flag) || KEPT.contains(&flag) || KEPT_F.contains(&flag) => true,
        _ if begins(&["-Wl,", "-Wa,", "-Wp,"]) => false,
        _ if begins(KEPT_F_PREFIXES) => !flag.contains('@'),
        _ if machine.is_some_and(|name| MACHINE.contains(&name)) => true,
        "-O" | "-O0" | "-O1" | "-O2" | "-O3" | "-Os" | "-Oz" | "-Og" => true,
        _ => (begins(BEGINNINGS) || flag.starts_with("-W")) && is_plain(),
    }
}

/// Whether a part of `-Wl,…` is harmless.
fn is_for_linker(part: &str) -> bool {
    let is_it = |known: &str| if known.ends_with('=') { part.starts_with(known) } else { part == known };
    let reads_file = part.starts_with("--allow-undefined-file");
    let is_stack =
        part == "-z" || part.strip_prefix("stack-size=").is_some_and(|size| size.parse::<u64>().is_ok());
    is_stack || !reads_file && KEPT_LINKER.iter().any(|known| is_it(known))
}

/// Whether it is a setting of rustc's code generation that only changes the code.
fn is_codegen(setting: &str) -> bool {
    setting.split_once('=').is_some_and(|(name, _)| CODEGEN.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flags of a line that are not harmless, if all paths but those are inside that begin with a slash or two dots.
    fn others(line: &str) -> Vec<String> {
        let flags = shlex::split(line).unwrap();
        let is_inside = |path: &Path| !path.starts_with("/") && !path.starts_with("..");
        let told = harmless_flags(&flags, &is_inside);
        assert_eq!(told.harmless.len() + told.others.len(), flags.len());
        told.others
    }

    #[test]
    fn flags_that_change_what_a_source_means_pass() {
        let lines = [
            "-DNDEBUG -D X=1 -U Y -Iinclude -I src/include -isystem vendor -include config.h -lm -l z",
            "-Wall -Wno-unused -Wextra -w -pedantic -std=gnu11 --std=c++20 -O2 -g -fwrapv -fno-builtin-printf -ftemplate-depth=99",
            "-fsanitize=undefined,integer -msimd128 -mno-bulk-memory -Wl,--export=f,-z,stack-size=65536 -fno-exceptions -nostdlib",
            "--bin parse --features a,b --no-default-features -p core --release --edition=2024 --cfg fuzzing -C opt-level=2 -Coverflow-checks=on",
        ];
        for line in lines {
            assert_eq!(others(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn flags_that_could_run_code_or_reach_other_files_do_not() {
        let lines = [
            "-fplugin=p.so -fpass-plugin=p.so -Xclang -load p.so -Bbin -B bin -specs=s -fuse-ld=x -wrapper w -mllvm --load=p.so",
            "--config=c --config c @args -x cuda --driver-mode=cl -ccc-install-dir -save-temps -o -print-file-name=x --sysroot=s -L. -L lib",
            "-I/etc -I ../x -include /etc/passwd -include @args -I@args -D @args -D@args -I=x -Wp,-D@args -Wa,x -Wl,--allow-undefined-file=x",
            "-Wl,-plugin,x -Wl,@x -Clinker=x -C linker=x -Clink-arg=x --extern x=y -Zx --manifest-path x --target-dir x -C -Wx/../y",
            "-fprofile-use=x -fmodule-file=x -fsanitize-ignorelist=x -fsanitize=@x -fdebug-compilation-dir=x -mexec-model=@x -I",
        ];
        for line in lines {
            assert_eq!(others(line), shlex::split(line).unwrap(), "{line}");
        }
    }

    #[test]
    fn a_flag_is_no_value() {
        assert_eq!(others("-D -fplugin=x -I -B"), ["-D", "-fplugin=x", "-I", "-B"]);
    }
}
