//! Harnesses as others build them: with libFuzzer, and with llvm-cov's counters.

use super::Tools;
use anyhow::{Context, Result, ensure};
use coax_judge::harnesses::FuzzTarget;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What makes rustc do what `cargo fuzz` makes it do, but for its sanitizers.
const FUZZING: &str = "--cfg fuzzing -Cpasses=sancov-module -Ccodegen-units=1 -Cllvm-args=-sanitizer-coverage-level=4 \
                       -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                       -Cllvm-args=-sanitizer-coverage-trace-compares";
/// What makes rustc count branches.
const COUNTING: &str = "-Cinstrument-coverage -Zcoverage-options=branch";

/// A harness, built in two ways.
pub(super) struct Native {
    /// With libFuzzer.
    pub fuzzer: PathBuf,
    /// With llvm-cov's counters; runs the file that it is given.
    pub counting: PathBuf,
}

impl Native {
    pub fn build(target: &FuzzTarget, place: &Path, tools: &Tools) -> Result<Native> {
        match target.is_cargo() {
            true => Ok(Native {
                fuzzer: cargo(target, &place.join("fuzzing"), FUZZING, tools)?,
                counting: cargo(target, &place.join("counted"), COUNTING, tools)?,
            }),
            false => Ok(Native {
                fuzzer: fuzzer(target, place, tools)?,
                counting: counting(target, place, tools)?,
            }),
        }
    }
}

/// Builds a target of `cargo fuzz`, with the same libFuzzer as all others.
fn cargo(target: &FuzzTarget, place: &Path, flags: &str, tools: &Tools) -> Result<PathBuf> {
    let machine = &format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = Command::new("cargo");
    command.args(["build", "--quiet", "--release", "--locked", "--target", machine]).args(&target.flags);
    command.arg("--manifest-path").arg(target.sources[0].join("Cargo.toml")).arg("--target-dir").arg(place);
    command.env("RUSTFLAGS", flags).env("CUSTOM_LIBFUZZER_PATH", library_for(target, tools));
    // Branches are counted by what only a compiler that is not stable yet offers without being asked.
    command.env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CARGO_TARGET_DIR");
    succeed(&mut command)?;
    let name = target.flags.last().context("which target?")?;
    Ok(place.join(machine).join("release").join(name))
}

/// Builds a harness in C or C++ with libFuzzer.
fn fuzzer(target: &FuzzTarget, place: &Path, tools: &Tools) -> Result<PathBuf> {
    let program = place.join("fuzzer");
    let objects = compile(target, &place.join("fuzzing"), &["-O1", "-fsanitize=fuzzer-no-link"], tools)?;
    let mut link = Command::new(cxx(tools));
    link.args(&target.native).args(objects).arg(library_for(target, tools)).arg("-o").arg(&program);
    succeed(link.args(["-lpthread", "-lm", "-ldl"]))?;
    Ok(program)
}

/// Builds a harness in C or C++ with counters.
fn counting(target: &FuzzTarget, place: &Path, tools: &Tools) -> Result<PathBuf> {
    let program = place.join("counting");
    let flags = ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"];
    let mut objects = compile(target, &place.join("counted"), &flags, tools)?;
    let main = place.join("one_input.o");
    let source = target.repository.join("bench/programs/one_input.c");
    succeed(Command::new(&tools.clang).args(&target.native).arg("-c").arg(source).arg("-o").arg(&main))?;
    objects.push(main);
    let mut link = Command::new(cxx(tools));
    // As `-fprofile-instr-generate` would, with the library that is beside libFuzzer's.
    let library = library_for(target, tools).replace("libclang_rt.fuzzer", "libclang_rt.profile");
    link.args(&target.native).args(objects).arg("-u__llvm_profile_runtime").arg(library);
    succeed(link.arg("-o").arg(&program).arg("-lm"))?;
    Ok(program)
}

/// The compiler for C++.
fn cxx(tools: &Tools) -> String {
    tools.clang.replacen("clang", "clang++", 1)
}

/// libFuzzer for the machine that a target is compiled for.
fn library_for(target: &FuzzTarget, tools: &Tools) -> String {
    let library = tools.library.to_string_lossy();
    match target.native.iter().any(|flag| flag == "-m32") {
        true => library.replace("x86_64", "i386"),
        false => library.into_owned(),
    }
}

/// Compiles the sources of a target, each with what its language needs.
fn compile(target: &FuzzTarget, place: &Path, flags: &[&str], tools: &Tools) -> Result<Vec<PathBuf>> {
    std::fs::create_dir_all(place)?;
    let mut objects = Vec::new();
    for (number, source) in target.sources.iter().enumerate() {
        let object = place.join(format!("{number}.o"));
        let is_c = source.extension().is_some_and(|extension| extension == "c");
        let compiler = if is_c { tools.clang.clone() } else { tools.clang.replacen("clang", "clang++", 1) };
        let mut command = Command::new(compiler);
        command
            .args(["-g", "-w"])
            .args(flags)
            .args(&target.native)
            .args(&target.flags)
            .arg("-c")
            .arg(source)
            .arg("-o")
            .arg(&object);
        succeed(&mut command)?;
        objects.push(object);
    }
    Ok(objects)
}

/// Runs a command that must succeed; returns what it wrote.
pub(crate) fn succeed(command: &mut Command) -> Result<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("`{name}` cannot be started"))?;
    ensure!(output.status.success(), "{name} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
