//! Dead code planted in third-party programs: `coax reach` has to prove that nothing gets there.

use crate::bench::searched::search;
use anyhow::{Context, Result, ensure};
use coax_execute::Entry;
use coax_judge::harnesses::Harnesses;
use coax_judge::planted::{Field, KINDS};
use coax_program::Program;
use coax_solve::Random;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How long a search may take, in seconds.
const SECONDS: u32 = 10;
/// How often another place is tried for a plant that was none.
const TRIES: usize = 12;

/// What was said of the plants of a kind.
#[derive(Clone, Copy, Default)]
struct Tally {
    planted: u64,
    proved: u64,
    unknown: u64,
    wrong: u64,
}

/// Plants one of each kind in each of these programs.
pub fn planted(repository: &Path, store: &Path, coax: &Path, names: &[&str], seed: u64) -> Result<bool> {
    let mut tallies = [Tally::default(); KINDS.len()];
    let (mut programs, mut skipped) = (0, 0);
    for name in names {
        let place = tempfile::tempdir()?;
        let garden = Garden::new(repository, store, place.path(), name)?;
        let Some(mut garden) = garden else {
            eprintln!(
                "SKIPPED {name}: no source of it is C, or it was not fetched; run ./scripts/thirdparty"
            );
            skipped += 1;
            continue;
        };
        programs += 1;
        let plants = garden.plant_all(seed)?;
        if plants.len() < KINDS.len() {
            eprintln!("{name}: of {} kinds, a place was found for {}", KINDS.len(), plants.len());
        }
        for (kind, marker) in plants {
            let told = garden.harnesses.told(name)?;
            let mut command = Command::new(coax);
            command.arg("reach").args(&told.options);
            let out = place.path().join(format!("out-{marker}"));
            let searched = search(command, &marker, &told.args, SECONDS, &out)?;
            let tally = &mut tallies[kind];
            tally.planted += 1;
            match searched.verdict.as_str() {
                "unreachable" => tally.proved += 1,
                "unknown" => tally.unknown += 1,
                _ => tally.wrong += 1,
            }
            eprintln!("{name} {}: {} {}", KINDS[kind].name, searched.verdict, searched.reason);
        }
    }
    println!("| what is contradictory | planted | proved | unknown | wrong |\n|-|-:|-:|-:|-:|");
    let mut all = Tally::default();
    for (kind, tally) in KINDS.iter().zip(tallies) {
        let Tally { planted, proved, unknown, wrong } = tally;
        println!("| {} | {planted} | {proved} | {unknown} | {wrong} |", kind.name);
        all.planted += planted;
        all.proved += proved;
        all.unknown += unknown;
        all.wrong += wrong;
    }
    println!(
        "\n{}",
        json!({"campaign": "unreachable", "planted": all.planted, "proved": all.proved, "unknown": all.unknown, "wrong": all.wrong,
               "programs": programs, "skipped": skipped, "seed": seed})
    );
    Ok(all.wrong == 0 && all.planted > 0)
}

/// A copy of a program's source in which something is planted.
struct Garden {
    harnesses: Harnesses,
    name: String,
    /// Its C files.
    files: Vec<PathBuf>,
}

impl Garden {
    fn new(repository: &Path, store: &Path, place: &Path, name: &str) -> Result<Option<Garden>> {
        let original = Harnesses::read(repository, store)?;
        let Some(source) = original.source(name).filter(|_| original.is_there(name)) else { return Ok(None) };
        let copied = Command::new("cp").arg("-r").arg(store.join(source)).arg(place).status()?;
        ensure!(copied.success(), "the source of {name} could not be copied");
        let harnesses = Harnesses::read(repository, place)?;
        let is_c = |file: &PathBuf| file.extension().is_some_and(|it| it == "c") && file.starts_with(place);
        let files: Vec<PathBuf> = harnesses.files(name)?.into_iter().filter(is_c).collect();
        Ok((!files.is_empty()).then(|| Garden { harnesses, name: name.to_owned(), files }))
    }

    /// Plants one of each kind: the kinds, and the markers.
    fn plant_all(&mut self, seed: u64) -> Result<Vec<(usize, String)>> {
        let mut random = Random::new(seed);
        let mut plants = Vec::new();
        for (number, kind) in KINDS.iter().enumerate() {
            for _ in 0..TRIES {
                let file = &self.files[random.below(self.files.len())];
                // Sources may be of a time before UTF-8.
                let before = std::fs::read(file).with_context(|| file.display().to_string())?;
                let mut field = Field::new(&String::from_utf8_lossy(&before));
                let Some(place) = field.place(&mut random) else { continue };
                let marker = field.plant(kind, &place, number);
                std::fs::write(file, field.text())?;
                if self.harnesses.program(&self.name).is_ok_and(|(program, input)| {
                    Entry::find(&program, input.entry.as_deref())
                        .is_ok_and(|entry| is_callable(&program, &entry, &marker))
                }) {
                    plants.push((number, marker));
                    break;
                }
                std::fs::write(file, before)?;
            }
        }
        Ok(plants)
    }
}

/// Whether a function is there and may be called, as far as calls show: the compiler may have seen that it is not.
fn is_callable(program: &Program, entry: &Entry, name: &str) -> bool {
    let callable = program.calls().reachable(entry.roots(program));
    program.find_functions(name).iter().any(|func| callable.contains(func))
}
