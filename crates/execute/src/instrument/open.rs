//! The segment that is being planned.

use super::Variant;
use super::plan::Source;
use super::segment::{Input, Reg, Segment, Shadow, Slot, Step, class, global_bit};
use super::stack::{Entry, What, width};
use std::collections::BTreeMap;
use wasmparser::ValType;

/// A segment under construction.
pub(super) struct Open {
    pub(super) segment: Segment,
    /// Where the boundaries around it find each input.
    pub(super) sources: Vec<InputSource>,
    /// The boundary it starts at.
    pub(super) boundary: usize,
    /// The bits of `taint` of the globals it reads or sets.
    pub(super) taint: u64,
    /// Whether the frame ends here.
    pub(super) frame: bool,
    /// Whether it has loaded something.
    pub(super) loads: bool,
    /// Values of the stack, by depth and producer, whose terms are in their slots.
    pub(super) saved: Vec<(usize, (usize, usize))>,
    /// For each register, whether it depends on a load.
    pending: Vec<bool>,
    /// What locals are now, if they were read or assigned.
    locals: BTreeMap<u32, What>,
    globals: BTreeMap<u32, Reg>,
    /// Values from earlier segments, by the local that has them and the slot of their term.
    kept: BTreeMap<(u32, Option<Slot>), Reg>,
    /// Whether there are more registers than numbers for them.
    pub(super) too_large: bool,
}

/// Where the boundaries around a segment find an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputSource {
    /// At its start.
    pub(super) ahead: Source,
    /// At its end: the same, or what an operator has to keep.
    pub(super) kept: Option<((usize, usize), ValType)>,
    producer: (usize, usize),
}

impl Open {
    pub(super) fn new(boundary: usize) -> Self {
        Open {
            segment: Segment::default(),
            sources: Vec::new(),
            boundary,
            taint: 0,
            frame: false,
            loads: false,
            saved: Vec::new(),
            pending: Vec::new(),
            locals: BTreeMap::new(),
            globals: BTreeMap::new(),
            kept: BTreeMap::new(),
            too_large: false,
        }
    }

    pub(super) fn is_full(&self, inputs: usize, steps: usize) -> bool {
        self.sources.len() >= inputs || self.segment.steps.len() >= steps
    }

    pub(super) fn is_pending(&self, reg: Reg) -> bool {
        self.pending[usize::from(reg)]
    }

    pub(super) fn is_saved(&self, depth: usize, producer: (usize, usize)) -> bool {
        self.saved.contains(&(depth, producer))
    }

    /// Whether the host has anything to do ahead of the segment; if so, whether in any case.
    pub(super) fn ahead(&self, variant: Variant) -> Option<bool> {
        let is_call =
            |step: &Step| matches!(step, Step::Call { .. } | Step::TailCall { .. } | Step::Return { .. });
        let always = variant.sees_calls() && self.segment.steps.iter().any(is_call)
            || variant.sees_cells() && (self.segment.touches_memory || self.taint != 0);
        (always || self.segment.mask != 0 || self.taint != 0 || self.frame).then_some(always)
    }

    /// A register for what is computed from others.
    pub(super) fn register(&mut self, operands: &[Reg]) -> Reg {
        let pending = operands.iter().any(|&operand| self.is_pending(operand));
        self.new_register(pending)
    }

    /// A register for what is loaded.
    pub(super) fn load_register(&mut self) -> Reg {
        self.loads = true;
        self.new_register(true)
    }

    fn new_register(&mut self, pending: bool) -> Reg {
        let Some(registers) = self.segment.registers.checked_add(1) else {
            // The function is refused in the end.
            self.too_large = true;
            return 0;
        };
        self.pending.push(pending);
        std::mem::replace(&mut self.segment.registers, registers)
    }

    pub(super) fn constant(&mut self, ty: ValType, bits: u64) -> Reg {
        let to = self.new_register(false);
        self.segment.steps.push(Step::Constant { to, width: width(ty), bits });
        to
    }

    /// What a local is, if this segment has read or assigned it.
    pub(super) fn local(&self, local: u32) -> Option<What> {
        self.locals.get(&local).copied()
    }

    /// The local has another value from now on; inputs that were found in it must be kept elsewhere.
    pub(super) fn assign(&mut self, local: u32, what: What) {
        for source in &mut self.sources {
            if let Source::Local(other, ty) = source.ahead
                && other == local
            {
                source.kept = Some((source.producer, ty));
            }
        }
        self.locals.insert(local, what);
    }

    /// A local as it is when the segment starts.
    pub(super) fn local_input(
        &mut self,
        local: u32,
        ty: ValType,
        may: bool,
        producer: (usize, usize),
    ) -> Reg {
        if let Some(What::Reg(reg)) = self.local(local) {
            return reg;
        }
        let reg = self.kept_input(local, ty, may.then_some(local), producer);
        self.locals.insert(local, What::Reg(reg));
        reg
    }

    /// A value that a local has, whose term is in a slot if it has one.
    pub(super) fn kept_input(
        &mut self,
        local: u32,
        ty: ValType,
        slot: Option<Slot>,
        producer: (usize, usize),
    ) -> Reg {
        // A local that has a value from before this segment has no other before the segment's end.
        if let Some(&reg) = self.kept.get(&(local, slot)) {
            return reg;
        }
        let shadow = slot.map_or(Shadow::Never, Shadow::Slot);
        self.segment.mask |= slot.map_or(0, class);
        let reg = self.input(shadow, width(ty), Source::Local(local, ty), producer);
        self.kept.insert((local, slot), reg);
        reg
    }

    /// A global.
    pub(super) fn global(&mut self, global: u32, ty: ValType, may: bool) -> Reg {
        if let Some(&reg) = self.globals.get(&global) {
            return reg;
        }
        let shadow = if may { Shadow::Global(global) } else { Shadow::Never };
        if may {
            self.taint |= global_bit(global);
        }
        let reg = self.input(shadow, width(ty), Source::Global(global, ty), (0, 0));
        self.globals.insert(global, reg);
        reg
    }

    /// The size of a table or memory.
    pub(super) fn size(&mut self, source: Source) -> Reg {
        self.input(Shadow::Never, 64, source, (0, 0))
    }

    fn input(&mut self, shadow: Shadow, width: u8, ahead: Source, producer: (usize, usize)) -> Reg {
        let to = self.new_register(false);
        self.segment.inputs.push(Input { to, width, shadow });
        self.sources.push(InputSource { ahead, kept: None, producer });
        to
    }
}

impl Entry {
    /// The value as the next segment knows it; `depth` is its place on the stack.
    pub(super) fn forget_segment(&mut self, locals: usize, depth: usize) {
        let in_segment = matches!(self.what, What::Reg(_) | What::Local(_) | What::Slot(_));
        if !in_segment {
            return;
        }
        self.what = match self.may && self.is_scalar() {
            true => What::Slot(locals as Slot + 3 * depth as Slot),
            false => What::Concrete,
        };
    }
}
