//! Everything that belongs to one running instance: its world, what it uses, and its symbolic side; and the same world for
//! who runs programs without wasmtime, or calls WASI without a program.

use crate::bounds::{Bound, Usage};
use crate::exports::memory_export;
use crate::imports::{Fault, Guest, Log, Provider};
use crate::memory_safety::Checks;
use crate::symbolic::Symbolic;
use crate::world::{Sees, World};
use crate::{Asked, Error, Input, Limits, Symbols, TrapKind, Value};
use crate::{imports, wasi};
use coax_program::{Extern, Program};

/// Everything that belongs to one running instance.
pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) usage: Usage,
    /// What the program's first memory is exported as.
    pub(crate) first_memory: String,
    /// The objects that parameters lead to: where they are, and how large.
    pub(crate) placed: Vec<(u64, u64)>,
    /// The symbolic side, of an instrumented instance.
    pub(crate) symbolic: Option<Symbolic>,
    /// What is known of the heap, of a checking instance.
    pub(crate) checks: Option<Checks>,
}

impl State {
    /// A new world, of an input that has an answer for each import. `own_memory` is how much memory coax itself adds to the module.
    pub(crate) fn new(
        program: &Program,
        input: &Input,
        symbols: Symbols,
        limits: &Limits,
        own_memory: u64,
    ) -> Result<State, Error> {
        begins_within(program, limits)?;
        Ok(State {
            world: World::new(input, symbols, limits, Sees::of(program))?,
            usage: Usage::new(limits, own_memory),
            first_memory: memory_export(program),
            placed: Vec::new(),
            symbolic: None,
            checks: None,
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
    /// The program says that it has failed, in this way.
    Failed(TrapKind),
    /// The program does not want the run to count.
    Discarded,
    /// The host refused the call: there is no such function, a pointer leads outside of the memory or is not
    /// aligned, or an argument has no meaning.
    Refused,
}

impl From<Fault> for Left {
    fn from(fault: Fault) -> Left {
        match fault {
            Fault::Exit(code) => Left::Exited(code),
            Fault::Failed { kind, .. } => Left::Failed(kind),
            Fault::Discarded(_) => Left::Discarded,
            Fault::Errno(_) | Fault::Pointer(_) | Fault::Undefined | Fault::Refused(_) | Fault::OutOfFuel => {
                Left::Refused
            }
        }
    }
}

impl Sandbox {
    /// A new world, with the files of the input.
    pub fn new(input: &Input, limits: &Limits) -> Result<Sandbox, Error> {
        Ok(Sandbox { world: World::new(input, Symbols::NONE, limits, Sees { files: true, requests: true })? })
    }

    /// The world of a run of this program with these symbols, which takes note of what calls have to do with them.
    pub(crate) fn of_program(
        program: &Program,
        input: &Input,
        symbols: Symbols,
        limits: &Limits,
    ) -> Result<Sandbox, Error> {
        imports::check(program, input)?;
        let mut world = World::new(input, symbols, limits, Sees::of(program))?;
        world.log = Log::kept();
        Ok(Sandbox { world })
    }

    /// Calls a function of WASI, by its name, for a program with this memory.
    pub fn call(&mut self, name: &str, args: &[Value], memory: &mut [u8]) -> Result<Vec<Value>, Left> {
        let mut guest = Guest { memory, world: &mut self.world, fuel: u64::MAX };
        let answer = wasi::call(name, args, &mut guest).ok_or(Left::Refused)?;
        Ok(answer?.map(|errno| Value::I32(errno as i32)).into_iter().collect())
    }

    /// Has somebody answer an import of a program with this memory.
    pub(crate) fn ask(
        &mut self,
        provider: &Provider,
        args: &[Value],
        memory: &mut [u8],
    ) -> Result<Option<Value>, Left> {
        let mut guest = Guest { memory, world: &mut self.world, fuel: u64::MAX };
        Ok(provider.call(args, &mut guest)?)
    }

    /// What the program said by its test harness.
    pub(crate) fn take_asked(&mut self) -> Result<Asked, Error> {
        self.world.take_asked()
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

/// Refuses a program that begins with more than the limits allow: what is ours beside it does not count, and nothing is made first.
fn begins_within(program: &Program, limits: &Limits) -> Result<(), Error> {
    let imported = |is_it: fn(&Extern) -> bool| program.imports.iter().filter(|it| is_it(&it.kind)).count();
    let memories = program.memories.iter().skip(imported(|kind| matches!(kind, Extern::Memory(_))));
    let tables = program.tables.iter().skip(imported(|kind| matches!(kind, Extern::Table(_))));
    let pages = memories.map(|memory| memory.ty.initial).fold(0, u64::saturating_add);
    let needs = [
        ("bytes of memory", pages.saturating_mul(1 << 16), limits.memory_bytes),
        (
            "table elements",
            tables.map(|table| table.initial).fold(0, u64::saturating_add),
            limits.table_elements,
        ),
    ];
    match needs.into_iter().find(|(_, needed, limit)| needed > limit) {
        Some((what, needed, limit)) => Err(Error::TooSmall { what: what.into(), needed, limit }),
        None => Ok(()),
    }
}
