//! Other inputs of a program, by chance: most programs with assumptions do not count on the first input that comes to mind.
//!
//! Each is made from the best so far, and that one's path must say where it goes. Better is a run that ends and
//! counts, then one that decides more.

use crate::prediction;
use crate::random::Random;
use anyhow::{Result, anyhow};
use coax_execute::{
    Answer, Content, Error, EventKind, Input, Limits, Number, Request, SymbolicModule, SymbolicRun, Symbols,
};
use std::collections::BTreeSet;

/// The inputs that were tried, and the best of them.
pub(super) struct Search<'a> {
    module: &'a SymbolicModule<'a>,
    limits: &'a Limits,
    /// The best run.
    pub best: SymbolicRun,
    /// Its input: all that the program asked for.
    pub input: Input,
    /// The names of all inputs that were found.
    pub inputs: BTreeSet<String>,
    /// How many runs there were.
    pub runs: usize,
}

impl<'a> Search<'a> {
    /// Starts with an input.
    pub fn new(module: &'a SymbolicModule<'a>, limits: &'a Limits, input: Input) -> Result<Search<'a>> {
        let best = module.run(&input, Symbols::default(), limits)?;
        prediction::check_own_input(&best, &input)?;
        let inputs = names(&best);
        let input = answered(input, &best);
        Ok(Search { module, limits, best, input, inputs, runs: 1 })
    }

    /// Tries one more; the number decides what is changed.
    pub fn step(&mut self, number: u64) -> Result<()> {
        let (_, counts, _) = rank(&self.best);
        let mut input = mutate(&self.input, number, !counts);
        let run = loop {
            match self.module.run(&input, Symbols::default(), self.limits) {
                // On another way the program may ask for something else: what was meant for this way is left out.
                Err(Error::BadValue { place, .. }) => input.values.truncate(place),
                run => break run?,
            }
        };
        self.runs += 1;
        // A run that is cut may be cut earlier than another on the same path.
        if run.bounds.is_empty() && self.best.bounds.is_empty() {
            prediction::predict(&self.best, &run, &input)
                .map_err(|error| anyhow!("on input {number}: {error}"))?;
        }
        self.inputs.extend(names(&run));
        // One that is as good is taken too: the way to a better one may lead over it.
        let worse = if rank(&run) >= rank(&self.best) {
            self.input = answered(input, &run);
            std::mem::replace(&mut self.best, run)
        } else {
            run
        };
        self.module.recycle(worse);
        Ok(())
    }
}

/// What makes a run worth more than another: that it came to an end, and not at an assumption, then how much it decided.
fn rank(run: &SymbolicRun) -> (bool, bool, usize) {
    let events = &run.path().events;
    let is_discarded = events.last().is_some_and(|event| event.kind == EventKind::Assumption { held: false });
    (run.bounds.is_empty(), !is_discarded, events.len())
}

/// The input with all that the program asked for and got.
fn answered(input: Input, run: &SymbolicRun) -> Input {
    Input { values: run.asked.requests.clone(), ..input }
}

/// The names of a run's inputs.
fn names(run: &SymbolicRun) -> BTreeSet<String> {
    let terms = run.terms();
    let symbols = terms.symbols().map(|symbol| object_of(terms.symbol_name(symbol)).to_owned());
    symbols.chain(run.asked.requests.iter().map(|request| request.name.clone())).collect()
}

/// The object that a symbol is part of: `text` of `text[3]`.
fn object_of(name: &str) -> &str {
    match name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        Some((object, _)) => object,
        None => name.strip_suffix(".length").unwrap_or(name),
    }
}

/// The input with one to three of its values changed. What a run got last is the most likely reason that it does not count.
fn mutate(input: &Input, number: u64, is_discarded: bool) -> Input {
    let mut random = Random::new(number);
    let mut input = input.clone();
    if let Some(Request { value: Answer::Number(last), .. }) = input.values.last_mut()
        && is_discarded
        && random.below(2) == 0
    {
        *last = last.kind().number(number_near(last.bits(), &mut random));
        return input;
    }
    for _ in 0..=random.below(3) {
        let mut values = values(&mut input);
        if values.is_empty() {
            break;
        }
        let choice = random.below(values.len());
        match &mut values[choice] {
            Part::Bytes(bytes) => mutate_bytes(bytes, &mut random),
            Part::Number(old) => **old = old.kind().number(number_near(old.bits(), &mut random)),
        }
    }
    input
}

/// A part of an input that can be another one.
enum Part<'i> {
    Bytes(&'i mut Vec<u8>),
    Number(&'i mut Number),
}

/// All parts of an input that can be others; arguments of a tool stay what they are, or it would only complain.
fn values(input: &mut Input) -> Vec<Part<'_>> {
    let params = input.params.iter_mut().filter_map(|param| match &mut param.content {
        Content::Number(number) => Some(Part::Number(number)),
        Content::Bytes(_, data) | Content::Text(_, data) => Some(Part::Bytes(&mut data.0)),
        _ => None,
    });
    let requests = input.values.iter_mut().filter_map(|request| match &mut request.value {
        Answer::Bytes(data) => Some(Part::Bytes(&mut data.0)),
        Answer::Number(number) => Some(Part::Number(number)),
        Answer::Written(_) => None,
    });
    let world = input.files.values_mut().chain([&mut input.stdin]).map(|data| Part::Bytes(&mut data.0));
    let all = params.chain(requests).chain(world);
    all.filter(|part| !matches!(part, Part::Bytes(bytes) if bytes.is_empty())).collect()
}

/// Another number: a small one, a neighbour, or any.
fn number_near(old: u64, random: &mut Random) -> u64 {
    match random.below(5) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => random.below(16) as u64,
        3 => random.below(256) as u64,
        _ => random.next(),
    }
}

fn mutate_bytes(bytes: &mut [u8], random: &mut Random) {
    let place = random.below(bytes.len());
    bytes[place] = match random.below(3) {
        0 => bytes[place].wrapping_add(1),
        1 => bytes[place] ^ (1 << random.below(8)),
        _ => random.next() as u8,
    };
}
