//! Proofs against a world that is otherwise: each program has a branch that is dead only as long as something is as in the runs that were made. Its proof must
//! say so. Programs beside them do without: theirs must not. Where an option of coax's makes the world otherwise, the branch must come alive.

#[path = "../../../tests/skipped.rs"]
mod skipped;

use coax_load::Tools;
use serde_json::Value;
use std::process::Command;

/// A program whose branch in the line with this mark is dead.
const MARK: &str = "/* dead */";

/// What is otherwise somewhere, as proofs say it.
const STACK: &str = "variables without a first value";
const BLOCKS: &str = "what `malloc` and its like give holds";
const ADDRESSES: &str = "variables and blocks are where they are";
const STATE: &str = "the state that `rand` keeps";
const FILES: &str = "there are no files but those given";
const NAME: &str = "the program is called `program`";
const TERMINAL: &str = "standard input is no terminal";
const MEMORY: &str = "memory does not run out";
const ONCE: &str = "is called once, when the program has just begun";
const WIDTH: &str = "`long`, `size_t` and pointers have 32 bits";
const READS: &str = "reads and writes do not fail";
const CLOCK: &str = "the clock shows";
const GUESS: &str = "for nothing says how many it has";
const LENGTH: &str = "`n` is how many";
const NULL: &str = "is not null";
const ALL: [&str; 15] = [
    STACK, BLOCKS, ADDRESSES, STATE, FILES, NAME, TERMINAL, MEMORY, ONCE, WIDTH, READS, CLOCK, GUESS, LENGTH,
    NULL,
];

struct Row {
    /// The program; its entry is `f`, if it has one.
    text: &'static str,
    /// What its proof must say, and may say.
    says: &'static [&'static str],
    may_say: &'static [&'static str],
    /// The options with which the branch is alive, if there are such.
    broken_by: &'static [&'static str],
}

const fn row(text: &'static str, says: &'static [&'static str], may_say: &'static [&'static str]) -> Row {
    Row { text, says, may_say, broken_by: &[] }
}

const ROWS: &[Row] = &[
    row(
        "int f(int i) { char b[8]; if (i > 3) b[1] = 5;\n    if (b[i & 7] == 7) /* dead */ return 1;\n    return 0; }",
        &[STACK],
        &[],
    ),
    row(
        "#include <string.h>\nint f(int i) { char b[8]; memset(b, 0, 8);\n    if (b[i & 7] == 7) /* dead */ return 1;\n    return 0; }",
        &[],
        &[WIDTH],
    ),
    row(
        "static void set(char *b) { b[0] = 1; }\nint f(int i) { char b[8]; set(b);\n    if (b[0] == 7) /* dead */ return i;\n    return 0; }",
        &[],
        &[],
    ),
    row(
        "#include <stdlib.h>\nint f(int i) { int *p = malloc(8); if (!p) return i;\n    if (p[1] == 77) /* dead */ return 1;\n    free(p); return 2; }",
        &[BLOCKS],
        &[MEMORY, WIDTH],
    ),
    row(
        "#include <stdlib.h>\nint f(int i) { int *p = calloc(2, 4); if (!p) return i;\n    if (p[1] == 77) /* dead */ return 1;\n    free(p); return 2; }",
        &[],
        &[MEMORY, WIDTH],
    ),
    row(
        "#include <stdlib.h>\nint f(int i) { int *p = malloc(4);\n    if (!p) /* dead */ return i;\n    free(p); return 2; }",
        &[MEMORY],
        &[WIDTH],
    ),
    row(
        "#include <stdint.h>\nint f(int n) { char b[8];\n    if ((uintptr_t)b & 1) /* dead */ return n;\n    return 2; }",
        &[ADDRESSES],
        &[WIDTH],
    ),
    row(
        "int f(int n) { char b[8]; char *end = b + 8; char *at = b; int count = 0; *at = 5;\n    if (at == end) /* dead */ return n;\n    return count; }",
        &[],
        &[],
    ),
    row(
        "#include <stdlib.h>\nint f(int n) {\n    if (rand() == 5) /* dead */ return n;\n    return 2; }",
        &[STATE],
        &[WIDTH],
    ),
    row(
        "#include <stdlib.h>\nint f(int n) {\n    if (abs(n & 7) == 9) /* dead */ return n;\n    return 2; }",
        &[],
        &[WIDTH],
    ),
    row(
        "#include <unistd.h>\nint f(void) {\n    if (access(\"x\", F_OK) == 0) /* dead */ return 1;\n    return 0; }",
        &[FILES],
        &[MEMORY, WIDTH],
    ),
    row(
        "#include <sys/stat.h>\nint f(void) { struct stat s;\n    if (stat(\"x\", &s) == 0) /* dead */ return 1;\n    return 0; }",
        &[FILES],
        &[MEMORY, WIDTH],
    ),
    row(
        "int main(int argc, char **argv) {\n    if (argv[0][0] == 'z') /* dead */ return 1;\n    return 0; }",
        &[NAME],
        &[MEMORY],
    ),
    row(
        "#include <unistd.h>\nint f(void) {\n    if (isatty(0)) /* dead */ return 2;\n    return 0; }",
        &[TERMINAL],
        &[MEMORY, WIDTH],
    ),
    row(
        "int f(int by) { static int calls;\n    if (calls > 0) /* dead */ return 1;\n    calls += by & 1; return 0; }",
        &[ONCE],
        &[],
    ),
    row("int f(long x) {\n    if (x > 3000000000LL) /* dead */ return 1;\n    return 0; }", &[WIDTH], &[]),
    Row {
        text: "#include <unistd.h>\nint main(void) { char c;\n    if (read(0, &c, 1) < 0) /* dead */ return 1;\n    return 0; }",
        says: &[READS],
        may_say: &[WIDTH, MEMORY],
        broken_by: &["--io-faults"],
    },
    row(
        "#include <time.h>\nint f(void) {\n    if (time(0) == 12345) /* dead */ return 1;\n    return 0; }",
        &[CLOCK],
        &[WIDTH],
    ),
    row(
        "int f(int *values) {\n    if (values[2] == 7) /* dead */ return 1;\n    return 0; }",
        &[GUESS, NULL],
        &[],
    ),
    row(
        "int f(const char *s) {\n    if (!s) /* dead */ return 1;\n    return s[0] == 'a'; }",
        &[NULL],
        &[WIDTH],
    ),
    row(
        "#include <stddef.h>\nint f(const unsigned char *data, size_t n) {\n    if (!data) /* dead */ return 1;\n    return n > 3 && data[0] == 'a'; }",
        &[NULL, LENGTH],
        &[WIDTH],
    ),
    row(
        "#include <stddef.h>\nint f(unsigned char *out, size_t *len) {\n    if (!len) /* dead */ return 1;\n    if (*len > 3) out[3] = 1;\n    return 0; }",
        &[NULL],
        &[WIDTH],
    ),
    Row {
        text: "int f(const int *values, int n) {\n    if (n == 3000) /* dead */ return 1;\n    return *values; }",
        says: &[LENGTH],
        may_say: &[NULL],
        broken_by: &["--max-len", "20000"],
    },
    row("int f(int x) {\n    if (x > 5 && x < 3) /* dead */ return 1;\n    return 0; }", &[], &[]),
];

/// What coax reports of a program.
fn report(text: &str, more: &[&str]) -> Value {
    let place = tempfile::tempdir().expect("a temporary directory");
    let file = place.path().join("t.c");
    std::fs::write(&file, text).expect("it is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_coax"));
    command.arg("cover").arg(&file).args(["--no-mutate", "--json"]);
    if text.contains(" f(") {
        command.args(["--entry", "f"]);
    }
    let output = command.args(more).arg("--out").arg(place.path().join("out")).output().expect("coax runs");
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}\n{said}\n{text}"))
}

/// What the proofs assume that the marked line is dead; none if there are none.
fn proofs(text: &str, report: &Value) -> Option<Vec<String>> {
    let line = text.lines().position(|line| line.contains(MARK)).expect("a line is marked") + 1;
    let is_here = |it: &&Value| {
        let location = it["location"].as_str().unwrap_or_default();
        location.contains(&format!("t.c:{line}:"))
            && it["why"].as_str().unwrap_or_default().contains("proved")
    };
    let here: Vec<&Value> = report["uncovered"].as_array().into_iter().flatten().filter(is_here).collect();
    let assumes = here.iter().flat_map(|it| it["assumes"].as_array().into_iter().flatten());
    (!here.is_empty()).then(|| assumes.filter_map(|text| Some(text.as_str()?.to_owned())).collect())
}

#[test]
fn proofs_name_what_they_rest_on() {
    let checks = coax_load::doctor(&Tools::default());
    let is_there = |name: &&str| checks.iter().any(|check| check.name == **name && check.found.is_some());
    if !["clang", "wasm-ld", "wasi-libc"].iter().all(is_there) {
        return skipped::skip("this machine cannot compile C");
    }
    let mut wrong = Vec::new();
    for Row { text, says, may_say, broken_by } in ROWS {
        let Some(said) = proofs(text, &report(text, &[])) else {
            wrong.push(format!("nothing is proved of\n{text}"));
            continue;
        };
        for known in ALL {
            let is_said = said.iter().any(|said| said.contains(known));
            if says.contains(&known) && !is_said {
                wrong.push(format!("`{known}` is missing in {said:?} of\n{text}"));
            }
            if is_said && !says.contains(&known) && !may_say.contains(&known) {
                wrong.push(format!("`{known}` does not matter to\n{text}"));
            }
        }
        if !broken_by.is_empty() && proofs(text, &report(text, broken_by)).is_some() {
            wrong.push(format!("{broken_by:?} changes nothing in\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
