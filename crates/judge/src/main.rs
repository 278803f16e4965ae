//! `coax-judge`: runs the long campaigns and the benchmarks that `scripts/campaign` and `scripts/bench` offer.
//!
//! Progress goes to standard error; a Markdown table and, as the last line, one line of JSON to
//! standard output. The exit code is 1 if anything differs.

mod bench;
mod campaign;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use coax_judge::harnesses::Harnesses;
use coax_judge::thirdparty::Table;
use coax_solve::problems::queries::Theory;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Judges coax against independent oracles", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run one campaign.
    Campaign {
        /// Which one.
        #[command(subcommand)]
        campaign: Campaign,
    },
    /// Run one benchmark.
    Bench {
        /// Which one.
        #[command(subcommand)]
        name: Bench,
    },
}

#[derive(Subcommand)]
enum Bench {
    /// Loading and lifting third-party programs, against wasmtime's compile time.
    Load,
    /// From the start of coax to the first test on disk, with an empty cache and with a full one.
    Start {
        /// How often a start with a full cache is measured.
        #[arg(long, default_value_t = bench::start::REPETITIONS)]
        repetitions: usize,
    },
    /// The leading thread's part of a search's processor time, and the work of two workers beside that of one.
    Threads {
        /// How long each search takes.
        #[arg(long, default_value_t = 10)]
        seconds: u32,
    },
    /// The instrumented engine against the plain one: speed, compile time, start of a run, memory.
    Engine,
    /// The solver stack on questions of third-party programs, against z3.
    Solver {
        /// How many questions of each program are asked.
        #[arg(long, default_value_t = 2000)]
        questions: usize,
        /// Only write the questions into this directory.
        #[arg(long)]
        save: Option<PathBuf>,
        /// Only these programs of scripts/thirdparty.toml.
        programs: Vec<String>,
    },
    /// `coax cover` against libFuzzer: branches covered after the same time, measured natively.
    Cover {
        /// How long each search may take, in seconds.
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// How many random seeds each is given.
        #[arg(long, default_value_t = 5)]
        seeds: u32,
        #[command(flatten)]
        libfuzzer: Libfuzzer,
        /// Only these harnesses of scripts/harnesses.toml.
        programs: Vec<String>,
    },
    /// What unknown functions, samples and strategies reach, beside what is reached without them.
    HigherOrder {
        /// Only these tables; may be repeated.
        #[arg(long)]
        only: Vec<bench::higher_order::Table>,
        /// How long each search may take, in seconds; 60, with checksums 20 unless this is given.
        #[arg(long)]
        seconds: Option<u32>,
        /// How many random seeds each search is given.
        #[arg(long, default_value_t = 1)]
        seeds: u32,
        #[command(flatten)]
        libfuzzer: Libfuzzer,
    },
    /// `coax reach` among branches that do not matter: straight-line pieces that it looks at backwards, and time.
    Reach {
        /// How long each search may take, in seconds.
        #[arg(long, default_value_t = 20)]
        seconds: u32,
    },
    /// Programs that assume hundreds of things of their input, one after the other: how many are solved.
    Chains {
        /// How long each search may take, in seconds.
        #[arg(long, default_value_t = 10)]
        seconds: u32,
    },
    /// Lines of third-party programs, chosen at random: what `coax reach` decides of them, with and without backward search.
    Lines {
        /// How many lines of each program.
        #[arg(long, default_value_t = 25)]
        lines: usize,
        /// How long each search may take, in seconds.
        #[arg(long, default_value_t = 10)]
        seconds: u32,
        /// The number that all random choices come from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The programs that nobody has looked at yet, instead of the others.
        #[arg(long)]
        unseen: bool,
        /// Only these programs of scripts/harnesses.toml.
        #[arg(long, value_delimiter = ',')]
        programs: Vec<String>,
    },
    /// Modules that are large in one way, made for it: time and memory of each stage before the first run.
    Prepare {
        /// The size of each, instead of the usual one.
        #[arg(long)]
        number: Option<u32>,
        /// Only `coax cover`, without the stages.
        #[arg(long)]
        only_cover: bool,
        /// Only write each module into this directory.
        #[arg(long)]
        save: Option<PathBuf>,
        /// Goes through the stages of this file, in this process.
        #[arg(long, hide = true)]
        stages_of: Option<PathBuf>,
        /// Only these kinds.
        kinds: Vec<String>,
    },
    /// How long the mutation stage takes to try an input.
    Trials {
        /// Only these harnesses of scripts/harnesses.toml.
        programs: Vec<String>,
    },
}

/// What programs are fuzzed with.
#[derive(Args)]
struct Libfuzzer {
    /// The library that makes a program libFuzzer's; `scripts/bench` gets it.
    #[arg(long)]
    library: PathBuf,
    /// The clang that it belongs to.
    #[arg(long)]
    clang: String,
}

impl Libfuzzer {
    /// With it, coax, which is beside this program.
    fn tools(self) -> anyhow::Result<bench::contest::Tools> {
        let coax = std::env::current_exe()?.with_file_name("coax");
        Ok(bench::contest::Tools { coax, clang: self.clang, library: self.library })
    }
}

impl Bench {
    fn run(self) -> anyhow::Result<()> {
        match self {
            Bench::Load => bench::load::run(&table()?),
            Bench::Start { repetitions } => {
                let coax = std::env::current_exe()?.with_file_name("coax");
                bench::start::run(&table()?, &coax, repetitions)
            }
            Bench::Threads { seconds } => {
                let coax = std::env::current_exe()?.with_file_name("coax");
                let harnesses = Harnesses::read(&std::env::current_dir()?, &store()?)?;
                bench::threads::run(&harnesses, &table()?, &coax, seconds)
            }
            Bench::Engine => bench::engine::run(&table()?),
            Bench::Solver { questions, save, programs } => {
                bench::solver::run(&selected(&programs)?, questions, save.as_deref())
            }
            Bench::Cover { seconds, seeds, libfuzzer, programs } => {
                let harnesses = Harnesses::read(&std::env::current_dir()?, &store()?)?;
                let names = fuzz_targets(&harnesses, &programs)?;
                let options = bench::cover::Options { seconds, seeds };
                bench::cover::run(&harnesses, &names, &libfuzzer.tools()?, &options)
            }
            Bench::HigherOrder { only, seconds, seeds, libfuzzer } => {
                let repository = std::env::current_dir()?;
                let harnesses = Harnesses::read(&repository, &store()?)?;
                let options = bench::higher_order::Options { only, seconds, seeds, repository };
                bench::higher_order::run(&harnesses, &libfuzzer.tools()?, &options)
            }
            Bench::Reach { seconds } => {
                bench::reach::run(&std::env::current_exe()?.with_file_name("coax"), seconds)
            }
            Bench::Chains { seconds } => {
                bench::chains::run(&std::env::current_exe()?.with_file_name("coax"), seconds)
            }
            Bench::Lines { lines, seconds, seed, unseen, programs } => {
                let harnesses = Harnesses::read(&std::env::current_dir()?, &store()?)?;
                let names = programs_of_others(&harnesses, &programs, unseen)?;
                let coax = std::env::current_exe()?.with_file_name("coax");
                let options = bench::lines::Options { lines, seconds, seed, coax };
                bench::lines::run(&harnesses, &names, &options)
            }
            Bench::Prepare { stages_of: Some(file), .. } => bench::prepare::stages_of(&file),
            Bench::Prepare { number, only_cover, save, kinds, .. } => {
                let coax = std::env::current_exe()?.with_file_name("coax");
                let options = bench::prepare::Options { kinds, number, only_cover, save };
                bench::prepare::run(&options, &coax)
            }
            Bench::Trials { programs } => {
                let harnesses = Harnesses::read(&std::env::current_dir()?, &store()?)?;
                bench::trials::run(&harnesses, &fuzz_targets(&harnesses, &programs)?)
            }
        }
    }
}

/// The harnesses of libFuzzer's for code of others whose source is here; those only that are asked for, if any are. Those with
/// checksums have a benchmark of their own, and must be asked for.
fn fuzz_targets<'h>(harnesses: &'h Harnesses, wanted: &[String]) -> anyhow::Result<Vec<&'h str>> {
    let is_fuzzers = |name: &&str| {
        harnesses.style(name) == "libfuzzer"
            && harnesses.is_foreign(name)
            && harnesses.is_there(name)
            && (!wanted.is_empty() || !harnesses.has_checksums(name))
    };
    Ok(harnesses.names(wanted)?.into_iter().filter(is_fuzzers).collect())
}

/// The harnesses and the command-line tools of others whose source is here: those that are asked for; otherwise those that nobody has looked at
/// yet, or all others.
fn programs_of_others<'h>(
    harnesses: &'h Harnesses,
    wanted: &[String],
    unseen: bool,
) -> anyhow::Result<Vec<&'h str>> {
    let is_tool = |name: &&str| harnesses.style(name) == "tool" && harnesses.is_there(name);
    let mut names = fuzz_targets(harnesses, wanted)?;
    names.extend(harnesses.names(wanted)?.into_iter().filter(is_tool));
    names.retain(|name| !wanted.is_empty() || harnesses.is_unseen(name) == unseen);
    Ok(names)
}

/// The harnesses and the command-line tools of others, whose source is here, that native compilers take as they are: those that are asked for, or all.
fn native_programs<'h>(harnesses: &'h Harnesses, wanted: &[String]) -> anyhow::Result<Vec<&'h str>> {
    if wanted == ["none"] {
        return Ok(Vec::new());
    }
    let mut names = programs_of_others(harnesses, wanted, false)?;
    names.extend(programs_of_others(harnesses, wanted, true)?);
    names.sort_unstable();
    names.dedup();
    names.retain(|name| harnesses.is_native(name));
    Ok(names)
}

#[derive(Subcommand)]
enum Campaign {
    /// The spec testsuite on plain and instrumented modules, and on the reference interpreter.
    Spec,
    /// Every scalar and SIMD operator's meaning against wasmtime.
    Operators {
        /// How many tuples of operands each operator gets at least.
        #[arg(long, default_value_t = 5_000)]
        tuples: usize,
        /// The number that all random choices come from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// SSA lowered back to wasm, on the spec testsuite and on random modules.
    Ssa(RandomModules),
    /// Random modules, plain and instrumented: results, traps, memory, globals.
    Modules(RandomModules),
    /// Paths with symbols: the instrumented module against the reference interpreter.
    Events(RandomModules),
    /// Calls run alone, skipped, suspended and cut: the rest of the run stays as it is.
    Hooks {
        #[command(flatten)]
        random: RandomModules,
        /// Only these programs of scripts/thirdparty.toml.
        programs: Vec<String>,
    },
    /// Paths against runs on other arguments and, of modules that call WASI, other standard input.
    Paths(RandomModules),
    /// Coverage of plain runs against the directions that the SSA takes.
    Coverage(RandomModules),
    /// WASI in the sandbox against wasmtime's own, call by call.
    Wasi {
        /// How many random sequences of calls to compare, after the table of scenarios.
        #[arg(long, default_value_t = 20_000)]
        scenarios: u64,
        /// The number that all random choices come from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Third-party programs with symbolic standard input: what their paths say of mutated inputs.
    Predictions {
        /// How many mutated inputs of each program are run.
        #[arg(long, default_value_t = 1000)]
        mutants: usize,
        /// Only these programs of scripts/thirdparty.toml.
        programs: Vec<String>,
    },
    /// Programs with the harnesses of many tools, as they are: inputs found and named, stored tests that do the same.
    Harnesses {
        /// How many other inputs of each program are tried.
        #[arg(long, default_value_t = 100)]
        mutants: usize,
        /// Only these programs of scripts/harnesses.toml.
        programs: Vec<String>,
    },
    /// Searches that are killed at random moments and go on, against one that nobody disturbs.
    Kills {
        /// How many kills.
        #[arg(long, default_value_t = 50)]
        kills: u32,
        /// The number that all random choices come from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only these harnesses of scripts/harnesses.toml.
        programs: Vec<String>,
    },
    /// Lines that coax says are covered, against gcov and llvm-cov; and `cover` against `reach` and gcov on random programs.
    Lines {
        /// How long each program is covered, in seconds.
        #[arg(long, default_value_t = 8)]
        seconds: u32,
        /// How many random programs are tried.
        #[arg(long, default_value_t = 40)]
        random: u64,
        /// The number of the first of them.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The clang of llvm-cov; `scripts/campaign` says it.
        #[arg(long)]
        clang: String,
        /// The library that writes its counters; `scripts/campaign` gets it.
        #[arg(long)]
        profile: PathBuf,
        /// Only these programs of scripts/harnesses.toml; `none` for none.
        programs: Vec<String>,
    },
    /// What `coax cover` promises: an end when time is over or after a signal, a reason for each branch, a first test soon, memory below its cap.
    Promises {
        /// Only these, or what begins like that: harnesses of scripts/harnesses.toml, examples (`triangle.c`), `lua`, `sqlite`, `task/`, `large/`, `memory`.
        programs: Vec<String>,
        /// How many programs, at most.
        #[arg(long, default_value_t = usize::MAX)]
        runs: usize,
        /// What tasks are made from, and when signals come.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Searches of many programs, whose runs meet limits on purpose: none may go where it should not have gone.
    Divergences {
        /// How many programs: a third are those that are here, the others random tasks like those of Test-Comp.
        #[arg(long, default_value_t = 200)]
        runs: usize,
        /// The number of the first random task; the others follow.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How long each is searched.
        #[arg(long, default_value = "5s")]
        time: String,
        /// Only random tasks.
        #[arg(long)]
        random: bool,
    },
    /// What `coax cover --emit` writes, by the tools that it is for; those that are missing are skipped.
    Formats {
        /// Only these judges: testcov, lcov, gcov, sarif, junit, gcc, cargo, libfuzzer, chromium.
        judges: Vec<String>,
    },
    /// Random questions to each solver and to the whole stack, against z3.
    Queries {
        /// How many questions of each theory are asked.
        #[arg(long, default_value_t = 100_000)]
        questions: u64,
        /// Only of this theory: BitVectors, Functions, Floats or Tables.
        #[arg(long, value_parser = campaign::theory)]
        theory: Option<Theory>,
        /// The number that all random choices come from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// The solver stack for long: its memory over many questions, and how late solvers are that are told to end.
    Solver {
        /// How many questions are asked in one process.
        #[arg(long, default_value_t = 1_000_000)]
        questions: u64,
        /// The number that all random choices come from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Strategies for unknown functions over few values, against trying all functions and all inputs.
    Validity {
        /// How many questions of each kind are asked.
        #[arg(long, default_value_t = 20_000)]
        runs: u64,
        /// What an answer may cost, in microseconds or so.
        #[arg(long, default_value_t = 100_000)]
        effort: u64,
        /// The number that all random choices come from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Places that a backward search calls unreachable, in random programs, against trying all inputs.
    Unreachable {
        /// How many programs; each has about a hundred places.
        #[arg(long, default_value_t = 300)]
        programs: u64,
        /// The number of the first one; the others follow.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Instead, dead code that is planted in programs of scripts/harnesses.toml: in these, or in all that are C.
        #[arg(long, value_name = "PROGRAMS", value_delimiter = ',', num_args = 0..)]
        planted: Option<Vec<String>>,
        /// Instead, what runs of programs of scripts/harnesses.toml cover, which nobody may call unreachable: of these, or of all that others wrote.
        #[arg(long, value_name = "PROGRAMS", value_delimiter = ',', num_args = 0.., conflicts_with = "planted")]
        covered: Option<Vec<String>>,
        /// How long each program is covered for that, in seconds.
        #[arg(long, default_value_t = 10)]
        seconds: u32,
    },
    /// Third-party programs: as native builds do, also through SSA; the same paths in both engines; versions.
    Thirdparty {
        /// Only these programs of scripts/thirdparty.toml.
        programs: Vec<String>,
    },
}

#[derive(Args)]
struct RandomModules {
    /// How many runs of random modules to compare.
    #[arg(long, default_value_t = 100_000)]
    runs: u64,
    /// The number that all random choices come from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Campaign {
    /// Whether nothing differs.
    fn run(self) -> anyhow::Result<bool> {
        match self {
            Campaign::Spec => campaign::spec(),
            Campaign::Operators { tuples, seed } => campaign::operators(tuples, seed),
            Campaign::Ssa(RandomModules { runs, seed }) => campaign::ssa(runs, seed),
            Campaign::Modules(RandomModules { runs, seed }) => campaign::modules(runs, seed),
            Campaign::Events(RandomModules { runs, seed }) => campaign::events(runs, seed),
            Campaign::Hooks { random: RandomModules { runs, seed }, programs } => {
                campaign::hooks(runs, seed, &selected(&programs)?)
            }
            Campaign::Paths(RandomModules { runs, seed }) => campaign::paths(runs, seed),
            Campaign::Coverage(RandomModules { runs, seed }) => campaign::coverage(runs, seed),
            Campaign::Wasi { scenarios, seed } => campaign::wasi(scenarios, seed),
            Campaign::Predictions { mutants, programs } => {
                campaign::predictions(&selected(&programs)?, mutants)
            }
            Campaign::Harnesses { mutants, programs } => {
                let harnesses = Harnesses::read(&std::env::current_dir()?, &store()?)?;
                campaign::harnesses(&harnesses, &programs, mutants)
            }
            Campaign::Kills { kills, seed, programs } => {
                let harnesses = Harnesses::read(&std::env::current_dir()?, &store()?)?;
                let coax = std::env::current_exe()?.with_file_name("coax");
                let names = fuzz_targets(&harnesses, &programs)?;
                campaign::kills(&harnesses, &names, &coax, kills, seed)
            }
            Campaign::Promises { programs: names, runs, seed } => {
                let harnesses = Harnesses::read(&std::env::current_dir()?, &store()?)?;
                let coax = std::env::current_exe()?.with_file_name("coax");
                let targets = fuzz_targets(&harnesses, &[])?;
                campaign::promises(
                    &harnesses,
                    &targets,
                    &table()?,
                    &coax,
                    &campaign::Wanted { names, runs, seed },
                )
            }
            Campaign::Lines { seconds, random, seed, clang, profile, programs } => {
                let harnesses = Harnesses::read(&std::env::current_dir()?, &store()?)?;
                let names = native_programs(&harnesses, &programs)?;
                let coax = std::env::current_exe()?.with_file_name("coax");
                let options = campaign::LineOptions { seconds, random, seed, coax, clang, profile };
                campaign::lines(&harnesses, &names, &options)
            }
            Campaign::Divergences { runs, seed, time, random } => {
                let repository = std::env::current_dir()?;
                let harnesses = Harnesses::read(&repository, &store()?)?;
                let coax = std::env::current_exe()?.with_file_name("coax");
                let options = campaign::DivergenceOptions { runs, seed, time, is_random_only: random };
                campaign::divergences(&harnesses, &repository, &coax, &options)
            }
            Campaign::Formats { judges } => campaign::formats(&judges),
            Campaign::Queries { questions, theory, seed } => campaign::queries(questions, theory, seed),
            Campaign::Solver { questions, seed } => campaign::solver(questions, seed),
            Campaign::Validity { runs, effort, seed } => campaign::validity(runs, effort, seed),
            Campaign::Unreachable { programs, seed, planted: None, covered: None, .. } => {
                campaign::unreachable(programs, seed)
            }
            Campaign::Unreachable { covered: Some(wanted), seconds, .. } => {
                let harnesses = Harnesses::read(&std::env::current_dir()?, &store()?)?;
                let names = programs_of_others(&harnesses, &wanted, false)?;
                let coax = std::env::current_exe()?.with_file_name("coax");
                campaign::covered(&harnesses, &names, &coax, seconds)
            }
            Campaign::Unreachable { seed, planted: Some(wanted), .. } => {
                let (repository, store) = (std::env::current_dir()?, store()?);
                let harnesses = Harnesses::read(&repository, &store)?;
                let names = programs_of_others(&harnesses, &wanted, false)?;
                let coax = std::env::current_exe()?.with_file_name("coax");
                campaign::planted(&repository, &store, &coax, &names, seed)
            }
            Campaign::Thirdparty { programs } => campaign::thirdparty(&selected(&programs)?),
        }
    }
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Campaign { campaign } => campaign.run(),
        Command::Bench { name } => name.run().map(|()| true),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The third-party programs with these names; all, if none is given.
fn selected(programs: &[String]) -> anyhow::Result<Table> {
    let mut table = table()?;
    if !programs.is_empty() {
        table.select(programs)?;
    }
    Ok(table)
}

/// The third-party programs, as `scripts/thirdparty` leaves them; it and we run at the repository's root.
fn table() -> anyhow::Result<Table> {
    Table::read(&std::env::current_dir()?, &store()?)
}

/// Where `scripts/thirdparty` puts the sources of others.
fn store() -> anyhow::Result<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let cache = || variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    let store = variable("COAX_THIRDPARTY").or_else(|| Some(cache()?.join("coax/thirdparty")));
    store.context("neither COAX_THIRDPARTY nor HOME is set; set one")
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_contributors_page_names_every_campaign() {
        let page = include_str!("../../../CONTRIBUTING.md");
        let command = Cli::command();
        let campaigns = command.find_subcommand("campaign").expect("there are campaigns");
        for campaign in campaigns.get_subcommands() {
            let row = format!("\n| `{}` |", campaign.get_name());
            assert!(page.contains(&row), "CONTRIBUTING.md has no row `{}`", campaign.get_name());
        }
    }
}
