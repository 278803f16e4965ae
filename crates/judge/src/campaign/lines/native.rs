//! Native builds of a program with the counters of gcov and of llvm-cov, and replays of coax's tests in both.

use super::Options;
use super::compared::Said;
use super::module::{Columns, Module};
use crate::bench::contest::succeed;
use anyhow::{Context, Result, ensure};
use coax_execute::{Argument, Input, Test, Verdict};
use coax_judge::harnesses::Harnesses;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How a run ended: its exit code, if it has one, and what it printed to both streams.
type Ended = (Option<i32>, Vec<u8>, Vec<u8>);

/// The file of counters that a run of llvm-cov's build leaves where it ran.
const COUNTERS: &str = "counters.profraw";

/// What a replay may take, in seconds.
const REPLAY_SECONDS: &str = "10";

/// Both builds of a program.
pub struct Native<'o> {
    place: PathBuf,
    options: &'o Options,
    /// The flags that choose the machine: that with 32 bits, as in wasm, if there are libraries for it.
    machine: Vec<String>,
    is_fuzzers: bool,
}

/// Which tests did natively what they do in coax, by name, and which did not.
#[derive(Default)]
pub struct Replays {
    pub replayed: BTreeSet<String>,
    pub otherwise: BTreeSet<String>,
}

impl<'o> Native<'o> {
    /// Builds a program of C or C++.
    pub fn build(
        harnesses: &Harnesses,
        name: &str,
        place: &Path,
        options: &'o Options,
    ) -> Result<Native<'o>> {
        let (sources, flags) = harnesses.compiled_from(name)?;
        let is_fuzzers = harnesses.style(name) == "libfuzzer";
        fs::create_dir_all(place)?;
        let native = Native { place: place.to_owned(), options, machine: machine(place), is_fuzzers };
        // It is not of the program, whose flags may rename a `main`.
        let driver = match is_fuzzers {
            true => Some(std::env::current_dir()?.join("bench/programs/one_input.c")),
            false => None,
        };
        let profile = options.profile.to_string_lossy();
        let profile = match native.machine.is_empty() {
            true => profile.into_owned(),
            false => profile.replace("x86_64", "i386"),
        };
        let clang = &options.clang;
        let clangs = [clang.clone(), clang.replacen("clang", "clang++", 1)];
        let counters = ["-fprofile-instr-generate", "-fcoverage-mapping"];
        native.compile(
            "gcov",
            &["gcc".into(), "g++".into()],
            &["--coverage"],
            (&sources, &flags, driver.as_deref()),
            &["--coverage"],
        )?;
        native.compile(
            "llvm",
            &clangs,
            &counters,
            (&sources, &flags, driver.as_deref()),
            &["-u__llvm_profile_runtime", &profile],
        )?;
        Ok(native)
    }

    /// Compiles each source for itself, with what its language needs, and links them.
    fn compile(
        &self,
        folder: &str,
        compilers: &[String; 2],
        counters: &[&str],
        (sources, flags, driver): (&[PathBuf], &[String], Option<&Path>),
        libraries: &[&str],
    ) -> Result<()> {
        let folder = self.place.join(folder);
        fs::create_dir_all(&folder)?;
        let mut objects = Vec::new();
        let all = sources.iter().map(|source| (source.as_path(), flags));
        for (number, (source, flags)) in all.chain(driver.map(|driver| (driver, &[][..]))).enumerate() {
            let object = folder.join(format!("{number}.o"));
            let is_c = source.extension().is_some_and(|extension| extension == "c");
            let mut command = Command::new(&compilers[usize::from(!is_c)]);
            command.args(["-w", "-g", "-O0", "-fwrapv"]).args(counters).args(&self.machine).args(flags);
            succeed(command.arg("-c").arg(source).arg("-o").arg(&object).current_dir(&folder))?;
            objects.push(object);
        }
        let mut link = Command::new(&compilers[1]);
        link.args(&self.machine)
            .args(objects)
            .args(libraries)
            .args(["-lm", "-o"])
            .arg(folder.join("program"));
        succeed(&mut link)?;
        Ok(())
    }

    /// Runs all tests of a folder in the module and in both builds. Those count that end and print the same in all three: others did something else.
    pub fn replay(&self, tests: &Path, module: &mut Module<'_>) -> Result<Replays> {
        let mut replays = Replays::default();
        let mut files: Vec<PathBuf> =
            fs::read_dir(tests)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file)?;
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let Test { input, expect, .. } = Test::from_json(&name, &text)?;
            let code = match expect {
                Some(Verdict::Returned(_)) => 0,
                Some(Verdict::Exited(code)) => code as i32 & 255,
                // What a run that is cut off has counted natively is not what it has done.
                _ => {
                    replays.otherwise.insert(name);
                    continue;
                }
            };
            let ran = module.run(&input)?;
            let expected = (Some(code), ran.stdout.clone(), ran.stderr.clone());
            // Counters that were added stay.
            let kept = self.place.join("kept");
            copy_counters(&self.place.join("gcov"), &kept)?;
            let counters = self.place.join("llvm").join(format!("{}.profraw", replays.replayed.len()));
            if self.run("gcov", &input, &counters)? == expected
                && self.run("llvm", &input, &counters)? == expected
            {
                module.add(ran);
                replays.replayed.insert(name);
            } else {
                remove_counters(&self.place.join("gcov"))?;
                copy_counters(&kept, &self.place.join("gcov"))?;
                // The next one writes it again.
                replays.otherwise.insert(name);
                if counters.exists() {
                    fs::remove_file(&counters)?;
                }
            }
        }
        Ok(replays)
    }

    /// The exit code of a run on an input, and what it prints.
    fn run(&self, build: &str, input: &Input, counters: &Path) -> Result<Ended> {
        let place = self.place.join("run");
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::create_dir_all(&place)?;
        for (name, content) in &input.files {
            fs::write(place.join(name), &content.0)?;
        }
        let stdin = self.place.join("stdin");
        fs::write(&stdin, &input.stdin.0)?;
        let mut command = Command::new("timeout");
        // By its mere name, which is what it is called in coax.
        command.arg(REPLAY_SECONDS).arg("program").current_dir(&place);
        if self.is_fuzzers {
            let data = self.place.join("data");
            fs::write(&data, bytes(input)?)?;
            command.arg(data);
        }
        // A zero ends an argument for the program, too.
        let arguments =
            input.args.iter().map(|arg| arg.0.split(|&byte| byte == 0).next().unwrap_or_default());
        command.args(arguments.map(OsStr::from_bytes));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path =
            std::env::join_paths([self.place.join(build)].into_iter().chain(std::env::split_paths(&path)))?;
        command.env_clear().env("PATH", path);
        // A new file, and here: to add to another, or to make folders, the library is at work when the program begins, and leaves an `errno` behind.
        command.env("LLVM_PROFILE_FILE", COUNTERS);
        command.stdin(File::open(&stdin)?);
        let Output { status, stdout, stderr } = command.output().context("`timeout` cannot be started")?;
        if place.join(COUNTERS).exists() {
            fs::rename(place.join(COUNTERS), counters)?;
        }
        Ok((status.code(), stdout, stderr))
    }

    /// What gcov says.
    pub fn gcov(&self) -> Result<Said> {
        gcov(&self.place.join("gcov"))
    }

    /// What llvm-cov says.
    pub fn llvm_cov(&self) -> Result<Said> {
        llvm_cov(self.options, &self.place.join("llvm"), "program")
    }

    /// What it says of columns, once it was asked about lines.
    pub fn llvm_columns(&self) -> Result<Columns> {
        llvm_columns(self.options, &self.place.join("llvm"), "program")
    }
}

/// What llvm-cov says of the counters of a program in a folder.
pub fn llvm_cov(options: &Options, folder: &Path, program: &str) -> Result<Said> {
    let tool = |name: &str| Command::new(options.clang.replacen("clang", name, 1));
    let merged = folder.join("merged");
    succeed(tool("llvm-profdata").args(["merge", "-o"]).arg(&merged).args(with_end(folder, "profraw")?))?;
    let mut export = tool("llvm-cov");
    export.args(["export", "-format=lcov", "-instr-profile"]).arg(&merged).arg(folder.join(program));
    let text = String::from_utf8(succeed(&mut export)?)?;
    let (mut said, mut file) = (Said::default(), String::new());
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            file = name.to_owned();
        } else if let Some((number, count)) = line.strip_prefix("DA:").and_then(|rest| rest.split_once(',')) {
            said.add((file.clone(), number.parse()?), count != "0");
        }
    }
    Ok(said)
}

/// The same about columns, once it was asked about lines.
pub fn llvm_columns(options: &Options, folder: &Path, program: &str) -> Result<Columns> {
    let mut export = Command::new(options.clang.replacen("clang", "llvm-cov", 1));
    export.args(["export", "-instr-profile"]).arg(folder.join("merged")).arg(folder.join(program));
    let text = succeed(&mut export)?;
    Columns::read(&serde_json::from_slice(&text).context("what llvm-cov prints is no JSON")?)
}

/// What gcov says of the counters in a folder.
pub fn gcov(folder: &Path) -> Result<Said> {
    let mut said = Said::default();
    for notes in with_end(folder, "gcno")? {
        let mut command = Command::new("gcov");
        let text = succeed(command.args(["--json-format", "--stdout"]).arg(&notes).current_dir(folder))?;
        let json: Value = serde_json::from_slice(&text).context("what gcov prints is no JSON")?;
        let place = json["current_working_directory"].as_str().unwrap_or_default();
        for file in json["files"].as_array().context("gcov names no files")? {
            let name = Path::new(place).join(file["file"].as_str().unwrap_or_default());
            for line in file["lines"].as_array().context("gcov names no lines")? {
                let number = line["line_number"].as_u64().context("a line has no number")?;
                said.add((name.to_string_lossy().into_owned(), number), line["count"].as_u64() != Some(0));
            }
        }
    }
    Ok(said)
}

/// The bytes that a harness of libFuzzer's is given.
fn bytes(input: &Input) -> Result<Vec<u8>> {
    let data = input.params.iter().find_map(|argument| {
        let json = serde_json::to_value::<&Argument>(argument).ok()?;
        serde_json::from_value::<coax_execute::Data>(json.get("bytes")?.clone()).ok()
    });
    Ok(data.map(|data| data.0).unwrap_or_default())
}

/// What makes compilers build for 32 bits, if they can.
fn machine(place: &Path) -> Vec<String> {
    let source = place.join("try.cc");
    let is_built = |compiler: &str| {
        let mut command = Command::new(compiler);
        command.args(["-m32", "-o"]).arg(place.join("try")).arg(&source);
        command.output().is_ok_and(|output| output.status.success())
    };
    let is_written =
        fs::write(&source, "#include <vector>\nint main() { return std::vector<int>(1)[0]; }\n").is_ok();
    // With floats as wasm has them: gcc's would be longer, and what is printed another number.
    let flags = ["-m32", "-msse2", "-mfpmath=sse"];
    if is_written && is_built("g++") { flags.map(String::from).into() } else { Vec::new() }
}

/// The files in a folder that end like this.
fn with_end(folder: &Path, end: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        files.extend(Some(entry?.path()).filter(|path| path.extension().is_some_and(|it| it == end)));
    }
    files.sort();
    ensure!(!files.is_empty() || end == "gcda", "nothing was measured: {} has no .{end}", folder.display());
    Ok(files)
}

fn copy_counters(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    remove_counters(to)?;
    for file in with_end(from, "gcda")? {
        fs::copy(&file, to.join(file.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

fn remove_counters(folder: &Path) -> Result<()> {
    with_end(folder, "gcda")?.iter().try_for_each(|file| Ok(fs::remove_file(file)?))
}
