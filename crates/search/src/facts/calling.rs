//! Calls: of functions, through tables, of the host.

use super::contents::{Cell, Spot, anything};
use super::flow::{Flow, TooMuch};
use super::known::{Known, Numbers, Object, Offsets, Places};
use coax_program::Func;
use coax_program::ir::{Op, ValType};
use std::collections::BTreeSet;

impl Flow<'_, '_> {
    /// What a call gives back; none if it does not come back.
    pub(super) fn call(
        &mut self,
        spot: Spot,
        op: &Op,
        offset: u32,
        args: &[Known],
    ) -> Result<Option<Vec<Known>>, TooMuch> {
        let (callees, args) = match *op {
            Op::Call { function_index } | Op::ReturnCall { function_index } => {
                (vec![Func(function_index)], args)
            }
            Op::CallIndirect { type_index, table_index }
            | Op::ReturnCallIndirect { type_index, table_index } => {
                let (index, args) = args.split_last().ok_or(TooMuch)?;
                let callees = self.called_through(index, (type_index, table_index), offset)?;
                self.reached.entry((spot.0, offset)).or_default().extend(&callees);
                (callees, args)
            }
            _ => return Err(TooMuch),
        };
        let mut all: Option<Vec<Known>> = None;
        for callee in callees {
            let results = match self.program.functions[callee].defined() {
                None => Some(self.ask_host(spot, callee, args)),
                Some(_) => {
                    self.enter(callee, args);
                    let called = self.called_mut(callee);
                    called.callers.insert(spot);
                    called.results.clone()
                }
            };
            match (&mut all, results) {
                (_, None) => {}
                (None, results) => all = results,
                (Some(all), Some(more)) => all.iter_mut().zip(&more).for_each(|(known, more)| {
                    known.add(more);
                }),
            }
        }
        Ok(all)
    }

    /// The functions that an indirect call reaches.
    fn called_through(
        &self,
        index: &Known,
        (ty, table): (u32, u32),
        offset: u32,
    ) -> Result<Vec<Func>, TooMuch> {
        let candidates = self.candidates.get(&offset).copied().flatten().ok_or(TooMuch)?;
        let is_one = |func: &Func| candidates.contains(func);
        let mut callees: Vec<Func> = index
            .places
            .iter()
            .filter_map(|(object, _)| match object {
                Object::Code(func) if self.world.signature_fits(func, ty) => Some(func),
                _ => None,
            })
            .filter(is_one)
            .collect();
        let slots = &self.program.tables[table as usize].slots;
        match &index.numbers {
            Numbers::None => {}
            Numbers::Few(few) => {
                callees.extend(few.iter().filter_map(|slot| slots.get(slot)).copied().filter(is_one));
            }
            // Functions are called by addresses that are made from them, if there are any of them.
            Numbers::Between(..) if !callees.is_empty() => {}
            Numbers::Between(..) => callees.extend(candidates),
        }
        Ok(callees)
    }

    /// The host may write where it is told to, and to the buffers that lists there lead to.
    fn ask_host(&mut self, spot: Spot, callee: Func, args: &[Known]) -> Vec<Known> {
        let results: Vec<ValType> = self.program.signature(callee).results.clone();
        if self.world.has_addresses() {
            let mut given = Places::one(Object::Outside, Offsets::Any);
            args.iter().for_each(|arg| {
                given.add(&arg.places);
            });
            let told: BTreeSet<Object> = given.iter().map(|(object, _)| object).collect();
            let mut written = told.clone();
            for &object in told.iter().filter(|object| **object != Object::Outside) {
                written.extend(self.contents.reachable(self.world, object, spot));
            }
            let cell = Cell { at: None, bytes: 1, is_aligned: false };
            let known = anything(&given);
            written.into_iter().for_each(|object| self.store(object, cell, &known));
        }
        results.iter().map(|ty| self.given(*ty)).collect()
    }
}
