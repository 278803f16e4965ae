//! Random sequences of calls on the small world of the table.

use super::call::{BUFFER, Call};
use super::matrix::{DESCRIPTORS, PATHS, ROOT, descriptor_calls, inspection, setup};
use crate::random::Random;

/// How many calls there are between setup and inspection.
const CALLS: usize = 20;

/// Opens a path beneath the root, following symbolic links.
pub(super) fn open(path: &str, flags: u32, rights: u64, fd_flags: u32) -> Call {
    let call = Call::new("path_open").int(ROOT).int(1).path(path);
    call.int(flags).long(rights).long(0).int(fd_flags).result()
}

/// A random scenario.
pub(super) fn random(random: &mut Random) -> Vec<Call> {
    let mut calls = setup();
    calls.extend((0..CALLS).map(|_| random_call(random)));
    calls.extend(inspection());
    calls
}

fn random_call(random: &mut Random) -> Call {
    // The root is the start of most paths; and what was opened of late has the next numbers.
    let start = random.pick(&[ROOT, ROOT, ROOT, 7, 8, 9]);
    let (path, other) = (random.pick(&PATHS), random.pick(&PATHS));
    let follow = random.below(2) as u32;
    match random.below(12) {
        0 | 1 => {
            let (flags, rights) = (random.pick(&[0, 1, 1, 2, 5, 8, 9]), random.pick(&[0, 2, 0x40, 0x42]));
            let fd_flags = random.pick(&[0, 0, 0, 1, 4, 16]);
            let call = Call::new("path_open").int(start).int(follow).path(path);
            call.int(flags).long(rights).long(0).int(fd_flags).result()
        }
        2 => Call::new("path_create_directory").int(start).path(path),
        3 => Call::new(random.pick(&["path_remove_directory", "path_unlink_file"])).int(start).path(path),
        4 => Call::new("path_rename").int(start).path(path).int(ROOT).path(other),
        5 => Call::new("path_link").int(ROOT).int(0).path(path).int(start).path(other),
        6 => Call::new("path_symlink").path(other).int(start).path(path),
        7 => Call::new("path_readlink").int(start).path(path).int(BUFFER).int(50).result(),
        8 => Call::new("path_filestat_get").int(start).int(follow).path(path).result(),
        _ => {
            let fd = random.pick(&DESCRIPTORS).min(10);
            let calls = descriptor_calls(fd);
            let mut call = calls[random.below(calls.len())].clone();
            // What the order of a directory decides, or when something was read, hosts do as they like.
            while matches!(call.name, "fd_readdir" | "fd_filestat_set_times") {
                call = calls[random.below(calls.len())].clone();
            }
            call
        }
    }
}
