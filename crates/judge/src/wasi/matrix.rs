//! The table of scenarios: a small world, and in it every corner of a path and every kind of descriptor with every function.

use super::call::{BUFFER, Call, RESULT};
use super::sequence::open;
use coax_execute::{Data, Input};

/// What both sides are given.
pub(super) fn input() -> Input {
    let files = [("file", "hello world"), ("dir/inner", "inner"), ("dir/sub/deep", "")];
    Input {
        args: vec!["-n".into(), "grün".into()],
        env: [("NAME".into(), "value".into()), ("EMPTY".into(), String::new())].into(),
        stdin: Data::from("standard input"),
        files: files.map(|(name, text)| (name.to_owned(), Data::from(text))).into(),
        seed: 5,
        ..Input::default()
    }
}

/// The directory that is open from the start.
pub(super) const ROOT: u32 = 3;
/// The descriptors after [`setup`]: streams, root, a file for reading and writing, one for reading, one for appending, a
/// directory, one that was removed; and what is not open.
pub(super) const DESCRIPTORS: [u32; 11] = [0, 1, 2, ROOT, 4, 5, 6, 7, 8, 9, u32::MAX];

/// Symbolic links and what they say: to everything, to nothing, out, in circles, and with slashes behind.
const LINKS: [(&str, &str); 10] = [
    ("file", "link"),
    ("link", "chain"),
    ("dir", "dirlink"),
    ("missing", "dangling"),
    ("..", "up"),
    ("loop", "loop"),
    ("dir/sub/../inner", "deep"),
    ("dir/", "slash"),
    ("new/", "newslash"),
    ("../file", "dir/back"),
];

/// Paths with every kind of end, detour and way out.
pub(super) const PATHS: [&str; 62] = [
    "",
    ".",
    "..",
    "/",
    "./",
    "../",
    "./.",
    "file",
    "file/",
    "file/.",
    "file/x",
    "file/..",
    "./file",
    "dir",
    "dir/",
    "dir//",
    "dir/.",
    "dir/..",
    "dir/./.",
    "dir/inner",
    "dir//inner",
    "dir/./inner",
    "dir/../file",
    "dir/../../file",
    "dir/sub",
    "dir/sub/deep",
    "dir/sub/..",
    "empty",
    "empty/",
    "empty/x",
    "link",
    "link/",
    "link/.",
    "chain",
    "dirlink",
    "dirlink/",
    "dirlink/inner",
    "dirlink/..",
    "dirlink/../file",
    "dangling",
    "dangling/",
    "dangling/x",
    "up",
    "up/x",
    "loop",
    "loop/",
    "loop/x",
    "deep",
    "slash",
    "slash/inner",
    "newslash",
    "dir/back",
    "missing",
    "missing/",
    "missing/x",
    "missing/..",
    "/file",
    "//file",
    "/etc/passwd",
    "file\0x",
    "new\0/x",
    "grün",
];

/// Calls that make the small world.
pub(super) fn setup() -> Vec<Call> {
    const READ: u64 = 2;
    const WRITE: u64 = 0x40;
    let mut calls = vec![Call::new("path_create_directory").int(ROOT).path("empty")];
    calls.push(Call::new("path_create_directory").int(ROOT).path("gone"));
    for (target, path) in LINKS {
        calls.push(Call::new("path_symlink").path(target).int(ROOT).path(path));
    }
    calls.push(open("file", 0, READ | WRITE, 0));
    calls.push(open("file", 0, READ, 0));
    calls.push(open("dir/inner", 0, WRITE, 1));
    calls.push(open("dir", 2, READ, 0));
    calls.push(open("gone", 2, READ, 0));
    calls.push(Call::new("path_remove_directory").int(ROOT).path("gone"));
    calls
}

/// Calls that show what became of it.
pub(super) fn inspection() -> Vec<Call> {
    let names =
        ["file", "dir", "dir/inner", "dir/sub", "empty", "link", "dangling", "missing", "new", "grün"];
    let status = |name: &&str| Call::new("path_filestat_get").int(ROOT).int(0).path(name).result();
    let mut calls: Vec<Call> = names.iter().map(status).collect();
    calls.extend([ROOT, 7, 8].map(|fd| read_directory(fd, 8192, 0)));
    calls.extend([4, 5].map(|fd| Call::new("fd_pread").int(fd).buffers(&[&[0; 50]]).long(0).result()));
    calls.extend([4, 5, 6].map(|fd| Call::new("fd_tell").int(fd).result()));
    calls
}

pub(super) fn read_directory(fd: u32, length: u32, cookie: u64) -> Call {
    Call::new("fd_readdir").int(fd).int(BUFFER).int(length).long(cookie).result()
}

/// All scenarios of the table.
pub(super) fn scenarios() -> Vec<Vec<Call>> {
    let long = ["n".repeat(255), "n".repeat(256), "./".repeat(2047) + "f", "./".repeat(2048)];
    let paths: Vec<&str> = PATHS.into_iter().chain(long.iter().map(String::as_str)).collect();
    let mut probes: Vec<Call> = paths.iter().flat_map(|path| path_calls(path)).collect();
    for path in &paths {
        for other in ["file", "dir", "empty", "missing", "dirlink/x", "dir/sub/x", "link", "."] {
            for (old, new) in [(*path, other), (other, *path)] {
                probes.push(Call::new("path_rename").int(ROOT).path(old).int(ROOT).path(new));
                probes.push(Call::new("path_link").int(ROOT).int(0).path(old).int(ROOT).path(new));
            }
        }
    }
    probes.extend(DESCRIPTORS.into_iter().flat_map(descriptor_calls));
    probes.extend(other_calls());
    let scenario = |probe| setup().into_iter().chain([probe]).chain(inspection()).collect();
    probes.into_iter().map(scenario).collect()
}

/// What can be done with one path.
fn path_calls(path: &str) -> Vec<Call> {
    let mut calls = Vec::new();
    for follow in [0, 1, 2] {
        calls.push(Call::new("path_filestat_get").int(ROOT).int(follow).path(path).result());
        calls.push(
            Call::new("path_filestat_set_times").int(ROOT).int(follow).path(path).long(7).long(9).int(4),
        );
    }
    for flags in [0, 1, 2, 3, 4, 5, 8, 9, 13, 16] {
        for (follow, rights) in [(0, 2), (1, 2), (1, 0x40), (1, 0)] {
            calls.push(
                Call::new("path_open")
                    .int(ROOT)
                    .int(follow)
                    .path(path)
                    .int(flags)
                    .long(rights)
                    .long(0)
                    .int(0)
                    .result(),
            );
        }
    }
    calls.push(open(path, 1, 0x42, 1));
    for function in ["path_create_directory", "path_remove_directory", "path_unlink_file"] {
        calls.push(Call::new(function).int(ROOT).path(path));
        calls.push(Call::new(function).int(7).path(path));
    }
    for target in ["file", "", "/file", "../file", "a\0b"] {
        calls.push(Call::new("path_symlink").path(target).int(ROOT).path(path));
        calls.push(Call::new("path_symlink").path(path).int(ROOT).path(if target.is_empty() {
            "new"
        } else {
            target
        }));
    }
    for length in [0, 3, 100] {
        calls.push(Call::new("path_readlink").int(ROOT).path(path).int(BUFFER).int(length).result());
    }
    calls.push(Call::new("path_link").int(ROOT).int(1).path(path).int(ROOT).path("new"));
    calls
}

/// What can be done with one descriptor.
pub(super) fn descriptor_calls(fd: u32) -> Vec<Call> {
    const OFFSETS: [u64; 7] = [0, 2, 11, 100, 1 << 20, i64::MAX as u64, u64::MAX];
    let on = |name: &'static str| Call::new(name).int(fd);
    let mut calls: Vec<Call> = ["fd_close", "fd_sync", "fd_datasync"].map(on).into();
    for name in ["fd_fdstat_get", "fd_filestat_get", "fd_prestat_get", "fd_tell"] {
        calls.push(on(name).result());
    }
    for (advice, length) in [(0, 0), (1, 5), (5, u64::MAX), (6, 0), (3, i64::MAX as u64)] {
        calls.push(on("fd_advise").long(0).long(length).int(advice));
    }
    calls.push(on("fd_allocate").long(0).long(20));
    calls.extend([0, 1, 2, 4, 5, 8, 16, 32].map(|flags| on("fd_fdstat_set_flags").int(flags)));
    calls.extend([0, u64::MAX].map(|rights| on("fd_fdstat_set_rights").long(rights).long(0)));
    calls.extend([0, 3, 100, i64::MAX as u64, u64::MAX].map(|size| on("fd_filestat_set_size").long(size)));
    calls.extend((0..18).map(|flags| on("fd_filestat_set_times").long(5).long(6).int(flags)));
    calls.extend([0, 1, 10].map(|length| on("fd_prestat_dir_name").int(BUFFER).int(length)));
    for buffers in [&[&[0; 5][..]][..], &[], &[&[], &[0; 4]], &[&[0; 3], &[0; 3]], &[&[0; 100]]] {
        calls.push(on("fd_read").buffers(buffers).result());
        calls.push(on("fd_write").buffers(buffers).result());
        for offset in OFFSETS {
            calls.push(on("fd_pread").buffers(buffers).long(offset).result());
            calls.push(on("fd_pwrite").buffers(buffers).long(offset).result());
        }
    }
    for whence in 0..4 {
        for by in [0, 3, -1, -11, i64::MAX, i64::MIN] {
            calls.push(on("fd_seek").long(by as u64).int(whence).result());
        }
    }
    for (length, cookie) in [(8192, 0), (8192, 1), (8192, 2), (8192, 99), (8192, u64::MAX), (0, 0), (30, 0)] {
        calls.push(read_directory(fd, length, cookie));
    }
    for other in DESCRIPTORS {
        calls.push(on("fd_renumber").int(other));
    }
    for path in ["new", "inner", ".", ".."] {
        calls.push(on("path_open").int(1).path(path).int(1).long(0x42).long(0).int(0).result());
        calls.push(on("path_open").int(1).path(path).int(0).long(2).long(0).int(16).result());
        calls.push(on("path_create_directory").path(path));
        calls.push(on("path_unlink_file").path(path));
        calls.push(on("path_readlink").path(path).int(BUFFER).int(9).result());
        calls.push(on("path_filestat_get").int(1).path(path).result());
        calls.push(on("path_rename").path(path).int(ROOT).path("moved"));
        calls.push(Call::new("path_rename").int(ROOT).path("file").int(fd).path(path));
        calls.push(Call::new("path_link").int(ROOT).int(0).path("file").int(fd).path(path));
    }
    for kind in 0..4 {
        calls.push(poll(&[subscription(kind, fd.into(), 0)]));
    }
    calls.push(on("sock_accept").int(0).result());
    calls.push(on("sock_shutdown").int(1));
    calls.push(on("sock_recv").buffers(&[&[0; 4]]).int(0).result().int(RESULT + 8));
    calls.push(on("sock_send").buffers(&[&[0; 4]]).int(0).result());
    calls
}

/// A subscription: kind 0 is a clock and its number, 1 and 2 are reading and writing a descriptor.
fn subscription(kind: u8, what: u64, time: u64) -> [u8; 48] {
    let mut bytes = [0; 48];
    bytes[..8].copy_from_slice(&(0x77 + time).to_le_bytes());
    bytes[8] = kind;
    bytes[16..20].copy_from_slice(&(what as u32).to_le_bytes());
    bytes[24..32].copy_from_slice(&time.to_le_bytes());
    bytes
}

fn poll(subscriptions: &[[u8; 48]]) -> Call {
    const LIST: u32 = 1 << 15;
    let call = Call::new("poll_oneoff").int(LIST).int(BUFFER).int(subscriptions.len() as u32).result();
    call.with(LIST, subscriptions.concat())
}

/// Calls without descriptors, and wrong pointers.
fn other_calls() -> Vec<Call> {
    let mut calls = Vec::new();
    for (get, sizes) in [("args_get", "args_sizes_get"), ("environ_get", "environ_sizes_get")] {
        calls.push(Call::new(get).result().int(BUFFER));
        calls.push(Call::new(get).int(RESULT + 2).int(BUFFER));
        calls.push(Call::new(get).result().int(u32::MAX - 3));
        calls.push(Call::new(sizes).result().int(RESULT + 8));
        calls.push(Call::new(sizes).result().int(RESULT + 1));
    }
    for clock in 0..5 {
        calls.push(Call::new("clock_res_get").int(clock).result());
        calls.push(Call::new("clock_time_get").int(clock).long(1).result());
    }
    // Whether a clock has rung together with what is always ready, wasmtime does not always say; but which there are.
    calls.extend([2, 4].map(|clock| poll(&[subscription(0, clock, 0), subscription(1, 0, 0)])));
    calls.push(poll(&[]));
    calls.push(poll(&[subscription(2, 1, 1), subscription(1, 4, 2), subscription(1, 0, 3)]));
    for length in [0, 1, 2, 100, 40_000] {
        calls.push(Call::new("random_get").int(BUFFER).int(length));
    }
    calls.extend([0, 30, 31, 255].map(|signal| Call::new("proc_raise").int(signal)));
    calls.extend([0, 1, 125, 126, u32::MAX].map(|code| Call::new("proc_exit").int(code)));
    calls.push(Call::new("sched_yield"));
    calls.push(
        Call::new("path_open").int(ROOT).int(1).bytes_as_path(b"\xff").int(1).long(2).long(0).int(0).result(),
    );
    for address in [RESULT + 1, RESULT + 4, u32::MAX - 7, 0xfffc] {
        calls.push(Call::new("fd_filestat_get").int(4).int(address));
        calls.push(Call::new("fd_fdstat_get").int(4).int(address));
        calls.push(Call::new("fd_tell").int(4).int(address));
        calls.push(Call::new("fd_prestat_get").int(ROOT).int(address));
        calls.push(Call::new("fd_write").int(1).int(address).int(1).result());
        calls.push(Call::new("fd_read").int(4).int(address).int(0).result());
        calls.push(Call::new("path_unlink_file").int(ROOT).int(address).int(9));
        calls.push(Call::new("poll_oneoff").int(address).int(BUFFER).int(1).result());
    }
    calls
}
