//! Programs that assume one thing of their input after the other, hundreds of them, before they come to `solved`: how many are solved in how many runs?
//!
//! Puzzles whose answers are there by construction or known to exist, each in three styles of saying what must hold.

use anyhow::{Context, Result, ensure};
use coax_solve::Random;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// How a program says what must hold: a function that aborts, a harness's import, a branch of its own that exits.
const STYLES: [(&str, &str); 3] = [
    (
        "aborts",
        "extern void abort(void) __attribute__((__noreturn__));\nvoid require(int holds) { if (!holds) abort(); }\n",
    ),
    ("assumes", "extern void __VERIFIER_assume(int);\n#define require __VERIFIER_assume\n"),
    ("exits", "#include <stdlib.h>\n#define require(holds) do { if (!(holds)) exit(0); } while (0)\n"),
];

/// What a program asks for, from where to where each number may be, and what must hold of them.
struct Puzzle {
    name: String,
    numbers: Vec<(String, i64, i64)>,
    body: Vec<String>,
}

/// Prints the table: `coax reach` and `coax cover` on each, for so many seconds.
pub fn run(coax: &Path, seconds: u32) -> Result<()> {
    println!("| puzzle | style | conditions | reach | runs | ms | cover | runs |\n|-|-|-:|-|-:|-:|-|-:|");
    let (mut programs, mut reached, mut covered) = (0, 0, 0);
    for (number, puzzle) in puzzles().iter().enumerate() {
        let (style, head) = STYLES[number % STYLES.len()];
        let place = tempfile::tempdir()?;
        let file = place.path().join("program.c");
        std::fs::write(&file, puzzle.program(head))?;
        let reach = search(coax, &["reach", "--target", "solved"], &file, seconds)?;
        let cover = search(coax, &["cover"], &file, seconds)?;
        let is_reached = reach["targets"][0]["verdict"] == "reached";
        let functions = &cover["coverage"]["functions"];
        let is_covered = functions["covered"] == functions["total"];
        let says = |is: bool| if is { "yes" } else { "no" };
        println!(
            "| {} | {style} | {} | {} | {} | {} | {} | {} |",
            puzzle.name,
            puzzle.body.len() + 2 * puzzle.numbers.len(),
            says(is_reached),
            reach["runs"],
            reach["time_ms"],
            says(is_covered),
            cover["runs"],
        );
        programs += 1;
        reached += u32::from(is_reached);
        covered += u32::from(is_covered);
    }
    let json = json!({
        "bench": "chains", "programs": programs, "reached": reached, "covered": covered, "seconds": seconds,
    });
    println!("\n{json}");
    Ok(())
}

/// The report of a search.
fn search(coax: &Path, arguments: &[&str], file: &Path, seconds: u32) -> Result<Value> {
    let out = file.with_file_name("out");
    let mut command = Command::new(coax);
    command.args(&arguments[..1]).arg(file).args(&arguments[1..]).arg("--out").arg(&out);
    command.args(["--time", &format!("{seconds}s")]).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().context("coax does not start")?;
    ensure!(status.code().is_some_and(|code| code != 2), "coax {arguments:?} ends with {status}");
    let text = std::fs::read(out.join("report.json"))?;
    std::fs::remove_dir_all(&out)?;
    Ok(serde_json::from_slice(&text)?)
}

impl Puzzle {
    fn program(&self, head: &str) -> String {
        let mut text = format!(
            "extern int __VERIFIER_nondet_int(void);\n{head}static int reached;\nvoid solved(void) {{ reached = 1; }}\nint main(void) {{\n"
        );
        for (name, low, high) in &self.numbers {
            let asked = "__VERIFIER_nondet_int();";
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "    int {name} = {asked}\n    require({name} >= {low});\n    require({name} <= {high});"
            );
        }
        self.body.iter().for_each(|line| text += &format!("    {line}\n"));
        text + "    solved();\n    return 0;\n}\n"
    }
}

/// Pairs of different numbers below one.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)))
}

fn numbers(letter: char, count: usize, low: i64, high: i64) -> Vec<(String, i64, i64)> {
    (0..count).map(|number| (format!("{letter}{number}"), low, high)).collect()
}

fn differ(letter: char, count: usize) -> Vec<String> {
    pairs(count).map(|(i, j)| format!("require({letter}{i} != {letter}{j});")).collect()
}

/// All of them: as hard as those of the field, of every kind.
fn puzzles() -> Vec<Puzzle> {
    let mut all = Vec::new();
    for (variables, clauses, seed) in [(50, 170, 1), (100, 200, 2), (200, 320, 3)] {
        all.push(clauses_of(variables, clauses, seed));
        all.push(tables_of(variables, 8 * variables / 5, seed + 3));
    }
    all.extend([5, 8, 10, 12].map(intervals));
    all.extend([8, 9, 10, 12].map(costas));
    all.extend([8, 12].map(queens));
    all.extend([3, 4].map(magic));
    all.extend(
        [(30, 3, 8), (60, 4, 9), (80, 4, 10)].map(|(nodes, colours, seed)| colours_of(nodes, colours, seed)),
    );
    all
}

/// Satisfiable 3-SAT.
fn clauses_of(variables: usize, clauses: usize, seed: u64) -> Puzzle {
    let mut random = Random::new(seed);
    let solution: Vec<usize> = (0..variables).map(|_| random.below(2)).collect();
    let mut body = Vec::new();
    while body.len() < clauses {
        let literals = [0; 3].map(|_| (random.below(variables), random.below(2)));
        if literals.iter().any(|&(variable, value)| solution[variable] == value) {
            let [a, b, c] = literals.map(|(variable, value)| format!("(x{variable} == {value})"));
            body.push(format!("require({a} | {b} | {c});"));
        }
    }
    Puzzle { name: format!("3-SAT, {variables} variables"), numbers: numbers('x', variables, 0, 1), body }
}

/// Triples of values that are forbidden.
fn tables_of(variables: usize, tables: usize, seed: u64) -> Puzzle {
    let mut random = Random::new(seed);
    let solution: Vec<usize> = (0..variables).map(|_| random.below(2)).collect();
    let mut body = Vec::new();
    while body.len() < tables {
        let triple = [0; 3].map(|_| random.below(variables));
        let mut rows = Vec::new();
        for row in 0..8 {
            let values = [0, 1, 2].map(|place| row >> place & 1);
            let is_solution = triple.iter().zip(values).all(|(&variable, value)| solution[variable] == value);
            if !is_solution && random.below(3) == 0 {
                let [a, b, c] = [0, 1, 2].map(|place| format!("x{} == {}", triple[place], values[place]));
                rows.push(format!("({a} & {b} & {c})"));
            }
        }
        if !rows.is_empty() {
            body.push(format!("require(!({} | 0));", rows.join(" | ")));
        }
    }
    Puzzle { name: format!("tables, {variables} variables"), numbers: numbers('x', variables, 0, 1), body }
}

/// All numbers in an order in which all distances of neighbours are different.
fn intervals(count: usize) -> Puzzle {
    let most = count as i64 - 1;
    let mut all = numbers('x', count, 0, most);
    all.extend(numbers('d', count - 1, 1, most));
    let mut body = differ('x', count);
    body.extend(differ('d', count - 1));
    body.push("int way;".to_owned());
    for i in 0..count - 1 {
        body.push(format!("way = x{i} - x{};", i + 1));
        body.push("way = way >= 0 ? way : way * (-1);".to_owned());
        body.push(format!("require(d{i} == way);"));
    }
    Puzzle { name: format!("all intervals, {count}"), numbers: all, body }
}

/// Permutations in which all differences over the same distance are different.
fn costas(count: usize) -> Puzzle {
    let most = count as i64;
    let mut all = numbers('x', count, 1, most);
    let mut body = differ('x', count);
    for distance in 1..count - 1 {
        let named = |i: usize| format!("d{distance}_{i}");
        all.extend((0..count - distance).map(|i| (named(i), 1 - most, most - 1)));
        body.extend(pairs(count - distance).map(|(i, j)| format!("require({} != {});", named(i), named(j))));
        let of_difference = |i: usize| format!("require(x{i} - x{} == {});", i + distance, named(i));
        body.extend((0..count - distance).map(of_difference));
    }
    Puzzle { name: format!("Costas array, {count}"), numbers: all, body }
}

fn queens(count: usize) -> Puzzle {
    let mut body = differ('q', count);
    for (i, j) in pairs(count) {
        body.push(format!("require(q{i} - q{j} != {});", j - i));
        body.push(format!("require(q{j} - q{i} != {});", j - i));
    }
    Puzzle { name: format!("{count} queens"), numbers: numbers('q', count, 0, count as i64 - 1), body }
}

fn magic(side: usize) -> Puzzle {
    let count = side * side;
    let mut body = differ('m', count);
    let mut lines: Vec<Vec<usize>> =
        (0..side).map(|row| (0..side).map(|at| row * side + at).collect()).collect();
    lines.extend((0..side).map(|column| (0..side).map(|at| at * side + column).collect::<Vec<usize>>()));
    lines.push((0..side).map(|at| at * side + at).collect());
    lines.push((0..side).map(|at| at * side + side - 1 - at).collect());
    for line in lines {
        let sum: Vec<String> = line.iter().map(|at| format!("m{at}")).collect();
        body.push(format!("require({} == {});", sum.join(" + "), side * (count + 1) / 2));
    }
    Puzzle { name: format!("magic square, {side}"), numbers: numbers('m', count, 1, count as i64), body }
}

fn colours_of(nodes: usize, colours: usize, seed: u64) -> Puzzle {
    let mut random = Random::new(seed);
    let solution: Vec<usize> = (0..nodes).map(|_| random.below(colours)).collect();
    let is_edge =
        |random: &mut Random, (i, j): (usize, usize)| solution[i] != solution[j] && random.below(nodes) < 7;
    let edges: Vec<(usize, usize)> = pairs(nodes).filter(|&pair| is_edge(&mut random, pair)).collect();
    let body = edges.into_iter().map(|(i, j)| format!("require(c{i} != c{j});")).collect();
    let name = format!("{colours} colours, {nodes} nodes");
    Puzzle { name, numbers: numbers('c', nodes, 0, colours as i64 - 1), body }
}
