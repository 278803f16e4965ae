//! Reading the command lines of gcc and clang, as users, compilation databases and build systems write them.
//!
//! A command line made for the host is full of flags that mean nothing for wasm (`-march`, `-fPIC`, `-pthread`).
//! [`Policy::Portable`] keeps only flags that change what the source means; the tables below say which. A flag the
//! user gives to coax directly is kept whatever it is.

use std::path::PathBuf;

use crate::Optimise;

/// Which flags are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// All: they were written for our compiler.
    Everything,
    /// Those that change what the source means: they were written for the host's compiler.
    Portable,
}

/// A command line, understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandLine {
    pub action: Action,
    /// The flags that ask for [`Action::Other`], or do so when there is no file.
    pub action_flags: Vec<String>,
    pub output: Option<PathBuf>,
    /// Files and `-l` libraries in their order, which matters to linkers.
    pub items: Vec<Item>,
    pub compile_flags: Vec<String>,
    /// Flags for wasm-ld.
    pub link_flags: Vec<String>,
    pub optimise: Option<Optimise>,
    /// `-x`: what files are whose names do not say.
    pub language: Option<String>,
    pub dependencies: Dependencies,
    /// `-shared` or `-r`: the result will be linked again.
    pub partial: bool,
}

/// What the compiler is asked to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Action {
    /// Compile and link.
    #[default]
    Link,
    /// `-c`.
    Compile,
    /// `-E`, `-S`, `-M`, `-fsyntax-only`, `--version` …: whatever clang makes of it.
    Other,
}

/// A part of a program on a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A file of any kind.
    File(PathBuf),
    /// `-lNAME`.
    Library(String),
}

/// Dependency files for make, written while compiling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dependencies {
    /// `-MD` or `-MMD`.
    pub write: Option<String>,
    /// `-MF`.
    pub file: Option<PathBuf>,
    /// `-MT`, `-MQ`, `-MP`, `-MG` with their values.
    pub others: Vec<String>,
}

/// Flags whose value may follow in the same argument or in the next one.
const JOINED_OR_SEPARATE: &[&str] = &[
    "-o",
    "-x",
    "-l",
    "-L",
    "-I",
    "-D",
    "-U",
    "-u",
    "-MF",
    "-MT",
    "-MQ",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
];

/// Those of them that change what the source means.
const KEPT_WITH_VALUE: &[&str] =
    &["-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter"];

/// Values of `-x` that mean a language of ours; for others clang starts foreign tools or reads foreign formats.
const LANGUAGES: &[&str] = &[
    "c",
    "c++",
    "c-header",
    "c++-header",
    "cpp-output",
    "c++-cpp-output",
    "assembler",
    "assembler-with-cpp",
    "none",
];

/// Flags whose value is the next argument, and which are about the host or the machine code.
pub(crate) const HOST_WITH_VALUE: &[&str] = &[
    "-arch",
    "-target",
    "-include-pch",
    "-isysroot",
    "--sysroot",
    "-B",
    "-T",
    "-e",
    "--param",
    "-mllvm",
    "-Xclang",
    "-Xassembler",
    "-Xpreprocessor",
    "-aux-info",
    "-framework",
    "-install_name",
    "-current_version",
    "-compatibility_version",
    "-h",
    "-soname",
    "-rpath",
    "-G",
    "--serialize-diagnostics",
    "-dumpbase",
    "-dumpdir",
    "-wrapper",
    "-z",
    "-A",
];

/// Whole flags that change what the source means, or what is said about it.
pub(crate) const KEPT: &[&str] =
    &["-ansi", "-undef", "-trigraphs", "-pedantic", "-pedantic-errors", "-w", "-C", "-CC", "-P"];

/// `-f` flags that change what the source means; the others tune code for the host, or are gcc's own.
pub(crate) const KEPT_F: &[&str] = &[
    "-fwrapv",
    "-ftrapv",
    "-fsigned-char",
    "-funsigned-char",
    "-fno-signed-char",
    "-fno-unsigned-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fsigned-bitfields",
    "-funsigned-bitfields",
    "-fno-strict-aliasing",
    "-fstrict-aliasing",
    "-fno-strict-overflow",
    "-fno-builtin",
    "-ffreestanding",
    "-fhosted",
    "-fcommon",
    "-fno-common",
    "-fms-extensions",
    "-fgnu89-inline",
    "-fno-gnu-keywords",
    "-fpermissive",
    "-fno-rtti",
    "-frtti",
    "-fno-operator-names",
    "-fchar8_t",
    "-fno-char8_t",
    "-ffast-math",
    "-fno-math-errno",
    "-fmath-errno",
    "-fno-delete-null-pointer-checks",
    "-fno-inline",
    "-fno-threadsafe-statics",
    "-fblocks",
    "-faligned-new",
    "-fsized-deallocation",
    "-fno-asm",
];

/// Beginnings of `-f` flags that carry a value and change what the source means.
pub(crate) const KEPT_F_PREFIXES: &[&str] = &[
    "-fno-builtin-",
    "-finput-charset=",
    "-fexec-charset=",
    "-fwide-exec-charset=",
    "-ftemplate-depth",
    "-fconstexpr-",
    "-fmacro-prefix-map=",
    "-fpack-struct",
    "-ffp-contract=",
];

/// Linker flags that mean the same to wasm-ld.
pub(crate) const KEPT_LINKER: &[&str] = &[
    "--allow-undefined",
    "--export=",
    "--export-all",
    "--export-if-defined=",
    "--undefined=",
    "--whole-archive",
    "--no-whole-archive",
    "--start-lib",
    "--end-lib",
    "--allow-multiple-definition",
    "--wrap=",
    "--initial-memory=",
    "--max-memory=",
    "--import-memory",
    "--unresolved-symbols=",
    "--allow-undefined-file=",
    "--import-undefined",
];

impl CommandLine {
    /// Reads the arguments after the compiler's name.
    pub fn parse(arguments: &[String], policy: Policy) -> CommandLine {
        let mut line = CommandLine::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if argument.starts_with('-') && argument != "-" {
                line.flag(argument, &mut rest, policy);
            } else if policy == Policy::Everything {
                // The value of a flag that is not in our tables: it stays behind its flag.
                line.compile_flags.push(argument.clone());
            } else {
                line.items.push(Item::File(argument.into()));
            }
        }
        line
    }

    /// The names after `-l`.
    pub fn libraries(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            Item::Library(name) => Some(name.as_str()),
            Item::File(_) => None,
        })
    }

    fn flag(&mut self, flag: &str, rest: &mut std::slice::Iter<'_, String>, policy: Policy) {
        let (name, joined) = split(flag);
        let mut value = || joined.map_or_else(|| rest.next().cloned().unwrap_or_default(), str::to_owned);
        match name {
            "-c" => self.action = Action::Compile,
            "-o" => self.output = Some(value().into()),
            "-shared" | "-r" => self.partial = true,
            "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" | "--version" | "-###" | "-dumpversion"
            | "-dumpmachine" | "-dumpfullversion" | "-dM" | "-dD" => {
                self.other_action(flag);
            }
            // Beside files it only asks for more talk; alone it is a question.
            "-v" => self.action_flags.push(flag.to_owned()),
            "-MD" | "-MMD" => self.dependencies.write = Some(flag.to_owned()),
            "-MF" => self.dependencies.file = Some(value().into()),
            "-MP" | "-MG" => self.dependencies.others.push(flag.to_owned()),
            "-MT" | "-MQ" => self.dependencies.others.extend([name.to_owned(), value()]),
            "-l" => self.items.push(Item::Library(value())),
            "-L" => self.link_flags.push(format!("-L{}", value())),
            "-u" => self.link_flags.push(format!("--undefined={}", value())),
            "-Xlinker" => {
                let option = value();
                self.linker_flags(&option, policy);
            }
            "-x" => self.language(value(), policy),
            _ if flag.starts_with("-print-") || flag.starts_with("--print-") => self.other_action(flag),
            _ if flag.starts_with("-Wl,") => self.linker_flags(&flag[4..], policy),
            _ if flag.starts_with("-Wp,") => self.preprocessor_flags(&flag[4..]),
            _ if flag.starts_with("-O") => self.optimise = Some(level(&flag[2..])),
            _ if KEPT_WITH_VALUE.contains(&name) => {
                let value = value();
                if policy == Policy::Portable && is_response_file(&value) {
                    return;
                }
                match joined {
                    Some(_) => self.compile_flags.push(flag.to_owned()),
                    None => self.compile_flags.extend([name.to_owned(), value]),
                }
            }
            _ if HOST_WITH_VALUE.contains(&name) => {
                let value = value();
                if policy == Policy::Everything {
                    self.compile_flags.extend([name.to_owned(), value]);
                }
            }
            _ if policy == Policy::Everything || is_portable(flag) => {
                self.compile_flags.push(flag.to_owned())
            }
            _ => {}
        }
    }

    /// `-x LANGUAGE`.
    fn language(&mut self, language: String, policy: Policy) {
        if policy == Policy::Everything || LANGUAGES.contains(&language.as_str()) {
            self.compile_flags.extend(["-x".to_owned(), language.clone()]);
            self.language = Some(language).filter(|language| language != "none");
        }
    }

    fn other_action(&mut self, flag: &str) {
        self.action = Action::Other;
        self.action_flags.push(flag.to_owned());
    }

    fn linker_flags(&mut self, flags: &str, policy: Policy) {
        let known = |flag: &&str| {
            policy == Policy::Everything
                || KEPT_LINKER
                    .iter()
                    .any(|kept| if kept.ends_with('=') { flag.starts_with(kept) } else { flag == kept })
        };
        self.link_flags.extend(flags.split(',').filter(known).map(str::to_owned));
    }

    /// `-Wp,…`: definitions, and the old way to ask for dependency files.
    fn preprocessor_flags(&mut self, flags: &str) {
        match flags.split_once(',') {
            Some((write @ ("-MD" | "-MMD"), file)) => {
                self.dependencies.write = Some(write.to_owned());
                self.dependencies.file = Some(file.into());
            }
            _ => {
                let defines = |flag: &&str| flag.starts_with("-D") || flag.starts_with("-U");
                let definitions =
                    flags.split(',').filter(defines).filter(|flag| !is_response_file(&flag[2..]));
                self.compile_flags.extend(definitions.map(str::to_owned));
            }
        }
    }
}

/// A flag's name, and its value if that is in the same argument. A whole name wins over the beginning of another.
fn split(flag: &str) -> (&str, Option<&str>) {
    let whole = [JOINED_OR_SEPARATE, HOST_WITH_VALUE, KEPT].concat().contains(&flag);
    let joined = || JOINED_OR_SEPARATE.iter().find(|name| flag.starts_with(**name));
    match if whole { None } else { joined() } {
        Some(name) => (&flag[..name.len()], Some(&flag[name.len()..])),
        None => (flag, None),
    }
}

/// Whether clang might read arguments from the file this value names. The driver hands values to the compiler
/// proper as arguments of their own, joined or not, and that one replaces each `@FILE` by the arguments in it;
/// among those could be one that loads code.
fn is_response_file(value: &str) -> bool {
    value.starts_with('@')
}

/// Whether a flag that is one argument changes what the source means.
fn is_portable(flag: &str) -> bool {
    let prefixed = |prefixes: &[&str]| prefixes.iter().any(|prefix| flag.starts_with(prefix));
    match flag {
        // Warnings of another compiler must not fail the build; -Werror=… names what the author cares about.
        "-Werror" => false,
        _ if flag.starts_with("-Wa,") => false,
        _ if flag.starts_with("-f") => {
            KEPT_F.contains(&flag) || (prefixed(KEPT_F_PREFIXES) && !flag.contains('@'))
        }
        _ => KEPT.contains(&flag) || prefixed(&["-W", "-std=", "--std="]),
    }
}

/// The level behind `-O…`.
fn level(text: &str) -> Optimise {
    match text {
        "0" => Optimise::O0,
        "" | "1" | "g" => Optimise::O1,
        "2" => Optimise::O2,
        "s" | "z" => Optimise::Os,
        _ => Optimise::O3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str, policy: Policy) -> CommandLine {
        CommandLine::parse(&shlex::split(line).unwrap(), policy)
    }

    #[test]
    fn flags_for_the_host_are_dropped() {
        let line = parse(
            "-march=native -m64 -fPIC -DPIC -O2 -g -pipe -pthread -fstack-protector-strong -Wall -Werror \
             -Wp,-D_FORTIFY_SOURCE=2 -I inc -isystem sys -std=gnu11 -fno-strict-aliasing -arch x86_64 -c a.c -o a.o",
            Policy::Portable,
        );
        let kept = "-DPIC -Wall -D_FORTIFY_SOURCE=2 -I inc -isystem sys -std=gnu11 -fno-strict-aliasing";
        assert_eq!(line.compile_flags.join(" "), kept);
        assert_eq!((line.action, line.optimise), (Action::Compile, Some(Optimise::O2)));
        assert_eq!(line.output, Some("a.o".into()));
        assert_eq!(line.items, [Item::File("a.c".into())]);
    }

    #[test]
    fn the_users_own_flags_are_kept() {
        let line = parse(
            "-mbulk-memory -fsanitize=integer -Xclang -foo -Wl,--gc-sections,-z,x -lm",
            Policy::Everything,
        );
        assert_eq!(line.compile_flags.join(" "), "-mbulk-memory -fsanitize=integer -Xclang -foo");
        assert_eq!(line.link_flags, ["--gc-sections", "-z", "x"]);
        assert_eq!(line.items, [Item::Library("m".to_owned())]);
    }

    #[test]
    fn values_may_be_joined_to_their_flags() {
        let joined = parse("-ofoo -xc++ -MFx.d -Iinc -lz -undef -include-pch p.h a.c", Policy::Portable);
        let separate = parse("-o foo -x c++ -MF x.d -Iinc -l z -undef a.c", Policy::Portable);
        assert_eq!(joined, separate);
        assert_eq!(joined.output, Some("foo".into()));
        assert_eq!(joined.compile_flags.join(" "), "-x c++ -Iinc -undef");
        assert_eq!(joined.language.as_deref(), Some("c++"));
    }

    #[test]
    fn a_host_command_line_loads_nothing_into_the_compiler() {
        let hostile = "-fplugin=p.so -fpass-plugin=p.so -Xclang -load -Xclang p.so -Bbin -B bin -specs=s \
                       -fuse-ld=x -wrapper w -mllvm -load=p.so --config=c -x cuda -xhip --driver-mode=cl \
                       -ccc-install-dir bin -save-temps -D @args -include @args -I@args -Wp,-D@args \
                       -ftemplate-depth=@args";
        assert_eq!(parse(hostile, Policy::Portable).compile_flags, [""; 0]);
    }

    #[test]
    fn dependency_flags_are_understood() {
        let line = parse("-MD -MF .deps/a.Tpo -MT a.o -MP -c a.c", Policy::Portable);
        assert_eq!(line.dependencies.file, Some(".deps/a.Tpo".into()));
        assert_eq!(line.dependencies.others, ["-MT", "a.o", "-MP"]);
        let old = parse("-Wp,-MMD,x.d -c a.c", Policy::Portable);
        assert_eq!(
            (old.dependencies.write.as_deref(), old.dependencies.file),
            (Some("-MMD"), Some("x.d".into()))
        );
    }

    #[test]
    fn linking_keeps_the_order_of_libraries() {
        let line = parse("a.o -L. -lz libb.a -Wl,-rpath,/x,--export=f -shared -rdynamic", Policy::Portable);
        let items = [Item::File("a.o".into()), Item::Library("z".to_owned()), Item::File("libb.a".into())];
        assert_eq!(line.items, items);
        assert_eq!(line.link_flags, ["-L.", "--export=f"]);
        assert!(line.partial);
    }
}
