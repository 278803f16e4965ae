//! Loads and stores: where they go, and what is there.

use super::compute;
use super::contents::{Cell, Spot, anything};
use super::flow::{Flow, TooMuch, body};
use super::known::{Known, Object};
use coax_execute::semantics::Scalar;
use coax_execute::semantics::memory::{Access, Accessed};
use coax_program::Func;
use coax_program::ir::{Def, Inst, InstData, Op, Value};
use coax_term::{Binary, mask};
use std::borrow::Cow;

/// So many objects an address may lead to before they are told apart no longer.
const MOST_OBJECTS: usize = 8;

impl Flow<'_, '_> {
    pub(super) fn store(&mut self, object: Object, cell: Cell, known: &Known) {
        let known = self.of_few_objects(known);
        let readers = self.contents.store(object, cell, &known);
        readers.into_iter().for_each(|spot| self.wake(spot));
    }

    /// A value that may lead to many objects, as one that does not tell them apart.
    pub(super) fn of_few_objects<'k>(&mut self, known: &'k Known) -> Cow<'k, Known> {
        if known.places.count() > MOST_OBJECTS {
            let objects: Vec<Object> = known.places.iter().map(|(object, _)| object).collect();
            for object in objects {
                let readers = self.contents.absorb(self.world, object);
                readers.into_iter().for_each(|spot| self.wake(spot));
            }
        }
        match known.places.iter().any(|(object, _)| self.contents.resolved(object) != object) {
            false => Cow::Borrowed(known),
            true => Cow::Owned(Known {
                numbers: known.numbers.clone(),
                places: known.places.resolved(|object| self.contents.resolved(object)),
            }),
        }
    }

    /// Where an access goes: objects, and where in them.
    fn objects(&self, address: &Known) -> Vec<(Object, Option<i32>)> {
        let mut objects = Vec::new();
        for (object, offsets) in address.places.iter() {
            let object = self.contents.resolved(object);
            objects.extend(offsets.each().into_iter().map(|at| (object, at)));
        }
        if !address.numbers.is_none() && !address.places.has(Object::Outside) {
            objects.push((Object::Outside, None));
        }
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    pub(super) fn access(
        &mut self,
        spot: Spot,
        inst: Inst,
        data: &InstData,
        access: &Access,
    ) -> Result<(), TooMuch> {
        let (func, _) = spot;
        let body = body(self.program, func);
        let args = body.list(data.args);
        let Accessed::Scalar { width, signed } = access.value else {
            let results = body.list(data.results);
            results.iter().for_each(|result| self.add(func, *result, &Known::any(64)));
            return if self.world.has_addresses() { Err(TooMuch) } else { Ok(()) };
        };
        if !self.world.has_addresses() {
            for result in body.list(data.results) {
                let any = Known::any(8 * access.bytes);
                self.add(func, *result, &compute::loaded(&any, access.bytes, width, signed));
            }
            return Ok(());
        }
        let places = self.places(func, data, access);
        let is_aligned = 1_u64 << access.memarg.align == u64::from(access.bytes);
        let bytes = u32::from(access.bytes);
        if access.store {
            let known = compute::stored(self.value(func, args[1]), access.bytes, width);
            if !known.is_nothing() && !self.copy_pair(spot, args[1], access, &places) {
                for (object, at) in places {
                    self.store(object, Cell { at, bytes, is_aligned }, &known);
                }
            }
            return Ok(());
        }
        let mut known = self.contents.load(self.world, &places, (bytes, is_aligned), spot);
        if known.is_nothing() && self.blind.contains(&(func, inst)) {
            known = Known::any(8 * access.bytes);
        }
        let known = compute::loaded(&known, access.bytes, width, signed);
        for result in body.list(data.results) {
            self.add(func, *result, &known);
        }
        Ok(())
    }

    /// Where an access goes.
    fn places(&self, func: Func, data: &InstData, access: &Access) -> Vec<(Object, Option<i32>)> {
        let given = self.value(func, body(self.program, func).list(data.args)[0]);
        let added = self
            .world
            .address_in(&data.op, data.offset)
            .unwrap_or_else(|| Known::number(access.memarg.offset & mask(32)));
        let add = Scalar::Binary(Binary::Add);
        self.objects(&compute::scalar(self.world, add, &[(given, 32), (&added, 32)], 32))
    }

    /// Eight bytes that were loaded and are stored as they are may be several numbers, of a structure: they are copied. Whether they are.
    fn copy_pair(
        &mut self,
        (func, block): Spot,
        value: Value,
        access: &Access,
        to: &[(Object, Option<i32>)],
    ) -> bool {
        let body = body(self.program, func);
        let Def::Result(inst, _) = body.values[value].def else { return false };
        let data = &body.insts[inst];
        let Some(load) = Access::of(&data.op) else { return false };
        if load.store || load.bytes != 8 || access.bytes != 8 {
            return false;
        }
        // Where they come from may become more though what they are does not.
        let uses = &mut self.called_mut(func).uses[body.list(data.args)[0].0 as usize];
        if !uses.contains(&block) {
            uses.push(block);
        }
        self.copy(to, &self.places(func, data, &load), Some(8));
        true
    }

    fn copy(&mut self, to: &[(Object, Option<i32>)], from: &[(Object, Option<i32>)], bytes: Option<u32>) {
        for to in to {
            for from in from {
                let readers = self.contents.copy(*to, *from, bytes);
                readers.into_iter().for_each(|spot| self.wake(spot));
            }
        }
    }

    pub(super) fn write_at_once(&mut self, func: Func, op: &Op, args: &[Value]) {
        if !self.world.has_addresses() {
            return;
        }
        let args = self.values(func, args);
        let [to, value, count] = &args[..] else { return };
        let count = count.numbers.only().filter(|_| count.places.is_empty()).map(|count| count as u32);
        match op {
            Op::MemoryCopy { .. } => {
                self.copy(&self.objects(to), &self.objects(value), count);
            }
            Op::MemoryFill { .. } if value.numbers.only() == Some(0) && value.places.is_empty() => {
                for (object, at) in self.objects(to) {
                    let at = at.filter(|_| count.is_some());
                    let cell = Cell { at, bytes: count.unwrap_or(1), is_aligned: false };
                    self.store(object, cell, &Known::number(0));
                }
            }
            _ => {
                let cell = Cell { at: None, bytes: 1, is_aligned: false };
                let known = anything(&value.places);
                self.objects(to).into_iter().for_each(|(object, _)| self.store(object, cell, &known));
            }
        }
    }
}
