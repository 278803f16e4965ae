//! Calls: of functions, through tables, of the host.

use super::flow::{Flow, Spot, TooMuch, any};
use super::numbers::Numbers;
use coax_program::Func;
use coax_program::ir::{InstData, Op};

impl Flow<'_, '_> {
    /// What a call gives back; none if it does not come back.
    pub(super) fn call(
        &mut self,
        spot: Spot,
        op: &Op,
        offset: u32,
        args: &[Numbers],
    ) -> Result<Option<Vec<Numbers>>, TooMuch> {
        let (callees, args) = match *op {
            Op::Call { function_index } | Op::ReturnCall { function_index } => {
                (vec![Func(function_index)], args)
            }
            Op::CallIndirect { table_index, .. } | Op::ReturnCallIndirect { table_index, .. } => {
                let (index, args) = args.split_last().ok_or(TooMuch)?;
                let callees = self.called_through(index, table_index, offset)?;
                self.reached.entry((spot.0, offset)).or_default().extend(&callees);
                (callees, args)
            }
            _ => return Err(TooMuch),
        };
        let mut all: Option<Vec<Numbers>> = None;
        for callee in callees {
            let results = match self.program.functions[callee].defined() {
                // The host may give anything.
                None => Some(self.program.signature(callee).results.iter().map(|ty| any(*ty)).collect()),
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

    /// Whether a call can be followed at all: whom it may reach must be known.
    pub(super) fn check_followed(&self, call: &InstData) -> Result<(), TooMuch> {
        match call.op {
            Op::Call { .. } => Ok(()),
            Op::CallIndirect { .. } => {
                self.candidates.get(&call.offset).copied().flatten().map(|_| ()).ok_or(TooMuch)
            }
            _ => Err(TooMuch),
        }
    }

    /// The functions that an indirect call reaches.
    fn called_through(&self, index: &Numbers, table: u32, offset: u32) -> Result<Vec<Func>, TooMuch> {
        let candidates = self.candidates.get(&offset).copied().flatten().ok_or(TooMuch)?;
        let slots = &self.program.tables[table as usize].slots;
        let is_one = |func: &Func| candidates.contains(func);
        Ok(match index {
            Numbers::None => Vec::new(),
            Numbers::Few(few) => {
                few.iter().filter_map(|slot| slots.get(slot)).copied().filter(is_one).collect()
            }
            Numbers::Between(..) => candidates.to_vec(),
        })
    }
}
