//! Where one segment ends and the next begins.

use super::super::open::Open;
use super::super::plan::{BoundaryCode, Source};
use super::super::segment::{Boundary, CELLS, Replay, Slot, Step, TRANSFER, class};
use super::super::stack::{Entry, is_scalar};
use super::Planner;
use wasmparser::ValType;

impl Planner<'_> {
    pub(super) fn open_mut(&mut self) -> &mut Open {
        self.open.as_mut().expect("live code is in a segment")
    }

    pub(super) fn step(&mut self, step: Step) {
        self.open_mut().segment.steps.push(step);
    }

    pub(super) fn set(&mut self, slot: Slot, entry: &Entry) {
        let from = entry.may.then(|| self.reg(entry));
        self.plan.slots = self.plan.slots.max(slot + 1);
        let open = self.open_mut();
        open.segment.mask |= class(slot);
        open.segment.steps.push(Step::Set { slot, from });
    }

    /// Ends the segment if its flags are not yet looked at.
    pub(super) fn settle(&mut self) {
        if self.open_mut().segment.touches_memory {
            self.cut();
        }
    }

    /// Ends the segment before the operator at hand and starts another.
    pub(super) fn cut(&mut self) {
        let after = self.close();
        self.begin(true, None, after);
    }

    /// Ends the segment after the operator at hand and starts another.
    pub(super) fn cut_after(&mut self) {
        let after = self.close();
        self.begin(false, None, after);
    }

    /// Ends the open segment: the values on the stack outlive it. Returns it if it was not settled.
    pub(super) fn close(&mut self) -> Option<u32> {
        self.open.as_ref()?;
        self.save_stack();
        let locals = self.types.len();
        for (index, entry) in self.stack.iter_mut().enumerate() {
            entry.forget_segment(locals, index);
        }
        let mut open = self.open.take().expect("checked above");
        if open.segment.touches_memory && open.segment.mask == 0 && open.taint != 0 {
            // A replay ahead must be able to make the program come back: that takes a class.
            open.segment.mask = class(0);
        }
        self.plan.too_large |= open.too_large;
        open.segment.uses_globals = open.taint != 0;
        let number = self.plan.segments.len() as u32;
        let unsettled = open.segment.touches_memory;
        let (boundary, ahead) = (open.boundary, open.ahead(self.variant));
        if let Some(wanted) = ahead {
            let code = &mut self.plan.code[boundary];
            code.mask |= open.segment.mask;
            code.taint |= open.taint;
            code.frame |= open.frame;
            code.always |= wanted;
            let values = open.sources.iter().map(|source| add(&mut code.values, source.ahead)).collect();
            self.plan.boundaries[boundary].ahead = Some(Replay { segment: number, values });
        }
        if unsettled {
            // The next boundary has to know the inputs as they were.
            let sources: Vec<_> = open.sources.clone();
            self.unsettled = sources
                .into_iter()
                .map(|source| match source.kept {
                    None => source.ahead,
                    Some((producer, ty)) => Source::Local(self.keep_result(producer, ty), ty),
                })
                .collect();
        }
        self.plan.too_large |= self.plan.code[boundary].values.len() > usize::from(u16::MAX);
        self.plan.segments.push(open.segment);
        unsettled.then_some(number)
    }

    /// Makes the first boundary pass the arguments.
    pub(super) fn arguments(&self, code: &mut BoundaryCode) -> Vec<Option<u16>> {
        let argument = |(local, &ty): (u32, &ValType)| {
            is_scalar(ty).then(|| add(&mut code.values, Source::Local(local, ty)))
        };
        (0..).zip(&self.types[..self.params]).map(argument).collect()
    }

    /// Starts a segment at the operator at hand.
    pub(super) fn start(&mut self, before: bool, receive: Option<Vec<Option<Slot>>>) {
        self.begin(before, receive, None);
    }

    pub(super) fn begin(&mut self, before: bool, receive: Option<Vec<Option<Slot>>>, after: Option<u32>) {
        let number = self.plan.boundaries.len();
        let mut code = BoundaryCode::default();
        let after = after.map(|segment| {
            code.flags = true;
            let sources = std::mem::take(&mut self.unsettled);
            Replay {
                segment,
                values: sources.into_iter().map(|source| add(&mut code.values, source)).collect(),
            }
        });
        if let Some(slots) = &receive {
            code.taint |= TRANSFER;
            code.mask |= slots.iter().flatten().fold(0, |mask, &slot| mask | class(slot));
            code.always |= self.variant.sees_calls();
        }
        let arguments = match number == 0 && self.told.can_supply() {
            true => {
                code.taint |= CELLS;
                self.arguments(&mut code)
            }
            false => Vec::new(),
        };
        self.plan.boundaries.push(Boundary { receive, arguments, needs_frame: false, after, ahead: None });
        self.plan.code.push(code);
        let notes = &mut self.plan.notes[self.at];
        *(if before { &mut notes.before } else { &mut notes.after }) = Some(number);
        self.release();
        self.open = Some(Open::new(number));
    }
}

/// The number of a value among those that a boundary passes.
fn add(values: &mut Vec<Source>, source: Source) -> u16 {
    let index = values.iter().position(|&other| other == source).unwrap_or_else(|| {
        values.push(source);
        values.len() - 1
    });
    index as u16
}
