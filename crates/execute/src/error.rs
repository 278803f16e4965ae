//! Why coax could not run a program. What a program does wrong is an outcome, not an error.

use serde::{Deserialize, Serialize};

/// Why coax could not run a program.
#[derive(Debug, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The module is beyond what wasmtime compiles.
    #[error("the module cannot be compiled: {0}.\nIf it runs elsewhere, please report it with the module.")]
    Compile(String),
    /// The module is so large that there is no room for the counting.
    #[error("coverage is not available because {0}.\nAsk for no coverage, or split what is so large.")]
    NoCoverage(String),
    /// The counting module is wrong: a defect of coax.
    #[error(
        "the module for coverage is wrong: {0}.\nThis is a defect of coax; please report it with the module."
    )]
    Counting(String),
    /// The checking module is wrong: a defect of coax.
    #[error(
        "the module that checks memory is wrong: {0}.\nThis is a defect of coax; please report it with the module."
    )]
    Checking(String),
    /// The user's description of the allocator does not fit the program.
    #[error(
        "this allocator does not fit: {0}.\nName functions of the program as in `--allocator malloc=my_alloc,free=my_free`."
    )]
    BadAllocator(String),
    /// The instrumented module is wrong: a defect of coax.
    #[error(
        "the instrumented module is wrong: {0}.\nThis is a defect of coax; please report it with the module."
    )]
    Instrument(String),
    /// There is no room for the instrumentation.
    #[error(
        "function `{0}` is too large to be instrumented.\nCompile it with less inlining, or split it into several."
    )]
    FunctionTooLarge(String),
    /// Imports that nobody provides.
    #[error("nobody provides what the program imports: {}.\nLink the libraries that define them, or \
             say what they answer with `--stub NAME=VALUE` or `--stub NAME=unknown`; `--stub-missing` says unknown of all.", .0.join(", "))]
    UnknownImports(Vec<String>),
    /// A stub that cannot be the answer of its import.
    #[error("the stub for `{name}` does not fit: {why}.\nGive it a value of that type, or `unknown`.")]
    BadStub {
        /// The import.
        name: String,
        /// What is wrong with the value.
        why: String,
    },
    /// A stub for nothing.
    #[error(
        "the program does not import `{0}`.\nLeave the stub out; `coax dump functions --all` lists the imports."
    )]
    NoSuchImport(String),
    /// A stub for what somebody answers.
    #[error(
        "`{0}` has an answer already: coax knows it.\nLeave the stub out, or give `--value`; a function of a module (`--stub NAME=FILE.wasm`) may replace it."
    )]
    NeedlessStub(String),
    /// Imports of WASI functions with other types.
    #[error(
        "an import has another type than it should: {0}.\nBuild the program with a current wasi-libc or rustc."
    )]
    BadImport(String),
    /// There is no function of this name.
    #[error("there is no function `{name}` to call.\n{advice}")]
    NoSuchFunction {
        /// The name that was asked for.
        name: String,
        /// What can be called.
        advice: String,
    },
    /// There are several functions of this name.
    #[error("there are several functions `{name}`.\n{advice}")]
    SeveralFunctions {
        /// The name that was asked for.
        name: String,
        /// How to tell them apart.
        advice: String,
    },
    /// There are several functions that could be meant, or none.
    #[error("it is not clear which function to call.\n{0}")]
    NoEntry(String),
    /// The parameters do not match.
    #[error("`{name}` takes {expected}, but was given {given}.\nGive each parameter once, in order.")]
    BadParams {
        /// The function.
        name: String,
        /// The parameters it takes.
        expected: String,
        /// The parameters it was given.
        given: String,
    },
    /// A parameter contradicts itself.
    #[error("the input of `{function}` is wrong: {problem}.\n{advice}")]
    BadArgument {
        /// The function.
        function: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        advice: String,
    },
    /// What parameters point to does not fit into the memory.
    #[error(
        "the program has no room for {bytes} bytes that its parameters point to.\nMake them smaller, or raise the limit of memory."
    )]
    NoRoom {
        /// How many bytes were asked for at once.
        bytes: u64,
    },
    /// A file name of the input is not a relative path.
    #[error(
        "`{0}` is not a file name for the program's directory.\nWrite a relative path without `.` and `..`, like `a/b.txt`."
    )]
    BadFileName(String),
    /// A file of the input is also the directory of another.
    #[error(
        "the input has a file `{file}` and a file `{below}`, which needs `{file}` to be a directory.\nRename one of them."
    )]
    FileClash {
        /// The file.
        file: String,
        /// The file that should be below it.
        below: String,
    },
    /// An input is longer than symbolic ones may be.
    #[error(
        "`{name}` has {bytes} bytes, but an input that is symbols may have {longest} at most.\nGive a shorter one, or raise the limit with `--max-len`."
    )]
    TooLong {
        /// What its symbols are called.
        name: String,
        /// How many it has.
        bytes: u64,
        /// How many it may have.
        longest: u64,
    },
    /// Something that is said to be symbols cannot be.
    #[error(
        "the input says that `{0}` is symbols, but it has nothing of that name, or more bytes of it than it says.\nWrite \
         `stdin`, `arg1` or `files/NAME`, of what the input has."
    )]
    BadSymbols(String),
    /// An environment variable that no program can be given.
    #[error("{0} contains a zero byte, which ends strings.\nLeave it out.")]
    ZeroByte(String),
    /// A value of the input is not what the program asks for.
    #[error(
        "{problem}.\nGive a value of that kind: a number in its range, text of at most so many bytes, or JSON as in a test."
    )]
    BadValue {
        /// Which of the values it is.
        place: usize,
        /// What is wrong.
        problem: String,
    },
    /// The program wants more memory than it may have before it even starts.
    #[error("the program starts with {needed} {what}, the limit is {limit}.\nRaise the limit.")]
    TooSmall {
        /// What it wants: bytes of memory, table elements.
        what: String,
        /// How much.
        needed: u64,
        /// How much it may have.
        limit: u64,
    },
    /// A stored test cannot be read.
    #[error("{name} is not a test: {reason}.\n`coax replay --help` shows what a test looks like.")]
    BadTest {
        /// The test.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A stored test of a newer version.
    #[error("{name} has format {format}, this coax reads up to {}.\nUse a newer coax.", crate::Test::FORMAT)]
    NewTestFormat {
        /// The test.
        name: String,
        /// Its format.
        format: u32,
    },
    /// The run for coverage went another way than the plain run.
    #[error(
        "the run for coverage went another way than the plain run ({counting} instead of {plain}).\nThis is a defect \
             of coax; please report it with the program and its input."
    )]
    Divergence {
        /// What the plain module did.
        plain: String,
        /// What the counting module did.
        counting: String,
    },
    /// The host lacks something: threads, memory, disk.
    #[error("the machine could not run the program: {0}.\nFree memory or disk space, or lower the limits.")]
    Host(String),
}
