//! When two answers are the same: what belongs to a host is not compared, and what differs on purpose is named.

use super::Answer;
use super::call::{BUFFER, Call, RESULT};

const SUCCESS: Answer = Answer::Errno(0);
const BAD_DESCRIPTOR: Answer = Answer::Errno(8);
const INTERRUPTED: Answer = Answer::Errno(27);
const INVALID: Answer = Answer::Errno(28);
const NO_MEMORY: Answer = Answer::Errno(48);
const NO_SPACE: Answer = Answer::Errno(51);

/// Why the sandbox answers otherwise on purpose, if it does.
pub(super) fn purpose(call: &Call, ours: Answer, theirs: Answer) -> Option<&'static str> {
    match (call.name, ours, theirs) {
        ("fd_read" | "fd_pread", SUCCESS, INTERRUPTED) => {
            Some("reading nothing is no error: a program that tries again would never end")
        }
        ("fd_write" | "fd_pwrite" | "fd_filestat_set_size", NO_SPACE, _) => {
            Some("files are in memory, holes too: they cannot be as large as on a disk")
        }
        ("proc_exit", Answer::Exited(126..), Answer::Trapped) => {
            Some("every exit code is one: C programs return what they like from main")
        }
        ("fd_filestat_set_times", SUCCESS, BAD_DESCRIPTOR) => Some(
            "the root has times as other directories have: wasmtime opens it in a way that cannot set them",
        ),
        (_, Answer::Trapped, NO_MEMORY) => {
            Some("a pointer outside of the memory is one: wasmtime first refuses to copy so much")
        }
        ("poll_oneoff", INVALID, SUCCESS) if call.arg(2) == 1 => {
            Some("a clock that is not there cannot be waited for, also alone")
        }
        _ => None,
    }
}

/// How two answers to a call differ, if they do.
pub(super) fn difference(
    call: &Call,
    (ours, our_memory): (Answer, &mut [u8]),
    (theirs, their_memory): (Answer, &mut [u8]),
) -> Option<String> {
    if ours != theirs {
        return Some(format!("{ours:?} instead of {theirs:?}"));
    }
    if ours != SUCCESS {
        return None;
    }
    hide_host(call, our_memory);
    hide_host(call, their_memory);
    let waits_for_several = call.name == "poll_oneoff" && call.arg(2) > 1;
    if our_memory == their_memory || waits_for_several && are_some_of(call, their_memory, our_memory) {
        return None;
    }
    let different = our_memory.iter().zip(&*their_memory).position(|(ours, theirs)| ours != theirs)?;
    let around = different & !7..(different & !7) + 32;
    let [ours, theirs] = [our_memory, their_memory].map(|memory| format!("{:02x?}", &memory[around.clone()]));
    Some(format!("at {different:#x}:\n    {ours}\n  instead of\n    {theirs}"))
}

/// The type of an event: a clock has rung.
const CLOCK: u8 = 0;

/// The events that a call wrote.
fn events(call: &Call, memory: &[u8]) -> Vec<Vec<u8>> {
    const SIZE: usize = 32;
    let length = memory.get(call.arg(3) as usize..).and_then(|rest| rest.first_chunk::<4>());
    let length = length.map_or(0, |length| u32::from_le_bytes(*length)) as usize;
    memory[BUFFER as usize..].chunks_exact(SIZE).take(length).map(<[u8]>::to_vec).collect()
}

/// Of several things that are waited for, wasmtime says those that have happened by the time it looks: files are read in the
/// background there, and clocks are real. So some of ours are all that is certain.
fn are_some_of(call: &Call, theirs: &[u8], ours: &[u8]) -> bool {
    let (theirs, ours) = (events(call, theirs), events(call, ours));
    !theirs.is_empty() && theirs.iter().all(|event| ours.contains(event))
}

/// Removes what a host may choose, and the bytes between fields, which wasmtime leaves as they are.
fn hide_host(call: &Call, memory: &mut [u8]) {
    const CHARACTER_DEVICE: u8 = 2;
    const DIRECTORY: u8 = 3;
    let result = RESULT as usize;
    match call.name {
        "fd_filestat_get" | "path_filestat_get" => {
            // Device and inode; the size of a directory; times, of which what a program sets is compared in the low bits.
            memory[result..result + 16].fill(0);
            memory[result + 17..result + 24].fill(0);
            if memory[result + 16] == CHARACTER_DEVICE {
                memory[result + 16] = 0;
            }
            if memory[result + 16] == DIRECTORY {
                memory[result + 32..result + 40].fill(0);
            }
            for time in memory[result + 40..result + 64].chunks_exact_mut(8) {
                if u64::from_le_bytes(time.try_into().unwrap_or_default()) >= OLD {
                    time.fill(0);
                }
            }
        }
        // Whether an output is a terminal.
        "fd_fdstat_get" => {
            if memory[result] == CHARACTER_DEVICE {
                memory[result] = 0;
            }
            memory[result + 1] = 0;
            memory[result + 4..result + 8].fill(0);
        }
        "fd_prestat_get" => {
            let result = call.arg(1) as usize;
            memory[result + 1..result + 4].fill(0);
        }
        "clock_time_get" | "clock_res_get" => memory[result..result + 8].fill(0),
        "fd_readdir" => sort_entries(memory),
        "poll_oneoff" => {
            // wasmtime says that one byte can be read when a lone clock has rung.
            for event in memory[BUFFER as usize..].chunks_exact_mut(32).take(8) {
                event[11..16].fill(0);
                event[26..].fill(0);
                if event[10] == CLOCK {
                    event[16..24].fill(0);
                }
            }
        }
        _ => {}
    }
}

/// Times before this were set by a call; hosts have newer ones. Files of the input are from 1970 in the sandbox.
const OLD: u64 = 1 << 40;

/// Entries in the order of their names, without inodes, and numbered in that order.
fn sort_entries(memory: &mut [u8]) {
    const HEADER: usize = 24;
    let start = BUFFER as usize;
    let used = memory[RESULT as usize..][..4].try_into().map_or(0, u32::from_le_bytes) as usize;
    let (mut entries, mut nexts, mut at) = (Vec::new(), Vec::new(), start);
    while at + HEADER <= start + used {
        let length = memory[at + 16..at + 20].try_into().map_or(0, u32::from_le_bytes) as usize;
        if at + HEADER + length > start + used {
            break;
        }
        let entry = memory[at..at + HEADER + length].to_vec();
        nexts.push(entry[..8].to_vec());
        entries.push(entry);
        at += HEADER + length;
    }
    entries.sort_by(|a, b| a[HEADER..].cmp(&b[HEADER..]));
    let mut at = start;
    for (mut entry, next) in entries.into_iter().zip(nexts) {
        entry[..8].copy_from_slice(&next);
        entry[8..16].fill(0);
        memory[at..at + entry.len()].copy_from_slice(&entry);
        at += entry.len();
    }
}
