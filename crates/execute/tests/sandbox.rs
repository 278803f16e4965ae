//! Hostile and curious programs: they get what the input gives them, and nothing of the host.

mod common;

use coax_execute::{Data, Input, Limits, TrapKind, Verdict};
use common::*;

/// A program whose `f` does `BODY`; the path at address 1000 is `PATH`.
fn wasi(path: &str, body: &str) -> String {
    let escaped = path.replace('\\', "\\\\");
    format!(
        r#"(module
        (import "wasi_snapshot_preview1" "path_open" (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "path_symlink" (func $path_symlink (param i32 i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "path_create_directory" (func $path_create_directory (param i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_readdir" (func $fd_readdir (param i32 i32 i32 i64 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_fdstat_get" (func $fd_fdstat_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "path_filestat_get" (func $path_filestat_get (param i32 i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_filestat_get" (func $fd_filestat_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_prestat_get" (func $fd_prestat_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "args_get" (func $args_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "clock_time_get" (func $clock_time_get (param i32 i64 i32) (result i32)))
        (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
        (memory (export "memory") 1)
        (data (i32.const 1000) "{escaped}")
        (global $length i32 (i32.const {length}))
        ;; Opens the path with these flags; the descriptor is at 900.
        (func $open (param $flags i32) (result i32)
            (call $path_open (i32.const 3) (i32.const 1) (i32.const 1000) (global.get $length)
                (local.get $flags) (i64.const 0x42) (i64.const 0) (i32.const 0) (i32.const 900)))
        ;; Writes bytes of the memory to a descriptor.
        (func $write (param $fd i32) (param $from i32) (param $length i32) (result i32)
            (i32.store (i32.const 904) (local.get $from)) (i32.store (i32.const 908) (local.get $length))
            (call $fd_write (local.get $fd) (i32.const 904) (i32.const 1) (i32.const 912)))
        (func (export "f") (result i32) {body}))"#,
        length = path.len(),
    )
}

const OPEN: &str = "(call $open (i32.const 0))";
const NO_SUCH_FILE: i32 = 44;

#[test]
fn files_of_the_input_are_there() {
    let body = r#"(drop (call $open (i32.const 0)))
        (i32.store (i32.const 920) (i32.const 2000)) (i32.store (i32.const 924) (i32.const 100))
        (drop (call $fd_read (i32.load (i32.const 900)) (i32.const 920) (i32.const 1) (i32.const 928)))
        (call $write (i32.const 1) (i32.const 2000) (i32.load (i32.const 928)))"#;
    let files = [("dir/a.txt".to_string(), Data::from("contents\n")), ("b".to_string(), Data(vec![0, 255]))];
    let input = Input { files: files.into(), ..Input::default() };
    assert_eq!(run(&wasi("dir/a.txt", body), &input).stdout, b"contents\n");
    assert_eq!(run(&wasi("b", body), &input).stdout, [0, 255]);
    assert_eq!(returned(&run(&wasi("c", OPEN), &input)), NO_SUCH_FILE);
}

#[test]
fn no_path_leads_out() {
    let files = [("a/b".to_string(), Data::default())];
    let input = Input { files: files.into(), ..Input::default() };
    for path in [
        "/etc/passwd",
        "../etc/passwd",
        "a/../../../../../../etc/passwd",
        "..",
        "a/..//../..",
        "//etc/passwd",
    ] {
        assert_ne!(returned(&run(&wasi(path, OPEN), &input)), 0, "{path}");
    }
    assert_eq!(returned(&run(&wasi("a/../a/b", OPEN), &input)), 0, "inside, everything goes");
}

#[test]
fn no_symbolic_link_leads_out() {
    // The first `TARGET` bytes of the path are the link's target, `link` follows.
    let body = r#"(local $target i32) (local.set $target (i32.const TARGET))
        (drop (call $path_symlink (i32.const 1000) (local.get $target) (i32.const 3)
            (i32.add (i32.const 1000) (local.get $target)) (i32.const 4)))
        (call $path_open (i32.const 3) (i32.const 1) (i32.add (i32.const 1000) (local.get $target))
            (i32.sub (global.get $length) (local.get $target)) (i32.const 0) (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 900))"#;
    let follow = |target: &str, opened: &str| {
        let text = wasi(&format!("{target}{opened}"), &body.replace("TARGET", &target.len().to_string()));
        let files = [("inside".to_string(), Data::default())];
        returned(&run(&text, &Input { files: files.into(), ..Input::default() }))
    };
    assert_eq!(follow("inside", "link"), 0, "links as such work");
    for (target, opened) in [
        ("/etc/passwd", "link"),
        ("../../../../../../../etc/passwd", "link"),
        ("..", "link/.."),
        ("/", "link/etc/passwd"),
        ("/etc", "link/passwd"),
    ] {
        assert_ne!(follow(target, opened), 0, "{target}");
    }
}

#[test]
fn no_other_directory_is_open() {
    let body = "(i32.add (i32.mul (i32.const 1000) (call $fd_prestat_get (i32.const 3) (i32.const 0)))
                         (call $fd_prestat_get (i32.const 4) (i32.const 0)))";
    const BAD_DESCRIPTOR: i32 = 8;
    assert_eq!(returned(&run(&wasi("", body), &Input::default())), BAD_DESCRIPTOR);
}

#[test]
fn files_are_gone_after_the_run() {
    let name = format!("left-behind-{}", std::process::id());
    let body = "(drop (call $open (i32.const 1))) (call $write (i32.load (i32.const 900)) (i32.const 1000) (i32.const 5))";
    assert_eq!(returned(&run(&wasi(&name, body), &Input::default())), 0);
    let directories = std::fs::read_dir(std::env::temp_dir()).expect("the directory of temporary files");
    for directory in directories.flatten() {
        assert!(!directory.path().join(&name).exists(), "{}", directory.path().display());
    }
}

#[test]
fn only_the_inputs_environment_is_visible() {
    let body = r#"(drop (call $environ_sizes_get (i32.const 0) (i32.const 4)))
        (drop (call $environ_get (i32.const 2000) (i32.const 3000)))
        (drop (call $write (i32.const 1) (i32.const 3000) (i32.load (i32.const 4)))) (i32.load (i32.const 0))"#;
    assert!(std::env::vars_os().next().is_some(), "the host has an environment to hide");
    assert_eq!(returned(&run(&wasi("", body), &Input::default())), 0);
    let input = Input { env: [("NAME".to_string(), "value".to_string())].into(), ..Input::default() };
    let run = run(&wasi("", body), &input);
    assert_eq!((returned(&run), run.stdout.as_slice()), (1, b"NAME=value\0".as_slice()));
}

#[test]
fn arguments_come_after_the_programs_name() {
    let body = r#"(drop (call $args_sizes_get (i32.const 0) (i32.const 4)))
        (drop (call $args_get (i32.const 2000) (i32.const 3000)))
        (call $write (i32.const 1) (i32.const 3000) (i32.load (i32.const 4)))"#;
    let input = Input { args: vec!["-n".into(), "grün".into()], ..Input::default() };
    assert_eq!(run(&wasi("", body), &input).stdout, "program\0-n\0grün\0".as_bytes());
}

/// Nanoseconds of the clock, written to standard output.
const TIME: &str = "(drop (call $clock_time_get (i32.const CLOCK) (i64.const 1) (i32.const 2000)))
                    (drop (call $write (i32.const 1) (i32.const 2000) (i32.const 8)))";

fn times(stdout: &[u8]) -> Vec<u64> {
    stdout.chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes"))).collect()
}

#[test]
fn the_clock_is_not_the_hosts() {
    for (clock, start) in [("0", 946_684_800_000_000_000), ("1", 0)] {
        let body = format!("{TIME} {TIME} (i32.const 0)").replace("CLOCK", clock);
        let times = times(&run(&wasi("", &body), &Input::default()).stdout);
        assert!(times[0] > start && times[0] < start + 1_000_000, "{times:?}");
        assert!(times[1] > times[0], "{times:?}");
    }
}

#[test]
fn sleeping_takes_no_time_but_the_clock_moves() {
    const HOUR: u64 = 3_600_000_000_000;
    // A subscription at 4096: user data 7, relative, on the monotonic clock.
    let sleep = format!(
        "(i64.store (i32.const 4096) (i64.const 7)) (i32.store (i32.const 4112) (i32.const 1))
         (i64.store (i32.const 4120) (i64.const {HOUR}))
         (drop (call $poll_oneoff (i32.const 4096) (i32.const 5000) (i32.const 1) (i32.const 6000)))"
    );
    let time = TIME.replace("CLOCK", "1");
    let body =
        format!("{time} {sleep} {time} (i32.add (i32.load (i32.const 6000)) (i32.load (i32.const 5000)))");
    let run = run(&wasi("", &body), &Input::default());
    assert_eq!(returned(&run), 1 + 7, "one event, with the user data");
    let times = times(&run.stdout);
    assert!(times[1] - times[0] >= HOUR && times[1] - times[0] < HOUR + 1_000_000, "{times:?}");
}

#[test]
fn files_have_no_time_of_the_host() {
    let files = [("a".to_string(), Data::from("four"))];
    let input = Input { files: files.into(), ..Input::default() };
    let path = "(drop (call $path_filestat_get (i32.const 3) (i32.const 1) (i32.const 1000) (i32.const 1) (i32.const 2000)))";
    let fd = "(drop (call $open (i32.const 0))) (drop (call $fd_filestat_get (i32.load (i32.const 900)) (i32.const 2000)))";
    for stat in [path, fd] {
        let body = format!("{stat} (call $write (i32.const 1) (i32.const 2000) (i32.const 64))");
        let filestat = run(&wasi("a", &body), &input).stdout;
        let words = times(&filestat);
        assert_eq!((words[0], words[1], words[4]), (0, 1, 4), "device, inode, size");
        assert_eq!(words[5..], [0, 0, 0], "times");
    }
}

#[test]
fn random_numbers_come_from_the_seed() {
    let body = "(drop (call $random_get (i32.const 2000) (i32.const 16))) (call $write (i32.const 1) (i32.const 2000) (i32.const 16))";
    let random = |seed| run(&wasi("", body), &Input { seed, ..Input::default() }).stdout;
    assert_eq!(random(1), random(1));
    assert_ne!(random(1), random(2));
}

#[test]
fn a_pointer_outside_the_memory_is_a_trap() {
    for body in [
        "(call $fd_write (i32.const 1) (i32.const -8) (i32.const 1) (i32.const 0))",
        "(call $fd_write (i32.const 1) (i32.const 0) (i32.const -1) (i32.const 0))",
        "(call $poll_oneoff (i32.const 65530) (i32.const 0) (i32.const 1) (i32.const 0))",
        "(call $path_filestat_get (i32.const 3) (i32.const 0) (i32.const 1000) (i32.const 1) (i32.const -4))",
        "(call $random_get (i32.const 65530) (i32.const 100))",
    ] {
        let run = run(
            &wasi("a", body),
            &Input { files: [("a".into(), Data::default())].into(), ..Input::default() },
        );
        assert_eq!(trap_kind(&run), TrapKind::Host, "{body}");
    }
}

#[test]
fn bad_inputs_are_refused() {
    let refused = |input: Input, part: &str| {
        let error =
            try_run(&program(&wasi("", OPEN)), &input, &Limits::default()).expect_err(part).to_string();
        assert!(error.contains(part), "{error}");
    };
    refused(
        Input { files: [("../a".into(), Data::default())].into(), ..Input::default() },
        "`../a` is not a file name",
    );
    refused(
        Input {
            files: [("a".into(), Data::default()), ("a/b/c".into(), Data::default())].into(),
            ..Input::default()
        },
        "a file `a` and a file `a/b/c`",
    );
    // A zero byte in an argument is only the end of a string, but a variable would not be what was said.
    let shorter = Input { args: vec!["a\0b".into()], ..Input::default() };
    try_run(&program(&wasi("", OPEN)), &shorter, &Limits::default()).expect("an argument");
    refused(
        Input { symbols: Some([("arg1".into(), None)].into()), ..Input::default() },
        "says that `arg1` is symbols",
    );
    refused(
        Input { env: [("A".into(), "\0".into())].into(), ..Input::default() },
        "environment variable \"A\"",
    );
}

#[test]
fn directories_are_in_order_and_have_no_inodes_of_the_host() {
    let files = ["c", "a", "dir/x", "b"].map(|name| (name.to_string(), Data::default()));
    let input = Input { files: files.into(), ..Input::default() };
    // The directory is read in buffers of LENGTH bytes, each from where the entry before said.
    let list = |length: usize| {
        let body = r#"(local $cookie i64) (local $at i32)
            (block $done (loop $more
                (drop (call $fd_readdir (i32.const 3) (i32.const 2000) (i32.const LENGTH) (local.get $cookie) (i32.const 900)))
                (br_if $done (i32.lt_u (i32.load (i32.const 900)) (i32.const 25)))
                (local.set $cookie (i64.load (i32.const 2000)))
                (drop (call $write (i32.const 1) (i32.const 2008) (i32.const 8)))
                (drop (call $write (i32.const 1) (i32.const 2024) (i32.load (i32.const 2016))))
                (br $more)))
            (i32.wrap_i64 (local.get $cookie))"#;
        let run = run(&wasi("", &body.replace("LENGTH", &length.to_string())), &input);
        assert_eq!(returned(&run), 6);
        run.stdout
    };
    let entry = |inode: u64, name: &str| [&inode.to_le_bytes()[..], name.as_bytes()].concat();
    let expected: Vec<Vec<u8>> = [(1, "."), (1, ".."), (2, "a"), (3, "b"), (4, "c"), (5, "dir")]
        .map(|(inode, name)| entry(inode, name))
        .into();
    assert_eq!(list(27), expected.concat(), "room for one entry");
    assert_eq!(list(1000), expected.concat(), "room for all");
}

#[test]
fn programs_that_open_nothing_see_the_files_too() {
    let text = r#"(module
        (import "wasi_snapshot_preview1" "path_filestat_get" (func $stat (param i32 i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 1) (data (i32.const 0) "a")
        (func (export "f") (result i32) (call $stat (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 64))))"#;
    let input = Input { files: [("a".into(), Data::default())].into(), ..Input::default() };
    assert_eq!(returned(&run(text, &input)), 0);
    assert_eq!(returned(&run(text, &Input::default())), NO_SUCH_FILE);
}

#[test]
fn what_fills_the_disk_without_a_write_is_limited() {
    const NO_SPACE: i32 = 51;
    let limits = Limits { written_bytes: 10_000, ..Limits::default() };
    // The path is `abc`; the number of the round replaces its first character.
    let create = |what: &str| {
        let body = format!(
            "(local $round i32) (local $errno i32) (loop $more
                (i32.store8 (i32.const 1000) (i32.add (i32.const 65) (local.get $round)))
                (local.set $round (i32.add (local.get $round) (i32.const 1)))
                (local.set $errno {what})
                (br_if $more (i32.and (i32.eqz (local.get $errno)) (i32.lt_u (local.get $round) (i32.const 20)))))
            (i32.add (i32.mul (i32.const 100) (local.get $round)) (local.get $errno))"
        );
        returned(&run_within(&wasi("abc", &body), &Input::default(), &limits))
    };
    let third_fails = 300 + NO_SPACE;
    assert_eq!(create("(call $open (i32.const 1))"), third_fails);
    assert_eq!(
        create("(call $path_create_directory (i32.const 3) (i32.const 1000) (i32.const 3))"),
        third_fails
    );
    let link =
        "(call $path_symlink (i32.const 1001) (i32.const 2) (i32.const 3) (i32.const 1000) (i32.const 3))";
    assert_eq!(create(link), third_fails);
    let same = "(i32.store8 (i32.const 1000) (i32.const 65)) (call $open (i32.const 1))";
    assert_eq!(create(&format!("(block (result i32) {same})")), 2000, "what exists costs nothing");
}

#[test]
fn many_subscriptions_cost_fuel() {
    let body = "(call $poll_oneoff (i32.const 4096) (i32.const 4096) (i32.const 1000) (i32.const 0))";
    let limits = Limits { fuel: 900_000, ..Limits::default() };
    assert_eq!(run_within(&wasi("", body), &Input::default(), &limits).outcome.verdict(), Verdict::OutOfFuel);
    let enough = Limits { fuel: 1_100_000, ..Limits::default() };
    assert_eq!(returned(&run_within(&wasi("", body), &Input::default(), &enough)), 0);
}

#[test]
fn output_streams_are_terminals_so_that_lines_are_not_held_back() {
    const CHARACTER_DEVICE: i32 = 2;
    const MAY_WRITE: i32 = 0x40;
    for fd in [1, 2] {
        let body = format!(
            "(drop (call $fd_fdstat_get (i32.const {fd}) (i32.const 2000)))
             (i32.add (i32.load8_u (i32.const 2000)) (i32.load (i32.const 2008)))"
        );
        assert_eq!(returned(&run(&wasi("", &body), &Input::default())), CHARACTER_DEVICE + MAY_WRITE);
    }
}
