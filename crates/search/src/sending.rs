//! Tasks, and what comes of them, as bytes: so another process can do what a slot has to do in a batch.
//!
//! ```text
//! briefing, upkeep, tasks ── given ──▶ Worker: a slot like it ── brought ──▶ what came of each task, and what was learned beside
//! ```
//!
//! What a slot remembers of earlier batches decides which of several right answers a solver finds first. So the same bytes come from a worker that did what
//! the slot had to do since it began anew, all of it and in order; that is no more than an epoch. The process knows the program and the options already.
//!
//! In a search whose tasks are done by its own threads nothing is written as bytes, unless its [`Observer`](crate::Observer) wants to see them.

use crate::approach::{Approach, Treatment};
use crate::briefing::Briefing;
use crate::guards::Guards;
use crate::pool::stack_bytes;
use crate::slot::{Account, Slot, Tools, Upkeep};
use crate::task::{Done, Task};
use crate::{Options, Stop, Subject};
use coax_execute::{Error, with_stack};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::Builder;

/// What a slot did in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// The slot's number.
    pub slot: usize,
    /// Whether it remembered nothing then.
    pub begins_anew: bool,
    /// What kinds of tasks it was given.
    pub kinds: Vec<&'static str>,
    /// The tasks, with what was known before.
    pub given: Vec<u8>,
    /// What came of them.
    pub brought: Vec<u8>,
}

impl Parcel {
    /// What a slot is given in a batch, before it has done anything.
    pub(crate) fn new(
        slot: usize,
        upkeep: &Upkeep,
        briefing: &Briefing,
        tasks: &[Task],
    ) -> Result<Parcel, Error> {
        let kinds = tasks.iter().map(Task::kind).collect();
        let given = bytes(&(slot, upkeep, briefing, tasks))?;
        Ok(Parcel { slot, begins_anew: upkeep.is_anew, kinds, given, brought: Vec::new() })
    }

    /// The same with what came of it.
    pub(crate) fn with(self, done: &[Done], account: &Account) -> Result<Parcel, Error> {
        Ok(Parcel { brought: bytes(&(done, account))?, ..self })
    }
}

/// Does what slots have to do, without their search.
pub struct Worker<'s, 'p> {
    subject: &'s Subject<'p>,
    options: &'s Options,
    tools: Arc<Tools<'p>>,
    /// How calls were treated the last time: to instrument a program takes long.
    approach: Arc<Approach<'p>>,
    slots: BTreeMap<usize, Slot<'p>>,
}

impl<'s, 'p> Worker<'s, 'p> {
    /// One for a search of this program with these options.
    pub fn new(subject: &'s Subject<'p>, options: &'s Options) -> Worker<'s, 'p> {
        let tools = Arc::new(Tools::new(Arc::new(Guards::of(subject.program))));
        Worker { subject, options, tools, approach: Arc::clone(&subject.approach), slots: BTreeMap::new() }
    }

    /// Does what a slot was given; returns what it brings.
    pub fn perform(&mut self, given: &[u8]) -> Result<Vec<u8>, Error> {
        let (number, upkeep, briefing, tasks): (usize, Upkeep, Briefing, Vec<Task>) = read(given)?;
        self.treat_calls_so(&briefing.treatment)?;
        let Worker { subject, options, tools, approach, slots } = self;
        let new = || Slot::new(options, Arc::clone(approach), Arc::clone(tools), briefing.clone());
        let slot = slots.entry(number).or_insert_with(new);
        slot.keep_up(&upkeep);
        slot.begin(briefing);
        let stack = stack_bytes(&subject.limits);
        let work = || with_stack(stack, || slot.perform(subject, tasks, &Stop::default()));
        let done = std::thread::scope(|scope| {
            let thread = Builder::new().stack_size(stack).spawn_scoped(scope, work);
            let thread =
                thread.map_err(|error| Error::Host(format!("a thread could not be started: {error}")))?;
            Ok::<_, Error>(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })?;
        bytes(&(done, slot.take_account()))
    }

    fn treat_calls_so(&mut self, treatment: &Treatment) -> Result<(), Error> {
        if *self.approach.treatment != *treatment {
            let Subject { program, engine, .. } = self.subject;
            self.approach = Arc::new(Approach::new(program, engine, &treatment.unknown, &treatment.joined)?);
            self.slots.clear();
        }
        Ok(())
    }
}

fn bytes(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    postcard::to_stdvec(value).map_err(|error| Error::Host(format!("a task cannot be sent: {error}")))
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    postcard::from_bytes(bytes)
        .map_err(|error| Error::Host(format!("a task that was sent cannot be read: {error}")))
}

/// What is shared within a process is sent as if it were not.
pub(crate) mod shared {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        it: &Arc<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        it.as_ref().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        it: D,
    ) -> Result<Arc<T>, D::Error> {
        T::deserialize(it).map(Arc::new)
    }
}

/// The same of several.
pub(crate) mod each_shared {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        all: &[Arc<T>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(all.iter().map(Arc::as_ref))
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        all: D,
    ) -> Result<Vec<Arc<T>>, D::Error> {
        Ok(Vec::<T>::deserialize(all)?.into_iter().map(Arc::new).collect())
    }
}

/// What is stored in a form that leaves out what is as usual is sent in that form: the bytes of others do not say what is missing.
pub(crate) mod json {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(it: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&serde_json::to_string(it).map_err(S::Error::custom)?)
    }

    pub(crate) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(it: D) -> Result<T, D::Error> {
        serde_json::from_str(&String::deserialize(it)?).map_err(D::Error::custom)
    }
}
