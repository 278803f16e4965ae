//! What `coax cover --emit` writes, judged by the tools that it is for. A tool that is not there is skipped, and that is said.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A small Rust program with private functions, of which one panics.
const RUST: &str = "//! Digits.\nfn digit(letter: u8, upper: bool) -> u32 {\n    match letter {\n        b'0'..=b'9' => u32::from(letter - b'0'),\n        \
                    b'A'..=b'F' if upper => u32::from(letter - b'A') + 10,\n        b'!' => panic!(\"no digit\"),\n        _ => 99,\n    }\n}\n\n\
                    fn main() {\n    println!(\"{}\", digit(b'7', false));\n}\n";

/// A target of libFuzzer's.
const FUZZ: &str = "#include <stddef.h>\n#include <stdint.h>\nint LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {\n    \
                    if (size > 2 && data[0] == 'c' && data[1] == 'o') {\n        if (data[2] == 'x') __builtin_trap();\n        return 0;\n    }\n    return 0;\n}\n";

/// A program as Test-Comp has them.
const TESTCOMP: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\nint main(void) {\n    \
                        int key = __VERIFIER_nondet_int();\n    if (key * 3 == 3702) {\n        unsigned char level = __VERIFIER_nondet_uchar();\n        \
                        if (level > 200) {\n            return 1;\n        }\n        return 2;\n    }\n    return 0;\n}\n";

/// A program that reads standard input, with a loop, a switch and lines that no input reaches.
const READER: &str = "#include <stdio.h>\n#include <stdlib.h>\n\nstatic int kind(int letter) {\n    switch (letter) {\n    case 'a':\n        \
                      return 1;\n    case 'b':\n        letter = getchar();\n        break;\n    default:\n        return 3;\n    }\n    \
                      if (letter * letter == 7) {\n        puts(\"never\");\n    }\n    return letter;\n}\n\nint main(void) {\n    \
                      int letter, sum = 0;\n    while ((letter = getchar()) != EOF) {\n        sum += kind(letter);\n        \
                      if (sum == 300) {\n            exit(4);\n        }\n    }\n    return sum > 5;\n}\n";

const BRANCHES: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n";

/// How a judge begins that could not judge.
const SKIPPED: &str = "SKIPPED";

/// What a judge needs, and what it says.
struct Judge {
    name: &'static str,
    /// Programs that must be there.
    tools: &'static [&'static str],
    judge: fn(&Place) -> Result<String>,
}

const JUDGES: [Judge; 9] = [
    Judge { name: "testcov", tools: &["testcov", "python3", "gcc", "clang-tidy"], judge: testcov },
    Judge { name: "lcov", tools: &["lcov", "genhtml"], judge: lcov },
    Judge { name: "gcov", tools: &["gcc", "gcov"], judge: gcov },
    Judge { name: "sarif", tools: &["sarif", "check-jsonschema"], judge: sarif },
    Judge { name: "junit", tools: &["python3"], judge: junit },
    Judge { name: "gcc", tools: &["gcc"], judge: gcc },
    Judge { name: "cargo", tools: &["cargo"], judge: cargo },
    Judge { name: "libfuzzer", tools: &["clang"], judge: libfuzzer },
    Judge { name: "chromium", tools: &["chromium"], judge: chromium },
];

/// Where the judging takes place.
struct Place {
    /// The command `coax`.
    coax: PathBuf,
    /// The repository.
    root: PathBuf,
    /// A directory for what is written.
    scratch: PathBuf,
}

/// Asks each judge, and prints what it said.
pub fn formats(wanted: &[String]) -> Result<bool> {
    let scratch = tempfile::tempdir()?;
    let coax = std::env::current_exe()?.with_file_name("coax");
    let place = Place { coax, root: std::env::current_dir()?, scratch: scratch.path().to_owned() };
    println!("| judge | says |\n|-|-|");
    let (mut accepted, mut failed, mut skipped) = (0, 0, 0);
    for Judge { name, tools, judge } in JUDGES {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        if let Some(missing) = tools.iter().find(|tool| !is_there(tool)) {
            println!("| {name} | {SKIPPED}: `{missing}` is not on this machine |");
            skipped += 1;
            continue;
        }
        match judge(&place) {
            Ok(said) if said.starts_with(SKIPPED) => {
                println!("| {name} | {said} |");
                skipped += 1;
            }
            Ok(said) => {
                println!("| {name} | {said} |");
                accepted += 1;
            }
            Err(error) => {
                println!("| {name} | FAILED |");
                eprintln!("{name}: {error:#}");
                failed += 1;
            }
        }
    }
    println!(
        "{}",
        json!({"campaign": "formats", "accepted": accepted, "failed": failed, "skipped": skipped})
    );
    Ok(failed == 0)
}

fn is_there(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(tool).is_file())
}

impl Place {
    /// Covers a program, in a directory of this name; the directory, and the report.
    fn cover(&self, name: &str, format: &str, directory: &Path, args: &[&str]) -> Result<(PathBuf, Value)> {
        let out = self.scratch.join(name);
        let mut command = Command::new(&self.coax);
        command.current_dir(directory).arg("cover").args(args).args([
            "--emit",
            format,
            "--max-runs",
            "400",
            "--json",
            "--out",
        ]);
        let output =
            command.arg(&out).output().context("coax is not beside coax-judge; build the workspace")?;
        let report = serde_json::from_slice(&output.stdout).with_context(|| said(&output))?;
        Ok((out.join(format), report))
    }

    /// Writes a file of the judging's own.
    fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let file = self.scratch.join(name);
        fs::create_dir_all(file.parent().unwrap_or(&self.scratch))?;
        fs::write(&file, text)?;
        Ok(file)
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a command that must succeed; what it said.
fn run(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    ensure!(output.status.success(), "{:?} failed: {}", command.get_program(), said(&output));
    Ok(said(&output))
}

/// TestCov takes the suite and measures that it covers all branches, natively.
fn testcov(place: &Place) -> Result<String> {
    let program = place.write("testcomp/program.c", TESTCOMP)?;
    let (suite, _) =
        place.cover("testcomp-out", "testcomp", &place.scratch.join("testcomp"), &["program.c"])?;
    let zip = place.scratch.join("suite.zip");
    let mut files: Vec<PathBuf> =
        fs::read_dir(&suite)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    run(Command::new("python3").args(["-m", "zipfile", "-c"]).arg(&zip).args(&files))?;
    let goal = place.write("coverage-branches.prp", BRANCHES)?;
    let mut command = Command::new("testcov");
    command.args(["--no-isolation", "--no-plots", "-64", "--goal"]).arg(&goal).arg("--test-suite").arg(&zip);
    command.arg("--output").arg(place.scratch.join("testcov")).arg(&program);
    let text = run(command.current_dir(&place.scratch))?;
    let line = |start: &str| text.lines().find(|line| line.trim_start().starts_with(start)).map(str::trim);
    let result = line("Result:").with_context(|| text.clone())?;
    ensure!(result.contains("DONE") && text.contains("Coverage: 100.0%"), "{text}");
    ensure!(text.contains(&format!("Tests run: {}", files.len() - 1)), "{text}");
    Ok(format!("{result}, all {} tests run, 100 % of its branches covered", files.len() - 1))
}

/// lcov counts the same lines, functions and branches as the report does.
fn lcov(place: &Place) -> Result<String> {
    let args = ["examples/triangle.c", "--entry", "classify"];
    let (folder, report) = place.cover("lcov", "lcov", &place.root, &args)?;
    let file = folder.join("coverage.info");
    let branches = ["--rc", "lcov_branch_coverage=1"];
    let summary = run(Command::new("lcov").arg("--summary").arg(&file).args(branches))?;
    for kind in ["lines", "functions", "branches"] {
        let counted = &report["coverage"][kind];
        let expected = format!("({} of {} {kind})", counted["covered"], counted["total"]);
        ensure!(summary.contains(&expected), "no {expected} in {summary}");
    }
    let html = place.scratch.join("genhtml");
    run(Command::new("genhtml").args(branches).arg("-o").arg(&html).arg(&file).current_dir(&place.root))?;
    ensure!(html.join("index.html").is_file(), "genhtml wrote no page");
    Ok("the same lines, functions and branches as the report; genhtml makes its pages".into())
}

/// A native build that is given the same inputs executes the same lines, as far as both know of a line.
fn gcov(place: &Place) -> Result<String> {
    let source = place.write("gcov/reader.c", READER)?;
    let directory = place.scratch.join("gcov");
    let args = ["reader.c", "--sym-stdin", "4"];
    let (info, _) = place.cover("gcov-out", "lcov", &directory, &args)?;
    let (corpus, _) = place.cover("gcov-out", "corpus", &directory, &args)?;
    let program = directory.join("native");
    run(Command::new("gcc")
        .args(["--coverage", "-O0", "-o"])
        .arg(&program)
        .arg(&source)
        .current_dir(&directory))?;
    let inputs: Vec<PathBuf> =
        fs::read_dir(corpus.join("inputs"))?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    for input in &inputs {
        Command::new(&program).current_dir(&directory).stdin(fs::File::open(input)?).output()?;
    }
    let counts = run(Command::new("gcov").args(["--stdout", "native-reader.c"]).current_dir(&directory))?;
    let native = counts.lines().filter_map(|line| {
        let (count, rest) = line.split_once(':')?;
        let number: u32 = rest.split_once(':')?.0.trim().parse().ok()?;
        (count.trim() != "-").then_some((number, !count.contains('#')))
    });
    let info = fs::read_to_string(info.join("coverage.info"))?;
    let ours: BTreeMap<u32, bool> = info
        .lines()
        .filter_map(|line| line.strip_prefix("DA:")?.split_once(','))
        .filter_map(|(line, count)| Some((line.parse().ok()?, count != "0")))
        .collect();
    let mut compared = (0, 0);
    for (line, is_covered) in native {
        let Some(&ours) = ours.get(&line) else { continue };
        ensure!(ours == is_covered, "line {line} is covered natively: {is_covered}; coax says {ours}");
        compared = (compared.0 + 1, compared.1 + usize::from(is_covered));
    }
    ensure!(compared.0 > compared.1 && compared.1 > 5, "too few lines are compared: {counts}");
    Ok(format!("{} inputs execute {} of {} lines, the same ones", inputs.len(), compared.1, compared.0))
}

/// Where the schema of SARIF 2.1.0 is: `scripts/lib/judges.sh` gets it.
const SCHEMA: &str = "SARIF_SCHEMA";

/// sarif-tools reads the files and counts the failures; the official schema takes them: with failures in C and in Rust, and without any.
fn sarif(place: &Place) -> Result<String> {
    let Some(schema) = std::env::var_os(SCHEMA) else {
        return Ok(format!("{SKIPPED}: {SCHEMA} does not name the schema; `scripts/campaign` gets it"));
    };
    place.write("sarif-rust/digits.rs", RUST)?;
    let directory = place.scratch.join("sarif-rust");
    let programs: [(&Path, &[&str]); 3] = [
        (&place.root, &["examples/average.c"]),
        (&directory, &["digits.rs", "--entry", "digit"]),
        (&place.root, &["examples/triangle.c", "--entry", "classify"]),
    ];
    let mut counts = Vec::new();
    for (number, (directory, args)) in programs.into_iter().enumerate() {
        let (folder, report) = place.cover(&format!("sarif{number}"), "sarif", directory, args)?;
        let file = folder.join("coax.sarif");
        // A pattern of the schema's is one only for readers that are not strict.
        let mut check = Command::new("check-jsonschema");
        check.args(["--regex-variant", "nonunicode", "--schemafile"]).arg(&schema);
        run(check.arg(&file))?;
        let summary = run(Command::new("sarif").arg("summary").arg(&file))?;
        let bugs = report["bugs"].as_array().map_or(0, Vec::len);
        ensure!(summary.contains(&format!("error: {bugs}")), "{summary}");
        counts.push(bugs);
    }
    ensure!(counts[0] > 0 && counts[1] > 0 && counts[2] == 0, "the programs fail in other ways: {counts:?}");
    Ok(format!(
        "{} failures, as the reports have; the schema of SARIF 2.1.0 takes all {} files",
        counts.iter().sum::<usize>(),
        counts.len()
    ))
}

/// A reader of XML finds as many tests and failures as the report has.
fn junit(place: &Place) -> Result<String> {
    let (folder, report) = place.cover("junit", "junit", &place.root, &["examples/average.c"])?;
    let script = "import sys, xml.etree.ElementTree as e; r = e.parse(sys.argv[1]).getroot(); \
                  print(len(r.findall('.//testcase')), len(r.findall('.//failure')))";
    let counted = run(Command::new("python3").args(["-c", script]).arg(folder.join("junit.xml")))?;
    let expected = format!("{} {}", report["tests"], report["bugs"].as_array().map_or(0, Vec::len));
    ensure!(counted.trim() == expected, "{counted} instead of {expected}");
    Ok(format!(
        "{} tests and {} failures, as the report has",
        report["tests"],
        report["bugs"].as_array().map_or(0, Vec::len)
    ))
}

/// The C tests compile without coax, and pass: of a function, of a program that fails, of programs with the harnesses of others.
fn gcc(place: &Place) -> Result<String> {
    let programs: [&[&str]; 5] = [
        &["examples/triangle.c", "--entry", "classify"],
        &["examples/average.c"],
        &["tests/programs/klee/struct.c"],
        &["tests/programs/svcomp/all_types.c"],
        &["tests/programs/svcomp/state_machine.c"],
    ];
    let (mut tests, mut skipped) = (0, 0);
    for (number, args) in programs.iter().enumerate() {
        let (folder, _) = place.cover(&format!("c{number}"), "c", &place.root, args)?;
        let program = place.scratch.join(format!("c-tests{number}"));
        let mut command = Command::new("gcc");
        command
            .args(["-w", "-fwrapv", "-I.", "-Icrates/load/include", "-o"])
            .arg(&program)
            .arg(folder.join("tests.c"));
        run(command.arg("-lm").current_dir(&place.root))?;
        let text = run(&mut Command::new(&program))?;
        tests += text.lines().filter(|line| line.starts_with("ok ")).count();
        skipped += text.lines().filter(|line| line.starts_with("skipped ")).count();
    }
    Ok(format!("{tests} tests of {} programs pass, {skipped} are skipped", programs.len()))
}

/// The Rust tests pass as a module of the file that they are for.
fn cargo(place: &Place) -> Result<String> {
    let source = place.write("rust/src/lib.rs", RUST)?;
    let project = place.scratch.join("rust");
    let (folder, _) = place.cover("rust-out", "rust", &project, &["src/lib.rs", "--entry", "digit"])?;
    let module = format!("\n#[cfg(test)]\n#[path = {:?}]\nmod coax_tests;\n", folder.join("coax_tests.rs"));
    fs::write(&source, format!("{RUST}{module}"))?;
    place.write(
        "rust/Cargo.toml",
        "[package]\nname = \"digits\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n",
    )?;
    let target = place.scratch.join("rust-target");
    let mut command = Command::new("cargo");
    command.args(["test", "--offline", "--lib"]).current_dir(&project).env("CARGO_TARGET_DIR", target);
    let text = run(command.env_remove("RUSTC_WORKSPACE_WRAPPER"))?;
    let line = text.lines().find(|line| line.starts_with("test result:"));
    Ok(line.context("cargo ran no tests")?.to_owned())
}

/// A native build with libFuzzer takes each input, and crashes on those that are called crashes.
fn libfuzzer(place: &Place) -> Result<String> {
    let source = place.write("fuzz/target.c", FUZZ)?;
    let directory = place.scratch.join("fuzz");
    let (folder, _) = place.cover("fuzz-out", "corpus", &directory, &["target.c"])?;
    let program = place.scratch.join("fuzz-target");
    let built =
        Command::new("clang").args(["-g", "-fsanitize=fuzzer", "-o"]).arg(&program).arg(&source).output()?;
    if !built.status.success() && said(&built).contains("libclang_rt.fuzzer") {
        return Ok(format!("{SKIPPED}: clang has no libFuzzer on this machine"));
    }
    ensure!(built.status.success(), "{}", said(&built));
    let (mut fine, mut crashed) = (0, 0);
    for (kind, crashes) in [("inputs", false), ("crashes", true)] {
        for entry in fs::read_dir(folder.join(kind))? {
            let output = Command::new(&program).arg(entry?.path()).current_dir(&place.scratch).output()?;
            ensure!(output.status.success() != crashes, "{}", said(&output));
            if crashes { crashed += 1 } else { fine += 1 }
        }
    }
    ensure!(fine > 0 && crashed > 0, "there are {fine} inputs and {crashed} crashes");
    Ok(format!("{fine} inputs end well, {crashed} crash, as they are called"))
}

/// The page is shown from a file URL, and its parts are there.
fn chromium(place: &Place) -> Result<String> {
    let args = ["examples/triangle.c", "--entry", "classify"];
    let (folder, _) = place.cover("html", "html", &place.root, &args)?;
    let page = format!("file://{}", folder.join("index.html").display());
    let picture = place.scratch.join("page.png");
    let browser = || {
        let mut command = Command::new("chromium");
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
        command
    };
    let dom = run(browser().arg("--dump-dom").arg(&page))?;
    ensure!(dom.contains("class=\"line covered\""), "no covered line in {dom}");
    run(browser()
        .args(["--window-size=1000,1200"])
        .arg(format!("--screenshot={}", picture.display()))
        .arg(&page))?;
    let size = fs::metadata(&picture).context("there is no picture")?.len();
    ensure!(size > 10_000, "the picture has only {size} bytes");
    Ok(format!("the page is there, its picture has {size} bytes"))
}
