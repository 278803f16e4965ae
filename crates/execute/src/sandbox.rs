//! Everything that belongs to one running instance: its world, what it uses, and its symbolic side; and the same world for
//! who runs programs without wasmtime, or calls WASI without a program.

use crate::bounds::{Bound, Usage};
use crate::imports::{Fault, Guest, Log};
use crate::symbolic::Symbolic;
use crate::wasi;
use crate::world::World;
use crate::{Error, Input, Limits, Symbols, Value};
use coax_program::Program;

/// Everything that belongs to one running instance.
pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) usage: Usage,
    /// The symbolic side, of an instrumented instance.
    pub(crate) symbolic: Option<Symbolic>,
}

impl State {
    /// A new world. `own_memory` is how much memory coax itself adds to the module.
    pub(crate) fn new(
        program: &Program,
        input: &Input,
        symbols: Symbols,
        limits: &Limits,
        own_memory: u64,
    ) -> Result<State, Error> {
        Ok(State {
            world: World::new(input, symbols, limits, wasi::sees_files(program))?,
            usage: Usage::new(limits, own_memory),
            symbolic: None,
        })
    }

    /// Takes standard output and standard error; notes in the bounds if they were longer than what is kept, and what was refused
    /// to be written.
    pub(crate) fn take_output(&mut self) -> (Vec<u8>, Vec<u8>) {
        let [(stdout, stdout_dropped), (stderr, stderr_dropped)] = self.world.take_output();
        for _ in [stdout_dropped, stderr_dropped].into_iter().filter(|&dropped| dropped) {
            self.usage.bounds.hit(Bound::Captured);
        }
        for _ in 0..self.world.take_refusals() {
            self.usage.bounds.hit(Bound::Written);
        }
        (stdout, stderr)
    }
}

/// The world of a run without its program.
pub struct Sandbox {
    world: World,
}

/// Why a call of the host did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// The program asked for the end of the run, with this exit code.
    Exited(u32),
    /// The host refused the call: there is no such function, a pointer leads outside of the memory or is not
    /// aligned, or an argument has no meaning.
    Refused,
}

impl Sandbox {
    /// A new world, with the files of the input.
    pub fn new(input: &Input, limits: &Limits) -> Result<Sandbox, Error> {
        Ok(Sandbox { world: World::new(input, Symbols::NONE, limits, true)? })
    }

    /// The world of a run of this program with these symbols, which takes note of what calls have to do with them.
    pub(crate) fn of_program(
        program: &Program,
        input: &Input,
        symbols: Symbols,
        limits: &Limits,
    ) -> Result<Sandbox, Error> {
        let mut world = World::new(input, symbols, limits, wasi::sees_files(program))?;
        world.log = Log::kept();
        Ok(Sandbox { world })
    }

    /// Calls a function of WASI, by its name, for a program with this memory.
    pub fn call(&mut self, name: &str, args: &[Value], memory: &mut [u8]) -> Result<Vec<Value>, Left> {
        let mut guest = Guest { memory, world: &mut self.world, fuel: u64::MAX };
        match wasi::call(name, args, &mut guest).ok_or(Left::Refused)? {
            Ok(()) => Ok(vec![Value::I32(0)]),
            Err(Fault::Errno(errno)) => Ok(vec![Value::I32(errno as i32)]),
            Err(Fault::Exit(code)) => Err(Left::Exited(code)),
            Err(Fault::Pointer(_) | Fault::Undefined | Fault::OutOfFuel) => Err(Left::Refused),
        }
    }

    /// What was written to standard output and standard error since the last time.
    pub fn take_output(&mut self) -> (Vec<u8>, Vec<u8>) {
        let [(stdout, _), (stderr, _)] = self.world.take_output();
        (stdout, stderr)
    }

    /// What the last call has to do with symbols.
    pub(crate) fn log(&mut self) -> &mut Log {
        &mut self.world.log
    }
}
