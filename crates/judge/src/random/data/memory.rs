//! Memory: a few cells near its beginning (and its end) that loads and stores of all widths meet in, through constant and
//! computed addresses.

use super::arguments::ARENA;
use super::code::{COUNTERS, Code};
use super::operators::{Access, LANE_LOADS, LANE_STORES, LOADS, STORES};
use super::shape::{PAGE, PASSIVE_BYTES, PASSIVE_SEGMENTS};
use super::tables::DROPPED;
use super::weighted;
use wasm_encoder::{Instruction, MemArg, ValType};

/// The cells with constant addresses begin below this: few, so that accesses overlap.
const HOT_BYTES: usize = 24;

/// No access that begins within 8 bytes, with its offset, ends further than this.
const WIDEST_REACH: u32 = 8 + 8 + 16;

/// Kinds of addresses, with weights. Each leaves an i32 on the stack.
static ADDRESSES: &[(usize, Address)] = &[
    (6, |code| code.constant_address()),
    (4, |code| code.masked_address()),
    (3, |code| code.element_address()),
    (3, |code| code.counter_address()),
    (1, |code| code.last_address()),
];

type Address = fn(&mut Code<'_>);

impl Code<'_> {
    /// One of the memories, mostly the first.
    fn memory(&mut self) -> u32 {
        if self.one_in(6) { self.random.below(self.shape.memories.len()) as u32 } else { 0 }
    }

    /// An address in a memory.
    fn address(&mut self, memory: u32) {
        if self.hazard() {
            self.expression(ValType::I32);
        } else {
            let make = weighted(&mut self.random, ADDRESSES);
            make(self);
        }
        self.widen(memory);
    }

    /// Makes an i32 as wide as the addresses of a memory are.
    fn widen(&mut self, memory: u32) {
        if self.shape.memories[memory as usize] == ValType::I64 {
            self.apply(&Instruction::I64ExtendI32U, 1, &[ValType::I64]);
        }
    }

    fn constant_address(&mut self) {
        let at = self.random.below(HOT_BYTES) as i32;
        self.i32(at);
    }

    fn masked_address(&mut self) {
        let mask = self.random.pick(&[3, 7, 15, 15, 63, 0xf8]);
        self.masked(mask);
    }

    /// `base + (x & 7) * size`
    fn element_address(&mut self) {
        self.masked(7);
        let size = self.random.below(4) as i32;
        self.i32(size);
        self.apply(&Instruction::I32Shl, 2, &[ValType::I32]);
        self.constant_address();
        self.apply(&Instruction::I32Add, 2, &[ValType::I32]);
    }

    fn counter_address(&mut self) {
        let depth = self.random.below(COUNTERS);
        self.get(self.counter(depth));
        let size = self.random.pick(&[1, 2, 4, 8]);
        self.i32(size);
        self.apply(&Instruction::I32Mul, 2, &[ValType::I32]);
    }

    /// Near the end of the memory; now and then so near that an access may trap.
    fn last_address(&mut self) {
        let margin = if self.hazard() { 12 } else { WIDEST_REACH };
        self.i32((self.shape.pages * PAGE - margin) as i32);
        self.masked(7);
        self.apply(&Instruction::I32Add, 2, &[ValType::I32]);
    }

    /// An address, and what else an access of that width says about its place.
    fn place(&mut self, width: u32) -> MemArg {
        let memory = self.memory();
        self.address(memory);
        let offset = match self.one_in(3) {
            true if self.hazard() => u64::from(PAGE * 2 - 4),
            true => self.random.pick(&[1, 2, 4, 8]),
            false => 0,
        };
        self.argument(width, offset, memory)
    }

    /// A fixed address in the first memory, partly as offset.
    pub(super) fn place_at(&mut self, width: u32, at: usize) -> MemArg {
        let offset = if self.one_in(2) { at } else { 0 };
        self.i32((at - offset) as i32);
        self.widen(0);
        self.argument(width, offset as u64, 0)
    }

    fn argument(&mut self, width: u32, offset: u64, memory_index: u32) -> MemArg {
        MemArg { offset, align: self.random.below(width as usize + 1) as u32, memory_index }
    }

    /// A load of that type; for a vector, now and then of one lane.
    pub(super) fn load(&mut self, ty: ValType) {
        if ty == ValType::V128 && self.one_in(4) {
            let (width, instruction) = self.random.pick(LANE_LOADS);
            let place = self.place(width);
            self.expression(ValType::V128);
            return self.apply(&instruction(place), 2, &[ValType::V128]);
        }
        let fitting: Vec<Access> = LOADS.iter().copied().filter(|access| access.0 == ty).collect();
        let (ty, width, instruction) = self.random.pick(&fitting);
        let place = self.place(width);
        self.apply(&instruction(place), 1, &[ty]);
    }

    pub(super) fn store(&mut self) {
        let (ty, width, instruction) = self.random.pick(STORES);
        let place = self.place(width);
        self.stored_value(ty);
        self.apply(&instruction(place), 2, &[]);
    }

    pub(super) fn store_lane(&mut self) {
        let (width, instruction) = self.random.pick(LANE_STORES);
        let place = self.place(width);
        self.expression(ValType::V128);
        self.apply(&instruction(place), 2, &[]);
    }

    /// A value to store; often a constant, which takes the place of something symbolic.
    fn stored_value(&mut self, ty: ValType) {
        if self.one_in(3) { self.constant(ty) } else { self.expression(ty) }
    }

    /// Stores the top of the stack, which was there before the address.
    pub(super) fn store_top(&mut self, ty: ValType) {
        let fitting: Vec<Access> = STORES.iter().copied().filter(|access| access.0 == ty).collect();
        let (ty, width, instruction) = self.random.pick(&fitting);
        let kept = self.local(ty);
        self.set(kept);
        let place = self.place(width);
        self.get(kept);
        self.apply(&instruction(place), 2, &[]);
    }

    fn store_at(&mut self, accesses: &[Access], at: usize) {
        let (ty, width, instruction) = self.random.pick(accesses);
        let place = self.place_at(width, at);
        self.stored_value(ty);
        self.apply(&instruction(place), 2, &[]);
    }

    /// Some parameter goes to a cell.
    pub(super) fn store_parameter(&mut self) {
        let scalars: Vec<Access> =
            STORES.iter().copied().filter(|access| access.0 != ValType::V128).collect();
        let (ty, width, instruction) = self.random.pick(&scalars);
        let at = self.random.below(HOT_BYTES);
        let place = self.place_at(width, at);
        self.parameter_as(ty);
        self.apply(&instruction(place), 2, &[]);
    }

    /// A load from a fixed address, and its type.
    fn load_at(&mut self, at: usize) -> ValType {
        let (ty, width, instruction) = self.random.pick(LOADS);
        let place = self.place_at(width, at);
        self.apply(&instruction(place), 1, &[ty]);
        ty
    }

    /// A wide store, narrower ones into it, and loads across them; what they load stays on the stack.
    pub(super) fn overlap(&mut self) {
        let at = self.random.below(HOT_BYTES);
        let wide: Vec<Access> = STORES.iter().copied().filter(|access| access.1 >= 2).collect();
        self.store_at(&wide, at);
        for _ in 0..self.random.below(3) {
            let inside = at + self.random.below(8);
            self.store_at(STORES, inside);
        }
        for _ in 0..1 + self.random.below(3) {
            let across = (at + self.random.below(10)).saturating_sub(2);
            self.load_at(across);
        }
    }

    /// A load that stays on the stack while its cell is overwritten.
    pub(super) fn load_before_store(&mut self) {
        let at = self.random.below(HOT_BYTES);
        self.load_at(at);
        let over = at + self.random.below(4);
        self.store_at(STORES, over);
    }

    /// Accesses that no other operator comes after in their segment: of hot cells, mostly with nothing symbolic but the cells.
    pub(super) fn last_accesses(&mut self) {
        for _ in 0..1 + self.random.below(2) {
            let at = self.random.below(HOT_BYTES);
            match self.random.below(5) {
                0..=1 => self.store_constant_at(at),
                2..=3 => {
                    let ty = self.load_at(at);
                    let local = self.local(ty);
                    self.set(local);
                }
                _ => self.store_at(STORES, at),
            }
        }
    }

    fn store_constant_at(&mut self, at: usize) {
        let (ty, width, instruction) = self.random.pick(STORES);
        let place = self.place_at(width, at);
        self.constant(ty);
        self.apply(&instruction(place), 2, &[]);
    }

    /// Adds what the hot cells hold to the i64 on the stack.
    pub(super) fn fold_in_hot_cells(&mut self) {
        let bytes = if self.has_services() { ARENA } else { HOT_BYTES };
        for at in (0..bytes).step_by(8) {
            let place = self.place_at(3, at);
            self.apply(&Instruction::I64Load(place), 1, &[ValType::I64]);
            self.apply(&Instruction::I64Add, 2, &[ValType::I64]);
        }
    }

    /// How many bytes a bulk operator works on.
    fn length(&mut self) {
        if self.one_in(2) {
            let bytes = self.random.below(20) as i32;
            self.i32(bytes);
        } else {
            self.masked(15);
        }
    }

    /// Bytes copied; the cells are so few that source and destination often overlap.
    pub(super) fn copy(&mut self) {
        let (to, from) = (self.memory(), self.memory());
        self.address(to);
        self.address(from);
        self.length();
        // The length is as wide as the narrower addresses.
        if self.shape.memories[to as usize] == ValType::I64 {
            self.widen(from);
        }
        self.apply(&Instruction::MemoryCopy { src_mem: from, dst_mem: to }, 3, &[]);
    }

    pub(super) fn fill(&mut self) {
        let memory = self.memory();
        self.address(memory);
        self.expression(ValType::I32);
        self.length();
        self.widen(memory);
        self.apply(&Instruction::MemoryFill(memory), 3, &[]);
    }

    pub(super) fn init(&mut self) {
        let data_index = self.random.below(PASSIVE_SEGMENTS as usize) as u32;
        if self.one_in(DROPPED) {
            self.apply(&Instruction::DataDrop(data_index), 0, &[]);
        }
        let memory = self.memory();
        self.address(memory);
        // Within the segment whatever the numbers are, or only mostly.
        let (half, all) = (PASSIVE_BYTES as i32 / 2 - 1, PASSIVE_BYTES as i32 - 1);
        let (source, length) = self.random.pick(&[(half, half), (half, half), (all, 3), (3, all)]);
        self.masked_unless_hazard(source);
        self.masked_unless_hazard(length);
        self.apply(&Instruction::MemoryInit { mem: memory, data_index }, 3, &[]);
    }

    fn masked_unless_hazard(&mut self, mask: i32) {
        if self.hazard() { self.expression(ValType::I32) } else { self.masked(mask) }
    }

    pub(super) fn grow(&mut self) {
        let memory = self.memory();
        let ty = self.shape.memories[memory as usize];
        if self.one_in(2) {
            self.masked(1);
            self.widen(memory);
            self.apply(&Instruction::MemoryGrow(memory), 1, &[ty]);
        } else {
            self.apply(&Instruction::MemorySize(memory), 0, &[ty]);
        }
    }
}
