//! What functions of WASI are given: numbers, and structures in memory, each of them symbolic, in part symbolic, or not.
//!
//! All structures are in the arena, at the beginning of memory, together with what other code keeps there: so one is often in the
//! place of another. A number is mostly one that the function accepts, also if it is symbolic: then it either has the same value
//! on all inputs, which no engine can know, or one of a few.

use super::code::Code;
use wasm_encoder::{Instruction, ValType};

/// Where the structures are: the first bytes of memory.
pub(super) const ARENA: usize = 128;

/// What a function takes.
#[derive(Clone, Copy)]
pub(super) enum Argument {
    /// A descriptor.
    Fd,
    /// A descriptor, mostly of a directory.
    Directory,
    /// Where a path is, and how long.
    Path,
    /// Where a list of buffers is, and how many they are.
    Buffers,
    /// Where bytes are, and how many.
    Bytes,
    /// Where bytes are.
    Place,
    /// Where a result goes: at a multiple of this.
    Result(i32),
    /// Where subscriptions are, where events go, and how many there are.
    Subscriptions,
    /// A number below this.
    Below(i32),
    /// So many flags.
    Flags(i32),
    /// 64 bits, of which two mean something here: whether something is to be read, and written.
    Rights,
    /// A time, length or offset of 64 bits.
    Long,
}

/// What is known about an argument beforehand.
#[derive(Clone, Copy)]
pub(super) enum Given {
    Nothing,
    Number(i32),
    /// The number at this address.
    Loaded(i32),
}

impl Argument {
    pub(super) fn types(self) -> &'static [ValType] {
        use ValType::{I32, I64};
        match self {
            Argument::Path | Argument::Buffers | Argument::Bytes => &[I32, I32],
            Argument::Subscriptions => &[I32, I32, I32],
            Argument::Rights | Argument::Long => &[I64],
            _ => &[I32],
        }
    }
}

/// Paths of files that are there, can be made, or cannot; an `a` may as well be a `b`.
const PATHS: [&[u8]; 10] = [b"a", b"a", b"aa", b"d/a", b"d", b"n", b".", b"../a", b"d/../a", b"a/a"];

impl Code<'_> {
    /// Leaves an argument on the stack, and what it leads to in memory.
    pub(super) fn argument_for_service(&mut self, argument: Argument, given: Given) {
        let wide = argument.types() == [ValType::I64];
        match (argument, given) {
            (_, Given::Loaded(at)) => self.loaded(at),
            (_, Given::Number(number)) => self.number(number, 0),
            // Now and then anything at all.
            (Argument::Path | Argument::Buffers | Argument::Bytes | Argument::Subscriptions, _) => {
                self.structure(argument);
            }
            _ if self.hazard() => self.expression(ValType::I32),
            (Argument::Fd, _) => {
                let fd = self.random.below(6) as i32;
                self.number(fd, 3);
            }
            (Argument::Directory, _) => {
                let fd = self.random.pick(&[3, 3, 3, 3, 0, 4]);
                self.number(fd, 1);
            }
            (Argument::Place, _) => self.place_in_arena(1),
            (Argument::Result(alignment), _) => self.place_in_arena(alignment),
            (Argument::Below(limit), _) => {
                let number = self.random.below(limit as usize / 2 + 1) as i32;
                self.number(number, 1);
            }
            (Argument::Flags(count), _) => {
                let flags = if self.one_in(2) { 0 } else { self.random.below(1 << count) as i32 };
                // No sum of the two has another flag.
                let changing = (1 << self.random.below(count as usize)) & !flags;
                self.number(flags, changing);
            }
            (Argument::Rights, _) => {
                let rights = self.random.pick(&[0x42, 0x42, 2, 0x40, 0]);
                self.number(rights, 1);
            }
            (Argument::Long, _) => {
                let number = self.random.below(8) as i32;
                self.number(number, 7);
            }
        }
        if wide {
            self.apply(&Instruction::I64ExtendI32S, 1, &[ValType::I64]);
        }
    }

    fn structure(&mut self, argument: Argument) {
        match argument {
            Argument::Path => self.path(),
            Argument::Buffers => self.buffers(),
            Argument::Subscriptions => self.subscriptions(),
            _ => {
                self.place_in_arena(1);
                let length = self.random.below(24) as i32;
                self.number(length, 7);
            }
        }
    }

    /// An i32: this number, or a term that has this value, or one that has it or more, by some of the bits of the mask.
    pub(super) fn number(&mut self, number: i32, mask: i32) {
        match self.random.below(4) {
            0 => {
                self.always_zero();
                self.i32(number);
                self.apply(&Instruction::I32Add, 2, &[ValType::I32]);
            }
            1 if mask != 0 => {
                self.masked(mask);
                self.i32(number);
                self.apply(&Instruction::I32Add, 2, &[ValType::I32]);
            }
            _ => self.i32(number),
        }
    }

    /// An i32 that is 0 on all inputs, though all its bytes are symbolic: no square has its second bit set.
    fn always_zero(&mut self) {
        self.expression(ValType::I32);
        let local = self.local(ValType::I32);
        self.apply(&Instruction::LocalTee(local), 1, &[ValType::I32]);
        self.get(local);
        self.apply(&Instruction::I32Mul, 2, &[ValType::I32]);
        self.i32(2);
        self.apply(&Instruction::I32And, 2, &[ValType::I32]);
        self.i32(0x0101_0101);
        self.apply(&Instruction::I32Mul, 2, &[ValType::I32]);
    }

    /// An address in the arena. What is there may then be symbolic, and have the value that will be written.
    fn place_in_arena(&mut self, alignment: i32) {
        let at = self.random.below(ARENA / alignment as usize) as i32 * alignment;
        if self.one_in(3) {
            for word in 0..1 + self.random.below(2) {
                self.store_word(at as usize + 4 * word, |code| code.always_zero());
            }
        }
        self.number(at, 3 * alignment);
    }

    fn loaded(&mut self, at: i32) {
        let place = self.place_at(2, at as usize);
        self.apply(&Instruction::I32Load(place), 1, &[ValType::I32]);
    }

    fn store_word(&mut self, at: usize, value: impl FnOnce(&mut Self)) {
        let place = self.place_at(2, at);
        value(self);
        self.apply(&Instruction::I32Store(place), 2, &[]);
    }

    fn store_byte(&mut self, at: usize, value: impl FnOnce(&mut Self)) {
        let place = self.place_at(0, at);
        value(self);
        self.apply(&Instruction::I32Store8(place), 2, &[]);
    }

    /// Two buffers, of which one or both are used.
    fn buffers(&mut self) {
        const SIZE: i32 = 8;
        let at = 4 * self.random.below(ARENA / 4);
        // What is there already is rarely a list.
        if !self.one_in(60) {
            for list in [at, at + SIZE as usize] {
                let (address, length) = (self.random.below(ARENA) as i32, self.random.below(12) as i32);
                self.store_word(list, |code| code.number(address, 7));
                self.store_word(list + 4, |code| code.number(length, 7));
            }
        }
        if self.one_in(3) {
            self.number(at as i32, SIZE);
            self.i32(1);
        } else {
            self.number(at as i32, 0);
            self.number(1, 1);
        }
    }

    fn path(&mut self) {
        let path = self.random.pick(&PATHS);
        let at = self.random.below(ARENA);
        for (place, &letter) in path.iter().enumerate() {
            let changing = if letter == b'a' { 1 } else { 0 };
            self.store_byte(at + place, |code| code.number(letter.into(), changing));
        }
        self.number(at as i32, 0);
        let shorter = if path.len() > 1 { self.random.below(2) as i32 } else { 0 };
        self.number(path.len() as i32 - shorter, shorter);
    }

    /// Two subscriptions, of which one or both are used.
    fn subscriptions(&mut self) {
        const SIZE: usize = 48;
        let at = 8 * self.random.below((ARENA - SIZE) / 8);
        if !self.one_in(60) {
            for list in [at, at + SIZE] {
                let kind = self.random.below(3) as i32;
                self.store_word(list, |code| code.expression(ValType::I32));
                self.store_word(list + 8, |code| code.number(kind, 0));
                let number = self.random.below(3) as i32;
                self.store_word(list + 16, |code| code.number(number, 1));
                self.store_word(list + 24, |code| code.number(9, 7));
                self.store_word(list + 28, |code| code.number(0, 0));
                self.store_word(list + 40, |code| code.number(0, 1));
            }
        }
        self.number(at as i32, 0);
        self.place_in_arena(8);
        self.number(1, 1);
    }
}
