//! What slots do in a search, done again by a worker in another process: the same bytes come of it.
//!
//! All that the other process is given is what slots were told before a batch, and their tasks. If slots begin anew after each batch, every piece of work is
//! done by a slot that knows nothing else; if they remember some batches, the other process has to have done these, too. That process is this
//! test, started once more.

mod process;
mod programs;
#[path = "../common/subject.rs"]
mod subject;

use coax_execute::Input;
use coax_program::{Func, Program};
use coax_search::{Journal, Kept, Observer, Options, Parcel, Record, Standing, Stop, Worker, search};
use libtest_mimic::{Arguments, Failed, Trial};
use process::Elsewhere;
use programs::{Example, examples};
use std::collections::BTreeSet;
use std::sync::Arc;
use subject::{Silent, subject};

fn main() {
    if std::env::var_os(process::IS_WORKER).is_some() {
        return process::work();
    }
    let trial = |example: Example| Trial::test(example.name, move || compare(&example));
    let mut trials: Vec<Trial> = examples().into_iter().map(trial).collect();
    trials.push(Trial::test("bytes that nobody wrote", || {
        refuses_what_nobody_wrote();
        Ok(())
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// What both processes search with. How long slots remember makes no difference to the other.
fn options(epoch: u64) -> Options {
    Options { epoch, batches_before_mutation: 2, max_runs: Some(60), ..Options::default() }
}

/// Keeps what slots were given and brought.
#[derive(Default)]
struct Parcels(Vec<Parcel>);

impl Observer for Parcels {
    fn found(&mut self, _: &Arc<Kept>) {}
    fn dropped(&mut self, _: &Arc<Kept>) {}
    fn progress(&mut self, _: &Standing<'_>) {}
    fn wants_parcels(&self) -> bool {
        true
    }
    fn performed(&mut self, parcel: Parcel) {
        self.0.push(parcel);
    }
}

/// What an earlier search has done, and what this one does.
#[derive(Default)]
struct Records {
    before: std::vec::IntoIter<Record>,
    kept: Vec<Record>,
}

impl Journal for Records {
    fn next(&mut self) -> Option<Record> {
        self.before.next()
    }
    fn keep(&mut self, record: Record) {
        self.kept.push(record);
    }
}

/// Does elsewhere all that slots did.
fn compare(example: &Example) -> Result<(), Failed> {
    let wasm = wat::parse_str(&example.text)?;
    let mut kinds: BTreeSet<&str> = BTreeSet::new();
    for epoch in [1, 4] {
        let mut elsewhere = Elsewhere::start(&wasm, &example.unknown)?;
        let parcels = performed(example, &wasm, epoch)?;
        for (number, parcel) in parcels.iter().enumerate() {
            if epoch == 1 && !parcel.begins_anew {
                return Err(format!("slot {} remembers something", parcel.slot).into());
            }
            if elsewhere.perform(&parcel.given)? != parcel.brought {
                return Err(format!("piece {number} of the work differs: {:?}", parcel.kinds).into());
            }
            kinds.extend(&parcel.kinds);
        }
    }
    let missing: Vec<_> = example.kinds.iter().filter(|kind| !kinds.contains(*kind)).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("nobody had to do {missing:?}, only {kinds:?}").into()),
    }
}

/// What slots do in a search, and in one that goes on where that one was.
fn performed(example: &Example, wasm: &[u8], epoch: u64) -> Result<Vec<Parcel>, Failed> {
    let program = Program::parse(wasm.to_vec()).map_err(|error| error.to_string())?;
    let subject = subject(&program, example.unknown.iter().map(|&func| Func(func)));
    let (options, stop, mut parcels) = (options(epoch), Stop::default(), Parcels::default());
    let mut journal = Records::default();
    let mut inputs = |observer: &mut dyn Observer| -> Result<Vec<Input>, Failed> {
        let seeds = example.inputs.clone();
        let found = search(&subject, seeds, Vec::new(), &options, &stop, &mut journal, observer)?;
        let whole = journal.kept.len() as u64 / epoch * epoch;
        journal.kept.truncate(whole as usize);
        journal.before = journal.kept.clone().into_iter();
        Ok(found.tests.iter().map(|test| test.input.clone()).collect())
    };
    let first = inputs(&mut parcels)?;
    if inputs(&mut parcels)? != first || inputs(&mut Silent)? != first {
        return Err("the search finds something else if somebody looks at it, or it goes on".into());
    }
    Ok(parcels.0)
}

fn refuses_what_nobody_wrote() {
    let example = &examples()[0];
    let program = Program::parse(wat::parse_str(&example.text).expect("it is text")).expect("it is valid");
    let (subject, options) = (subject(&program, []), options(1));
    let mut worker = Worker::new(&subject, &options);
    assert!(worker.perform(&[]).is_err());
    assert!(worker.perform(&[0xff; 64]).is_err());
}
