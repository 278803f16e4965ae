//! `coax-cc`: stands in for the C compiler of an existing build, so that it makes wasm.
//!
//!     CC=coax-cc CXX=coax-cxx make
//!     ./configure --host=wasm32-wasi CC=coax-cc CXX=coax-cxx
//!
//! Called as `coax-cxx` (a link to it) or with `--driver-mode=g++` it is the C++ compiler. The build's own `-O…` is
//! ignored, so that branches stay as written; `COAX_CC_OPT` (`O0`, `O1`, `O2`, `O3` or `Os`) sets another level.

mod cache_directory;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use cache_directory::{cache_directory, distrust};
use coax_load::{Optimise, Said, Tools, Wrapper};

/// What `--help` says.
const HELP: &str = "\
coax-cc stands in for the C or C++ compiler of an existing build, so that the build makes wasm that coax can test.

    CC=coax-cc CXX=coax-cxx make
    ./configure --host=wasm32-wasi CC=coax-cc CXX=coax-cxx

It takes the flags of gcc and clang, drops those that are about the host, and leaves linked wasm where the build
expects its program. Called as coax-cxx (a link to it), or with --driver-mode=g++, it is the C++ compiler.

Environment:
  COAX_CC_OPT  O0, O1, O2, O3 or Os; by default branches and functions stay as written, and -O... is ignored
  COAX_CACHE   where its headers live [default: the user's cache directory]
";

fn main() -> ExitCode {
    if std::env::args_os().skip(1).eq(["--help"]) {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let said = match wrapper().and_then(|wrapper| wrapper.run().map_err(said_by_error)) {
        Ok(said) | Err(said) => said,
    };
    let written =
        io::stdout().write_all(&said.stdout).and_then(|()| io::stderr().write_all(said.stderr.as_bytes()));
    if said.success && written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The call as arguments and environment describe it.
fn wrapper() -> Result<Wrapper, Said> {
    let mut arguments = std::env::args_os();
    let program = PathBuf::from(arguments.next().unwrap_or_default());
    let arguments: Vec<String> = arguments
        .map(OsString::into_string)
        .collect::<Result<_, _>>()
        .map_err(|bad| failure(&format!("The argument {bad:?} is not UTF-8. Rename the file it names.")))?;
    // Headers that the build's dependency files will name live here.
    let support = cache_directory().unwrap_or_else(|| std::env::temp_dir().join("coax"));
    if let Some(why) = distrust(&support) {
        return Err(failure(&format!("{why}.")));
    }
    let named_cxx = program.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("xx"));
    Ok(Wrapper {
        cxx: named_cxx || arguments.iter().any(|argument| argument == "--driver-mode=g++"),
        arguments,
        optimise: level(std::env::var("COAX_CC_OPT").ok().as_deref())?,
        support,
        tools: Tools::default(),
    })
}

fn level(text: Option<&str>) -> Result<Optimise, Said> {
    match text {
        None | Some("") => Ok(Optimise::Default),
        Some("O0" | "0") => Ok(Optimise::O0),
        Some("O1" | "1") => Ok(Optimise::O1),
        Some("O2" | "2") => Ok(Optimise::O2),
        Some("O3" | "3") => Ok(Optimise::O3),
        Some("Os" | "s") => Ok(Optimise::Os),
        Some(other) => {
            Err(failure(&format!("COAX_CC_OPT is {other}. Set it to O0, O1, O2, O3 or Os, or unset it.")))
        }
    }
}

/// Compilers speak first, then we do.
fn said_by_error(error: coax_load::Error) -> Said {
    Said { stderr: format!("{}coax-cc: {error}\n", error.messages()), ..Said::default() }
}

fn failure(sentence: &str) -> Said {
    Said { stderr: format!("coax-cc: {sentence}\n"), ..Said::default() }
}
