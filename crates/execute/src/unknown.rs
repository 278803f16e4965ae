//! Unknown functions: calls that are not followed, and what they were seen to do. See `docs/decisions/0010-higher-order.md`.

mod call;
mod kept;
mod objects;
mod pointers;
mod shape;
mod watch;

use crate::hooks::{Byte, Call, CallKind, Datum, Director, Fixed, FrameRecord, Treatment};
use crate::memory_safety::stack_of;
use crate::symbolic::width;
use coax_program::{Func, Program};
use coax_term::{Algebra, Binary, Term, Terms};
use kept::Kept;
use objects::{Object, Objects};
use pointers::{Bases, Whole};
use serde::{Deserialize, Serialize};
pub use shape::FunctionName;
use shape::{Param, Place, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
pub use watch::Computed;

/// No call has more outputs times arguments: their terms would take more room than the rest of a run.
const MOST_ARGUMENTS: usize = 1 << 16;
/// What a call writes elsewhere before it uses what it is given, and not again, is a table that the first call fills if it has more bytes: no output, for it would be the same
/// with other arguments. Less may be a note of what happened, which begins with "nothing" and is set to something with others.
const MOST_BEFORE: usize = 64;
/// What is said of a function with a memory of its own.
const KEEPS: &str = "it keeps something in memory from one call to the next";
/// What is said of a function that reads variables on the stack before it sets them, where an earlier call computed.
const READS_LEFT: &str = "it reads what an earlier call left on the stack";

/// The functions that are unknown.
#[derive(Clone, Debug)]
pub struct Unknown {
    functions: Arc<BTreeMap<Func, Known>>,
    /// The global that points to the stack.
    stack_pointer: Option<u32>,
    objects: Arc<Objects>,
    /// The widths of the globals.
    globals: Arc<Vec<u8>>,
    /// What the functions that terms have are functions of, by their names.
    shapes: Arc<Mutex<BTreeMap<String, Shaped>>>,
}

/// What a function that terms have is.
#[derive(Clone, Debug)]
struct Shaped {
    func: Func,
    /// Its arguments, in order.
    places: Arc<[Place]>,
}

/// What is known of an unknown function.
#[derive(Clone, Debug)]
struct Known {
    name: String,
    /// Where its code is.
    at: u32,
    params: Vec<Param>,
    /// The widths of its results; none of those that are no numbers.
    results: Vec<Option<u8>>,
}

/// A call of an unknown function, and what it has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The function of the program.
    pub func: Func,
    /// How many events the path had when it was over.
    pub events: usize,
    /// Which places it read, behind its name: calls of one shape have the same arguments.
    pub shape: String,
    /// Whether a call with other arguments may have another shape.
    pub may_differ: bool,
    /// Its arguments.
    pub arguments: Vec<u64>,
    /// How many of them, the first ones, are parameters; the others are bytes and globals that it read.
    pub numbers: usize,
    /// Their terms; none at all if nothing that it was given depends on the input, or if it used nothing of that.
    pub terms: Vec<Term>,
    /// What came out of it.
    pub outputs: Vec<Shown>,
}

/// One of the things that come out of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The name of the function that terms have for it.
    pub function: String,
    /// Its value, and how wide that is.
    pub value: u64,
    /// In bits.
    pub width: u8,
    /// Whether it is neither a result nor behind a pointer that the call was given.
    pub is_elsewhere: bool,
}

/// A call that is no function of what it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The function of the program.
    pub func: Func,
    /// Why it is none.
    pub why: String,
    /// Whether that is true of the function whatever its other calls show.
    pub is_sure: bool,
}

/// What the calls of a run have shown.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Calls that show values of functions, in the order in which they ended.
    pub calls: Vec<Called>,
    /// Calls that show none.
    pub refused: Vec<Refused>,
}

impl Unknown {
    /// These functions are unknown.
    pub fn new(program: &Program, functions: impl IntoIterator<Item = Func>) -> Unknown {
        let known = |func: Func| {
            let name = Unknown::name_of(program, func);
            let at = program.functions[func].defined().map_or(0, |code| code.range.start);
            let results = program.signature(func).results.iter().map(|&ty| width(ty)).collect();
            (func, Known { name, at, params: shape::params(program, func), results })
        };
        let functions: BTreeMap<Func, Known> = functions.into_iter().map(known).collect();
        let widths = program.globals.iter().map(|global| width(global.ty.content_type).unwrap_or_default());
        let (stack_pointer, stack) = stack_of(program).unzip();
        let objects = match functions.is_empty() {
            true => Objects::default(),
            false => Objects::new(program, stack),
        };
        Unknown {
            functions: Arc::new(functions),
            stack_pointer,
            objects: Arc::new(objects),
            globals: Arc::new(widths.collect()),
            shapes: Arc::default(),
        }
    }

    /// The name by which a function is known: several files may have one of the same name.
    pub fn name_of(program: &Program, func: Func) -> String {
        let name = &program.functions[func].name;
        let same = program.functions.iter().filter(|(_, other)| other.name == *name).map(|(other, _)| other);
        match same.take_while(|other| *other != func).count() {
            0 => name.clone(),
            before => format!("{name}#{before}"),
        }
    }

    /// Why calls of a function show nothing, if that is sure from the beginning.
    pub fn refuses(program: &Program, func: Func) -> Option<&'static str> {
        let signature = program.signature(func);
        let is_number = |ty: &wasmparser::ValType| width(*ty).is_some();
        match (signature.params.iter().all(is_number), signature.results.iter().all(is_number)) {
            (false, _) => Some("it has a parameter that is no number"),
            (_, false) => Some("it has a result that is no number"),
            _ => None,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The functions.
    pub fn functions(&self) -> impl Iterator<Item = Func> + '_ {
        self.functions.keys().copied()
    }

    /// Who suspends their calls in one run, and where what they have shown will be.
    pub fn director(&self) -> (Box<dyn Director>, Arc<Mutex<Observed>>) {
        self.director_for(BTreeSet::new())
    }

    /// The same; these places count as arguments though nothing there depends on the input.
    fn director_for(&self, counted: BTreeSet<Place>) -> (Box<dyn Director>, Arc<Mutex<Observed>>) {
        let observed = Arc::new(Mutex::new(Observed::default()));
        let (unknown, kept) = (self.clone(), Kept::default());
        let left = BTreeSet::new();
        let suspending = Suspending { unknown, counted, kept, left, observed: Arc::clone(&observed) };
        (Box::new(suspending), observed)
    }
}

/// Suspends the calls of unknown functions.
struct Suspending {
    unknown: Unknown,
    /// Places that count as arguments whatever is there.
    counted: BTreeSet<Place>,
    kept: Kept,
    /// Where calls that were not followed have left something on the stack: it has no terms though it may depend on the input.
    left: BTreeSet<u64>,
    observed: Arc<Mutex<Observed>>,
}

impl Director for Suspending {
    fn entering(&mut self, call: &Call, _: &mut Terms) -> Treatment {
        match self.unknown.functions.contains_key(&call.func) {
            true => Treatment::Suspend,
            false => Treatment::Run,
        }
    }

    fn wants_record(&self, _: &Call) -> bool {
        false
    }

    fn ended(&mut self, frame: &mut FrameRecord, terms: &mut Terms) {
        let unknown = &self.unknown;
        let Some(known) = unknown.functions.get(&frame.call.func) else { return };
        let mut observed = self.observed.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = unknown.changed(known, frame, &self.counted);
        let is_kept = self.kept.is_kept_by(frame.call.func, changed);
        let reads_left = unknown.reads_left(frame, &mut self.left);
        let is_sure = is_kept || reads_left;
        let shown = match (is_kept, reads_left) {
            (true, _) => Err(KEEPS.to_owned()),
            (_, true) => Err(READS_LEFT.to_owned()),
            _ => unknown.observe(known, frame, &self.counted, terms),
        };
        match shown {
            Ok(called) => observed.calls.push(called),
            Err(why) => {
                let fixed = unknown.inputs(known, frame, &self.counted);
                let at = known.at;
                let fix =
                    |input: &Given| Some(Fixed { term: input.datum.term?, value: input.datum.bits, at });
                frame.fixed = fixed.iter().filter_map(fix).collect();
                observed.refused.push(Refused { func: frame.call.func, why, is_sure });
            }
        }
    }
}

/// Something that a call was given.
struct Given {
    place: Place,
    width: u8,
    datum: Datum,
}

impl Given {
    fn term(&self, terms: &mut Terms) -> Term {
        self.datum.term.unwrap_or_else(|| terms.constant(self.width, self.datum.bits))
    }
}

/// Something that comes out of a call.
struct Output<'f> {
    place: Place,
    /// Where it is, if it is a byte of memory.
    address: Option<u64>,
    width: u8,
    datum: &'f mut Datum,
    /// Whether it is a byte that was only written before the call used something that depends on the input.
    is_before: bool,
}

impl Unknown {
    /// Gives the outputs of a call their terms. What it has shown, or why it shows nothing.
    fn observe(
        &self,
        known: &Known,
        frame: &mut FrameRecord,
        counted: &BTreeSet<Place>,
        terms: &mut Terms,
    ) -> Result<Called, String> {
        if !matches!(frame.ending, CallKind::Returned(_)) {
            return Err("it did not return".to_owned());
        }
        if let Some(beyond) = frame.beyond.iter().next() {
            return Err(beyond.to_string());
        }
        let inputs = self.inputs(known, frame, counted);
        let arguments: Vec<u64> = inputs.iter().map(|input| input.datum.bits).collect();
        let is_given_terms = inputs.iter().any(|input| input.datum.term.is_some());
        // What it was given it only handed on, if at all: what comes out has its terms.
        let is_symbolic = is_given_terms && frame.has_used;
        let (func, events) = (frame.call.func, frame.events);
        let is_number =
            |place: &Place| matches!(place, Place::Param(number) if !known.params[*number].is_pointer);
        let read = inputs.iter().map(|input| input.place).filter(|place| !is_number(place));
        // With other arguments even a call that read nothing may read something through its pointers.
        let may_differ = read.clone().next().is_some() || known.params.iter().any(|param| param.is_pointer);
        let shape = Shape::new(&known.name, read);
        let mut bases = Bases::new(known, &frame.call, counted);
        let mut outputs = match is_given_terms && !is_symbolic {
            true => Vec::new(),
            false => self.outputs(known, frame, counted),
        };
        let is_table = |it: &Output<'_>| it.is_before && it.place.is_elsewhere();
        if is_symbolic && outputs.iter().filter(|it| is_table(it)).count() > MOST_BEFORE {
            outputs.retain(|it| !is_table(it));
        }
        if is_symbolic && inputs.len() * outputs.len() > MOST_ARGUMENTS {
            return Err("it reads and writes too much".to_owned());
        }
        let numbers = inputs.iter().filter(|input| matches!(input.place, Place::Param(_))).count();
        let list: Vec<Term> = match is_symbolic {
            true => inputs.iter().map(|input| input.term(terms)).collect(),
            false => Vec::new(),
        };
        let places: Arc<[Place]> = inputs.iter().map(|input| input.place).collect();
        let mut shapes = self.shapes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut shown = Vec::with_capacity(outputs.len());
        let used = places.iter().copied().chain(outputs.iter().map(|output| output.place));
        used.for_each(|place| bases.use_place(place));
        let wholes = bases.put_together(outputs);
        for Whole { place, to, value, width, parts } in wholes {
            let function = shape.output(place, to.map(|(param, _)| param));
            let is_elsewhere = place.is_elsewhere();
            if (is_symbolic || !is_elsewhere) && !shapes.contains_key(&function) {
                shapes.insert(function.clone(), Shaped { func, places: Arc::clone(&places) });
            }
            if is_symbolic {
                let function = terms.function(&function, width);
                let given = terms.apply(function, &list);
                let base = terms.constant(width, to.map_or(0, |(_, base)| base));
                let whole = terms.binary(Binary::Add, base, given);
                let mut low = 0;
                for Output { width, datum, .. } in parts {
                    datum.term = Some(terms.extract(whole, low, width));
                    low += width;
                }
            }
            shown.push(Shown { function, value, width, is_elsewhere });
        }
        let shape = shape.into_name();
        Ok(Called { func, events, shape, may_differ, arguments, numbers, terms: list, outputs: shown })
    }

    /// What a call was given, in an order that depends on where it was only.
    fn inputs(&self, known: &Known, frame: &FrameRecord, counted: &BTreeSet<Place>) -> Vec<Given> {
        let counts = |place: Place, datum: &Datum| datum.term.is_some() || counted.contains(&place);
        let mut inputs = Vec::new();
        for (number, (param, datum)) in known.params.iter().zip(&frame.call.args).enumerate() {
            let (Some(width), Some(datum)) = (param.width, *datum) else { continue };
            // A pointer that depends on the input is a number like others: where it points to is what matters.
            if !param.is_pointer || counts(Place::Param(number), &datum) {
                inputs.push(Given { place: Place::Param(number), width, datum });
            }
        }
        let dead = self.dead_stack(&frame.globals_read);
        let place_of = |cell: &Byte| match dead.as_ref().filter(|dead| dead.contains(&cell.address)) {
            Some(dead) => Place::Below(dead.end - cell.address),
            None => self.place_of(cell.address, known, &frame.call, counted),
        };
        let cells: Vec<(&Byte, Place)> = frame.cells_read.iter().map(|cell| (cell, place_of(cell))).collect();
        // What is next to bytes that depend on the input belongs to them: the end of a string, the length of what was read.
        let depends = |(cell, place): &&(&Byte, Place)| place.is_elsewhere() && counts(*place, &cell.value);
        // And what is where a pointer leads to that depends on it, even if that is nothing but the end.
        let is_led_to = |given: &Given| match given.place {
            Place::Param(number) => known.params[number].is_pointer && given.datum.bits != 0,
            _ => false,
        };
        let led_to = inputs.iter().filter(|given| is_led_to(given)).map(|given| given.datum.bits);
        let addresses = cells.iter().filter(depends).map(|(cell, _)| cell.address).chain(led_to);
        let objects: BTreeSet<Object> = addresses.map(|address| self.objects.object_at(address)).collect();
        let belongs = |address: u64| objects.contains(&self.objects.object_at(address));
        for (&Byte { address, value }, place) in cells {
            // What a call reads on the stack before it sets it is not its caller's to give, but what it does depends on it.
            if matches!(place, Place::Behind(..) | Place::Below(_))
                || counts(place, &value)
                || belongs(address)
            {
                inputs.push(Given { place, width: 8, datum: value });
            }
        }
        let is_given = |(global, datum): &&(u32, Datum)| counts(Place::Global(*global), datum);
        for &(global, datum) in frame.globals_read.iter().filter(is_given) {
            inputs.push(Given { place: Place::Global(global), width: self.globals[global as usize], datum });
        }
        inputs.sort_by_key(|input| input.place);
        inputs
    }

    /// The part of the stack that nobody used when a call began, if the call looked where that was.
    fn dead_stack(&self, globals_read: &[(u32, Datum)]) -> Option<Range<u64>> {
        let (stack, pointer) = self.objects.stack.as_ref().zip(self.stack_pointer)?;
        let (_, was) = globals_read.iter().find(|(global, _)| *global == pointer)?;
        Some(stack.start..was.bits)
    }

    /// Whether a call reads on the stack what calls before it have left there, and notes what it leaves there itself.
    fn reads_left(&self, frame: &FrameRecord, left: &mut BTreeSet<u64>) -> bool {
        let Some(dead) = self.dead_stack(&frame.globals_read) else { return false };
        let is_dead = |cell: &&Byte| dead.contains(&cell.address);
        let reads_left = frame.cells_read.iter().filter(is_dead).any(|cell| left.contains(&cell.address));
        if frame.has_used {
            left.extend(frame.effects.cells.iter().filter(is_dead).map(|cell| cell.address));
        }
        reads_left
    }

    /// Where an address is for a call.
    fn place_of(&self, address: u64, known: &Known, call: &Call, counted: &BTreeSet<Place>) -> Place {
        Place::of(address, known, call, counted, &self.objects)
    }

    /// What comes out of a call.
    fn outputs<'f>(
        &self,
        known: &Known,
        frame: &'f mut FrameRecord,
        counted: &BTreeSet<Place>,
    ) -> Vec<Output<'f>> {
        let FrameRecord { call, effects, globals_read, cells_before, .. } = frame;
        let dead = self.dead_stack(globals_read);
        let is_alive = |address: u64| dead.as_ref().is_none_or(|dead| !dead.contains(&address));
        let mut outputs = Vec::new();
        for (number, (width, datum)) in known.results.iter().zip(&mut effects.results).enumerate() {
            if let (Some(width), Some(datum)) = (*width, datum) {
                let place = Place::Param(number);
                outputs.push(Output { place, address: None, width, datum, is_before: false });
            }
        }
        let written = effects.cells.iter_mut().enumerate();
        for (number, Byte { address, value }) in written.filter(|(_, cell)| is_alive(cell.address)) {
            let (place, is_before) = (self.place_of(*address, known, call, counted), number < *cells_before);
            outputs.push(Output { place, address: Some(*address), width: 8, datum: value, is_before });
        }
        // The stack pointer is as before.
        let is_stack = |global: u32| self.stack_pointer == Some(global);
        for (global, datum) in effects.globals.iter_mut().filter(|(global, _)| !is_stack(*global)) {
            let (place, width) = (Place::Global(*global), self.globals[*global as usize]);
            outputs.push(Output { place, address: None, width, datum, is_before: false });
        }
        outputs
    }
}
