//! Direct calls of unknown functions, at arguments of the caller's choice.

use super::{Observed, Place, Shaped, Unknown};
use crate::symbolic::{Image, Setup, SymbolicModule, Symbols};
use crate::{Error, Limits, Value};
use coax_program::{Func, Program};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};
use wasmparser::ValType;

/// What a pointer points to has room in so many bytes, at least.
const ROOM: u64 = 1 << 16;

/// With what solvers choose, a loop may have thousands of millions of rounds; such a call shows nothing.
const MOST_FUEL: u64 = 10_000_000;

impl Unknown {
    /// The function of the program that a function of terms stands for.
    pub fn function_of(&self, name: &str) -> Option<Func> {
        self.shapes.lock().unwrap_or_else(PoisonError::into_inner).get(name).map(|shaped| shaped.func)
    }

    /// Calls a function of terms at these arguments, in the state that one of its calls has found. What that has shown: not always
    /// what was asked for, for with other arguments a function may read more. It may be ended by a flag.
    pub fn call(
        &self,
        program: &Program,
        module: &SymbolicModule<'_>,
        image: &Image,
        (function, arguments): (&str, &[u64]),
        (limits, until): (&Limits, Option<Arc<AtomicBool>>),
    ) -> Result<Observed, Error> {
        let shaped = self.shapes.lock().unwrap_or_else(PoisonError::into_inner).get(function).cloned();
        let Some(Shaped { func, places }) = shaped else { return Ok(Observed::default()) };
        let types = &program.signature(func).params;
        let most =
            places.iter().map(|place| if let Place::Behind(_, offset) = place { *offset } else { 0 }).max();
        let room = most.unwrap_or(0).next_multiple_of(ROOM) + ROOM;
        let mut image = image.clone();
        let free = image.memory.len() as u64;
        let at = |number: usize| free + number as u64 * room;
        if self.has_pointers(func) {
            image.memory.grow(at(types.len()) as usize);
        }
        let stack_end =
            self.stack_pointer.and_then(|pointer| image.globals.get(&pointer)).map(|end| end.bits());
        let mut params: Vec<u64> = (0..types.len()).map(at).collect();
        for (place, &value) in places.iter().zip(arguments) {
            let byte = match *place {
                Place::Param(number) => {
                    params[number] = value;
                    continue;
                }
                Place::Global(global) => {
                    let ty = program.globals[global as usize].ty.content_type;
                    image.globals.extend(number(ty, value).map(|value| (global, value)));
                    continue;
                }
                Place::Behind(number, offset) => at(number) + offset,
                Place::Memory(address) => address,
                Place::Below(offset) => match stack_end.and_then(|end| end.checked_sub(offset)) {
                    Some(address) => address,
                    None => return Ok(Observed::default()),
                },
            };
            image.memory.set(byte, value as u8);
        }
        let values: Option<Vec<Value>> =
            types.iter().zip(params).map(|(&ty, bits)| number(ty, bits)).collect();
        let Some(values) = values else { return Ok(Observed::default()) };
        let (director, observed) = self.director_for(places.iter().copied().collect());
        let setup = Setup { image: Some(&image), director: Some(director), until, ..Setup::default() };
        let limits = Limits { fuel: limits.fuel.min(MOST_FUEL), ..limits.clone() };
        let run = module.call(func, &values, Symbols::NONE, &limits, setup)?;
        module.recycle(run);
        let observed = observed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(observed)
    }

    fn has_pointers(&self, func: Func) -> bool {
        self.functions.get(&func).is_some_and(|known| known.params.iter().any(|param| param.is_pointer))
    }
}

/// A number of a type.
fn number(ty: ValType, bits: u64) -> Option<Value> {
    Some(match ty {
        ValType::I32 => Value::I32(bits as i32),
        ValType::I64 => Value::I64(bits as i64),
        ValType::F32 => Value::F32(bits as u32),
        ValType::F64 => Value::F64(bits),
        _ => return None,
    })
}
