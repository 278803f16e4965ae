//! The runner's own tests: a case must be able to fail.

use crate::case::Case;
use crate::compare;
use crate::filter::Filter;
use crate::reports::Reports;
use crate::run;
use libtest_mimic::{Failed, Trial};
use std::path::Path;

type Check = fn() -> Result<(), Failed>;

/// All of them.
pub fn trials() -> Vec<Trial> {
    let checks: [(&str, Check); 7] = [
        ("runner: a wrong exit code fails", wrong_exit_code),
        ("runner: files left behind fail", files_left_behind),
        ("runner: reports that are not as their types say fail", wrong_reports),
        ("runner: the transcript has both streams", transcript),
        ("runner: blessing is stable", blessing),
        ("runner: substitution", substitution),
        ("runner: placeholders", placeholders),
    ];
    checks.into_iter().map(|(name, check)| Trial::test(name, check)).collect()
}

/// Runs a case whose file is on disk nowhere but in a fresh directory.
fn run_text(text: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("case.txt");
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let case = Case::read(&path)?.ok_or("it has commands")?;
    let reports = Reports::new().map_err(|error| error.to_string())?;
    run::run(folder.path(), &case, &reports)
}

fn wrong_exit_code() -> Result<(), Failed> {
    let problem = run_text("# RUN: exit 3\n# EXIT: 2\n").unwrap_err();
    assert_that(problem.contains("`exit 3`: exit status: 3, expected 2"), &problem)?;
    run_text("# RUN: exit 2\n# EXIT: 2\n").map(drop).map_err(Failed::from)
}

fn wrong_reports() -> Result<(), Failed> {
    let writes = "mkdir %t/out; touch %t/out/coax.lock; echo '{\"runs\": 1}' > %t/out/report.json";
    let problem = run_text(&format!("# RUN: {writes}\n")).unwrap_err();
    assert_that(problem.contains("out/report.json: missing field"), &problem)?;
    // Where no search was, anything may stand.
    run_text(&format!("# RUN: {writes}; rm %t/out/coax.lock\n")).map(drop).map_err(Failed::from)
}

fn files_left_behind() -> Result<(), Failed> {
    for command in
        ["touch litter", "touch \"$TMPDIR/litter\"", "mkdir empty", "echo more >> case.txt", "rm case.txt"]
    {
        let problem = run_text(&format!("# RUN: {command}\n"));
        assert_that(problem.is_err(), command)?;
    }
    let cache = "# CACHE: untouched\n# RUN: touch \"$XDG_CACHE_HOME/litter\"\n";
    assert_that(run_text(cache).is_err(), "the cache was touched")?;
    run_text("# RUN: touch %t/scratch asked_for\n# LEAVES: asked_for\n").map(drop).map_err(Failed::from)
}

fn transcript() -> Result<(), Failed> {
    let printed = run_text("# RUN: echo one; echo; echo two; echo oops >&2\n# RUN: basename %\n")?;
    let expected =
        "$ echo one; echo; echo two; echo oops >&2\n| one\n|\n| two\n! oops\n$ basename %\n| case.txt\n";
    assert_that(printed == expected, &compare::diff(expected, &printed))
}

fn blessing() -> Result<(), Failed> {
    let path = Path::new("case.c");
    let text = "// RUN: coax x\nint f;\n";
    let case = Case::parse(path, text)?.ok_or("a case")?;
    let blessed = case.with_transcript("$ coax x\n| 1\n|\n! 2\n");
    assert_that(blessed == format!("{text}\n// OUTPUT\n// $ coax x\n// | 1\n// |\n// ! 2\n"), &blessed)?;
    let again = Case::parse(path, &blessed)?.ok_or("a case")?;
    let transcript = again.expected.clone().unwrap_or_default();
    assert_that(again.with_transcript(&transcript) == blessed, &transcript)
}

fn substitution() -> Result<(), Failed> {
    let command = run::substitute("a % %t/x %root/y 50%% '%s' %", "f.c", Path::new("/t"), Path::new("/r"));
    assert_that(command == "a f.c /t/x /r/y 50f.cf.c '%s' f.c", &command)
}

fn placeholders() -> Result<(), Failed> {
    let filter = Filter::new(&[(Path::new("/a"), "[root]"), (Path::new("/a/b"), "[dir]")]);
    let version = env!("CARGO_PKG_VERSION");
    let printed =
        filter.apply(&format!("/a/b/c /a/c coax {version} took 1.5 s, 20ms; v5 s, 3 sites, \"time_ms\":17"));
    let expected = "[dir]/c [root]/c coax [version] took [time], [time]; v5 s, 3 sites, \"time_ms\":[time]";
    assert_that(printed == expected, &printed)?;
    let progress = filter.apply("10 s: 1/2 branches, 3 tests\nerror: 5 s is over\n");
    assert_that(progress == "error: [time] is over\n", &progress)
}

/// An assertion that says what it saw.
fn assert_that(holds: bool, seen: &str) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(Failed::from(seen)) }
}
