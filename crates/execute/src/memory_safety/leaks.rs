//! Blocks that nothing points to any more.

use super::heap::{Block, Heap};
use std::collections::BTreeSet;
use std::ops::Range;

/// What a pointer takes.
const POINTER: usize = 4;

/// The blocks that cannot be reached from data, the live stack, these values or what the caller has made. Whatever looks like a pointer into a block is one.
pub(super) fn leaks(heap: &Heap, memory: &[u8], stack_pointer: u32, values: &[u32]) -> Vec<Block> {
    let blocks: Vec<Block> = heap.blocks().copied().collect();
    // A pointer just behind a block is one into it: that is where a loop over it ends.
    let block_of = |pointer: u32| {
        let after = blocks.partition_point(|block| block.start <= pointer);
        let place = after.checked_sub(1)?;
        (pointer - blocks[place].start <= blocks[place].size).then_some(place)
    };
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<usize> = values.iter().filter_map(|&value| block_of(value)).collect();
    waiting.extend((0..blocks.len()).filter(|&place| heap.is_callers(&blocks[place])));
    let words = |range: Range<u64>| {
        let start = (range.start as usize).next_multiple_of(POINTER).min(memory.len());
        let end = (range.end as usize).clamp(start, memory.len());
        memory[start..end]
            .chunks_exact(POINTER)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    for range in heap.roots(stack_pointer) {
        waiting.extend(words(range).filter_map(block_of));
    }
    while let Some(place) = waiting.pop() {
        if reached.insert(place) {
            let Block { start, size, .. } = blocks[place];
            waiting.extend(words(start.into()..u64::from(start) + u64::from(size)).filter_map(block_of));
        }
    }
    let lost = blocks.iter().enumerate().filter(|(place, _)| !reached.contains(place));
    lost.map(|(_, block)| *block).collect()
}
