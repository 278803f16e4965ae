//! Functions of WASI, which a module imports and calls in every way that wasm has: directly, through the table, instead of a
//! return, from the start function.
//!
//! What the arguments are is in `arguments.rs`. Calls come in small stories, too: standard input that is read, also by another
//! descriptor; a file that is written and read back.

use super::super::generate::Random;
use super::arguments::{ARENA, Argument, Given};
use super::code::{Code, Kind};
use super::shape::{SLOTS, Signature};
use super::weighted;
use Argument::*;
use wasm_encoder::{Instruction, ValType};

/// A function of WASI.
pub(super) struct Service {
    pub(super) name: &'static str,
    /// How often it is chosen.
    weight: usize,
    takes: &'static [Argument],
}

/// A service that is called often, and one that is not.
const fn often(name: &'static str, takes: &'static [Argument]) -> Service {
    Service { name, weight: 6, takes }
}

const fn seldom(name: &'static str, takes: &'static [Argument]) -> Service {
    Service { name, weight: 1, takes }
}

static SERVICES: [Service; 46] = [
    often("fd_read", &[Fd, Buffers, Result(4)]),
    often("fd_write", &[Fd, Buffers, Result(4)]),
    often("fd_pread", &[Fd, Buffers, Long, Result(4)]),
    often("fd_pwrite", &[Fd, Buffers, Long, Result(4)]),
    often("fd_seek", &[Fd, Long, Below(3), Result(8)]),
    often("fd_renumber", &[Fd, Fd]),
    often("fd_readdir", &[Directory, Bytes, Long, Result(4)]),
    often("path_open", &[Directory, Flags(1), Path, Flags(4), Rights, Rights, Flags(5), Result(4)]),
    often("poll_oneoff", &[Subscriptions, Result(4)]),
    often("clock_time_get", &[Below(4), Long, Result(8)]),
    often("random_get", &[Bytes]),
    often("args_get", &[Result(4), Place]),
    often("path_symlink", &[Path, Directory, Path]),
    often("path_readlink", &[Directory, Path, Bytes, Result(4)]),
    often("path_filestat_get", &[Directory, Flags(1), Path, Result(8)]),
    seldom("args_sizes_get", &[Result(4), Result(4)]),
    seldom("environ_get", &[Result(4), Place]),
    seldom("environ_sizes_get", &[Result(4), Result(4)]),
    seldom("clock_res_get", &[Below(4), Result(8)]),
    seldom("fd_advise", &[Fd, Long, Long, Below(6)]),
    seldom("fd_allocate", &[Fd, Long, Long]),
    seldom("fd_close", &[Fd]),
    seldom("fd_datasync", &[Fd]),
    seldom("fd_sync", &[Fd]),
    seldom("fd_tell", &[Fd, Result(8)]),
    seldom("fd_fdstat_get", &[Fd, Result(8)]),
    seldom("fd_fdstat_set_flags", &[Fd, Flags(5)]),
    seldom("fd_fdstat_set_rights", &[Fd, Rights, Rights]),
    seldom("fd_filestat_get", &[Fd, Result(8)]),
    seldom("fd_filestat_set_size", &[Fd, Long]),
    seldom("fd_filestat_set_times", &[Fd, Long, Long, Flags(4)]),
    seldom("fd_prestat_get", &[Directory, Result(4)]),
    seldom("fd_prestat_dir_name", &[Directory, Bytes]),
    seldom("path_create_directory", &[Directory, Path]),
    seldom("path_filestat_set_times", &[Directory, Flags(1), Path, Long, Long, Flags(4)]),
    seldom("path_link", &[Directory, Flags(1), Path, Directory, Path]),
    seldom("path_remove_directory", &[Directory, Path]),
    seldom("path_rename", &[Directory, Path, Directory, Path]),
    seldom("path_unlink_file", &[Directory, Path]),
    seldom("proc_exit", &[Below(4)]),
    seldom("proc_raise", &[Below(31)]),
    seldom("sched_yield", &[]),
    seldom("sock_accept", &[Fd, Flags(5), Result(4)]),
    seldom("sock_recv", &[Fd, Buffers, Flags(2), Result(4), Result(4)]),
    seldom("sock_send", &[Fd, Buffers, Flags(2), Result(4)]),
    seldom("sock_shutdown", &[Fd, Flags(2)]),
];

const EXIT: &str = "proc_exit";

impl Service {
    /// All but `proc_exit` return an error number.
    pub(super) fn signature(&self) -> Signature {
        let results = if self.name == EXIT { Vec::new() } else { vec![ValType::I32] };
        Signature {
            params: self.takes.iter().flat_map(|argument| argument.types()).copied().collect(),
            results,
        }
    }
}

/// Those that a module imports: `fd_read` and some others.
pub(super) fn choose(random: &mut Random) -> Vec<&'static Service> {
    let (first, rest) = SERVICES.split_first().expect("there are services");
    let mut chosen = vec![first];
    for _ in 0..random.pick(&[2, 6, 12, 24]) {
        let choices: Vec<(usize, &'static Service)> =
            rest.iter().map(|service| (service.weight, service)).collect();
        let service = weighted(random, &choices);
        if chosen.iter().all(|known| known.name != service.name) {
            chosen.push(service);
        }
    }
    chosen
}

type Story = fn(&mut Code<'_>);

static STORIES: &[(usize, Story)] = &[
    (12, |code| code.any_service()),
    (6, |code| code.read_input()),
    (3, |code| code.read_input_elsewhere()),
    (3, |code| code.write_and_read_back()),
    (2, |code| code.print()),
    (4, |code| code.look()),
    (1, |code| code.exit()),
    (2, |code| code.service_instead_of_return()),
];

/// The descriptor that standard input has at first; that of the pre-opened directory.
const STDIN: i32 = 0;
const ROOT: i32 = 3;

impl Code<'_> {
    pub(super) fn has_services(&self) -> bool {
        !self.shape.services.is_empty()
    }

    pub(super) fn service_statement(&mut self) {
        let tell = weighted(&mut self.random, STORIES);
        tell(self);
    }

    /// A function without parameters begins with what it reads; others now and then.
    pub(super) fn begin_with_input(&mut self) {
        if self.has_services() && (self.parameters().is_empty() || self.one_in(3)) {
            self.read_input();
        }
    }

    /// Now and then the last thing that a function does is a call of WASI.
    pub(super) fn end_with_service(&mut self) {
        if self.has_services() && !self.is_dead() && self.one_in(3) {
            self.service_instead_of_return();
        }
    }

    /// The number of a service that is imported.
    fn service(&self, name: &str) -> Option<usize> {
        self.shape.services.iter().position(|service| service.name == name)
    }

    fn any_service(&mut self) {
        let choices: Vec<(usize, usize)> =
            self.shape.services.iter().map(|service| service.weight).zip(0..).collect();
        let service = weighted(&mut self.random, &choices);
        // Whatever follows would not be run.
        if self.shape.services[service].name != EXIT {
            self.call_service(service, &[]);
        }
    }

    /// Calls a service, directly or through the table; what is not given is chosen.
    fn call_service(&mut self, service: usize, given: &[Given]) {
        self.service_arguments(service, given);
        let Signature { params, results } = self.shape.services[service].signature();
        match self.service_slot(service) {
            Some(type_index) => {
                let call = Instruction::CallIndirect { type_index, table_index: 0 };
                self.apply(&call, params.len() + 1, &results);
            }
            None => self.apply(&Instruction::Call(service as u32), params.len(), &results),
        }
        if !results.is_empty() {
            self.use_errno();
        }
    }

    fn service_arguments(&mut self, service: usize, given: &[Given]) {
        let takes = self.shape.services[service].takes;
        for (place, &argument) in takes.iter().enumerate() {
            self.argument_for_service(argument, given.get(place).copied().unwrap_or(Given::Nothing));
        }
    }

    /// Now and then: the table's slot of a service, and its type.
    fn service_slot(&mut self, service: usize) -> Option<u32> {
        if !self.one_in(3) {
            return None;
        }
        let signature = self.shape.services[service].signature();
        let group = self.shape.signatures.iter().position(|known| *known == signature)?;
        let functions = self.shape.functions_with(group);
        let slot = functions.iter().position(|&index| index == service as u32)?;
        // The first function calls none of the module's own, which the slots may have got: it does not count its calls.
        let has_own = functions.iter().any(|&index| index as usize >= self.shape.services.len());
        if slot >= SLOTS as usize || (has_own && self.function == 0) {
            return None;
        }
        let first = group as i32 * SLOTS as i32;
        match self.one_in(8) {
            // Another one that takes the same.
            true => self.slot(group),
            false => self.number(first + slot as i32, 0),
        }
        Some(self.shape.type_index(&signature))
    }

    /// The answer decides, stays on the stack, or is not looked at.
    fn use_errno(&mut self) {
        match self.random.below(3) {
            0 => self.apply(&Instruction::Drop, 1, &[]),
            1 => self.branch_here(),
            _ => {}
        }
    }

    /// A branch on the i32 on the stack.
    fn branch_here(&mut self) {
        self.open(&Instruction::If, Signature::default(), Kind::Forward);
        self.close();
    }

    /// Reads standard input into the arena.
    fn read_input(&mut self) {
        self.read_from(STDIN);
    }

    fn read_from(&mut self, fd: i32) {
        if let Some(read) = self.service("fd_read") {
            self.call_service(read, &[Given::Number(fd)]);
        }
    }

    /// Standard input gets another descriptor.
    fn read_input_elsewhere(&mut self) {
        let Some(renumber) = self.service("fd_renumber") else { return self.read_input() };
        let to = self.random.pick(&[1, 2, ROOT]);
        self.call_service(renumber, &[Given::Number(STDIN), Given::Number(to)]);
        self.read_from(to);
        if self.one_in(2) {
            self.call_service(renumber, &[Given::Number(to), Given::Number(2)]);
            self.read_from(2);
        }
    }

    fn print(&mut self) {
        if let Some(write) = self.service("fd_write") {
            let fd = self.random.pick(&[1, 2]);
            self.call_service(write, &[Given::Number(fd)]);
        }
    }

    /// Writes to a file, and reads what is there.
    fn write_and_read_back(&mut self) {
        let Some(open) = self.service("path_open") else { return self.any_service() };
        const CREATE: i32 = 1;
        const READ_AND_WRITE: i32 = 0x42;
        let result = 4 * self.random.below(ARENA / 4) as i32;
        let opened = Given::Loaded(result);
        let path = Given::Nothing;
        let flags = [CREATE, READ_AND_WRITE, 0, 0, result].map(Given::Number);
        let start = [Given::Number(ROOT), Given::Number(1), path];
        self.call_service(open, &[&start[..], &flags].concat());
        for name in ["fd_write", "fd_pwrite"] {
            if let Some(write) = self.service(name).filter(|_| self.one_in(2)) {
                self.call_service(write, &[opened]);
            }
        }
        if let Some(seek) = self.service("fd_seek") {
            self.call_service(seek, &[opened, Given::Number(0), Given::Number(0)]);
        }
        for name in ["fd_read", "fd_pread"] {
            if let Some(read) = self.service(name).filter(|_| self.one_in(2)) {
                self.call_service(read, &[opened]);
            }
        }
    }

    /// A branch on some cells of the arena.
    fn look(&mut self) {
        let at = self.random.below(ARENA);
        let place = self.place_at(0, at);
        self.apply(&Instruction::I32Load8U(place), 1, &[ValType::I32]);
        let limit = self.random.below(256) as i32;
        self.i32(limit);
        self.apply(&Instruction::I32LtU, 2, &[ValType::I32]);
        self.branch_here();
    }

    /// Ends the run, if something has a certain value.
    fn exit(&mut self) {
        let Some(exit) = self.service(EXIT) else { return self.look() };
        if self.is_deep() {
            return;
        }
        self.masked(3);
        self.apply(&Instruction::I32Eqz, 1, &[ValType::I32]);
        self.open(&Instruction::If, Signature::default(), Kind::Forward);
        self.call_service(exit, &[]);
        self.close();
    }

    /// A tail call of a service, where that fits.
    fn service_instead_of_return(&mut self) {
        let own = &self.shape.signature(self.function).results;
        let fits = |service: &usize| self.shape.services[*service].signature().results == *own;
        let fitting: Vec<usize> = (0..self.shape.services.len()).filter(fits).collect();
        if fitting.is_empty() || self.is_deep() {
            return self.any_service();
        }
        let service = self.random.pick(&fitting);
        self.masked(1);
        self.open(&Instruction::If, Signature::default(), Kind::Forward);
        self.service_arguments(service, &[]);
        let call = match self.service_slot(service) {
            Some(type_index) => Instruction::ReturnCallIndirect { type_index, table_index: 0 },
            None => Instruction::ReturnCall(service as u32),
        };
        self.apply(&call, 0, &[]);
        self.die();
        self.close();
    }
}
