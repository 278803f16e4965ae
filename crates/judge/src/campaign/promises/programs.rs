//! The programs that promises are kept for: of all sizes, and of the kinds that searches are hard to end on. One more source is one more function here.

use anyhow::Result;
use coax_judge::examples;
use coax_judge::harnesses::Harnesses;
use coax_judge::large::{ENTRY, LARGE};
use coax_judge::random::tasks::task;
use coax_judge::thirdparty::Table;
use std::ffi::OsString;
use std::path::Path;

/// Programs of others that read standard input, small and large.
const OTHERS: [&str; 4] = ["bzip2", "expat", "lua", "sqlite"];
/// Harnesses of these styles are small programs that ask for their input.
const STYLES: [&str; 5] = ["testcomp", "cbmc", "owi", "wasp", "klee"];
/// The example whose tests are written in other forms, how it is searched, and in which.
const WITH_FORMATS: &str = "triangle.c";
const FORMATS: [&str; 2] = ["--entry=classify", "--emit=c,ktest,testcomp,corpus,lcov,sarif,junit,html"];
/// How many tasks are made.
const TASKS: usize = 112;

/// A program, and what of it is promised beside an end in time.
pub struct Program {
    pub name: String,
    /// What `coax cover` is told.
    pub arguments: Vec<OsString>,
    /// What comes after `--`.
    pub given: Vec<OsString>,
    /// Whether the first test must be there soon after the program is prepared: a run of it takes no second.
    pub is_quick: bool,
    /// Whether every branch must be covered or have a reason: of what is large, that is the report's longest part.
    pub is_counted: bool,
}

/// All of them; those that must be written go to this place.
pub fn programs(
    harnesses: &Harnesses,
    targets: &[&str],
    table: &Table,
    place: &Path,
    seed: u64,
) -> Result<Vec<Program>> {
    let mut all = of_harnesses(harnesses, targets)?;
    all.extend(of_examples(table)?);
    all.extend(of_others(table)?);
    all.extend(with_formats(table));
    all.extend(of_tasks(place, seed)?);
    all.extend(of_large(place)?);
    Ok(all)
}

fn of_harnesses(harnesses: &Harnesses, targets: &[&str]) -> Result<Vec<Program>> {
    let is_wanted = |name: &&str| harnesses.is_there(name) && STYLES.contains(&harnesses.style(name));
    let names = harnesses.names(&[])?;
    let mut all = Vec::new();
    for name in targets.iter().copied().chain(names.into_iter().filter(is_wanted)) {
        let told = harnesses.told(name)?;
        all.push(Program {
            name: name.to_owned(),
            arguments: told.options,
            given: told.args.into_iter().map(Into::into).collect(),
            is_quick: false,
            is_counted: true,
        });
    }
    Ok(all)
}

fn of_examples(table: &Table) -> Result<Vec<Program>> {
    let one = |(file, arguments): (String, Vec<String>)| Program {
        name: file,
        arguments: arguments.into_iter().map(Into::into).collect(),
        given: Vec::new(),
        is_quick: true,
        is_counted: true,
    };
    Ok(examples::searches(table.repository())?.into_iter().map(one).collect())
}

fn of_others(table: &Table) -> Result<Vec<Program>> {
    let mut all = Vec::new();
    for name in OTHERS.into_iter().filter(|name| table.is_there(name)) {
        let (sources, flags) = table.sources(name)?;
        let mut arguments: Vec<OsString> = sources.into_iter().map(Into::into).collect();
        arguments.push(format!("--cflags={}", flags.join(" ")).into());
        arguments.push("--sym-stdin=16".into());
        let name = name.to_owned();
        all.push(Program { name, arguments, given: Vec::new(), is_quick: false, is_counted: true });
    }
    Ok(all)
}

/// An example whose tests are written in other forms as well, which starts compilers after the search.
fn with_formats(table: &Table) -> Option<Program> {
    let file = table.repository().join("examples").join(WITH_FORMATS);
    file.is_file().then(|| Program {
        name: format!("formats/{WITH_FORMATS}"),
        arguments: [file.into()].into_iter().chain(FORMATS.map(Into::into)).collect(),
        given: Vec::new(),
        is_quick: true,
        is_counted: true,
    })
}

fn of_tasks(place: &Path, seed: u64) -> Result<Vec<Program>> {
    let mut all = Vec::new();
    for task in (seed..).take(TASKS).map(task) {
        let file = place.join(format!("{}.c", task.name));
        std::fs::write(&file, task.text)?;
        let name = format!("task/{}", task.name);
        // Some never end: the first test is what comes after a run that used up its fuel.
        let is_quick = !["endless", "limit", "loop", "ackermann"].iter().any(|it| task.name.contains(it));
        all.push(Program {
            name,
            arguments: vec![file.into()],
            given: Vec::new(),
            is_quick,
            is_counted: true,
        });
    }
    Ok(all)
}

fn of_large(place: &Path) -> Result<Vec<Program>> {
    let mut all = Vec::new();
    for large in LARGE {
        let source = large.source(large.usual);
        let file = place.join(format!("large-{}.{}", large.name, source.extension()));
        std::fs::write(&file, source.text())?;
        let arguments = vec![file.into(), format!("--entry={ENTRY}").into()];
        let name = format!("large/{}", large.name);
        all.push(Program { name, arguments, given: Vec::new(), is_quick: false, is_counted: false });
    }
    Ok(all)
}
