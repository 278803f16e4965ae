//! The shadow: a byte for each eight of the program's memory, in a memory of ours, behind what else the module notes.
//!
//! 0: all eight may be accessed. 1 to 7: only so many, from the first. [`RED`]: the host must be asked. Whoever is in doubt paints red.

/// Where the module notes how many calls of allocator functions are active.
pub(super) const DEPTH: u64 = 0;
/// Where it counts what it does.
pub(super) const COUNTS: u64 = 8;
/// So many of the program's bytes share one of the shadow's, as a power of two.
pub(super) const GRANULE_BITS: u32 = 3;
pub(super) const RED: u8 = 0xff;

const GRANULE: u64 = 1 << GRANULE_BITS;
/// What is read past the shadow of the last access.
const SLACK: u64 = 1 << 16;

/// Where the shadow of address 0 is if there are so many counts.
pub(super) fn base(counts: usize) -> u64 {
    (COUNTS + counts as u64).next_multiple_of(1 << 16)
}

/// How large a memory has, behind this address, the shadow of so many bytes.
pub(super) fn pages(base: u64, bytes: u64) -> u64 {
    (base + (bytes >> GRANULE_BITS) + SLACK) >> 16
}

/// Everything that shares a shadow byte with one of these addresses is to be asked about.
pub(super) fn redden(shadow: &mut [u8], from: u64, to: u64) {
    if from < to {
        fill(shadow, from / GRANULE, to.div_ceil(GRANULE), RED);
    }
}

/// A block may be accessed.
pub(super) fn open(shadow: &mut [u8], from: u64, to: u64) {
    fill(shadow, from / GRANULE, to / GRANULE, 0);
    let rest = (to % GRANULE) as u8;
    if rest > 0 {
        // The block may not begin where its first granule does: then all of it is free to be accessed.
        let is_whole = from <= to / GRANULE * GRANULE;
        fill(shadow, to / GRANULE, to / GRANULE + 1, if is_whole { rest } else { 0 });
    }
}

fn fill(shadow: &mut [u8], from: u64, to: u64, value: u8) {
    let end = shadow.len();
    let place = |granule: u64| granule.min(end as u64) as usize;
    shadow[place(from)..place(to).max(place(from))].fill(value);
}
