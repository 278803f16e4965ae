//! What is kept of a run so that questions about its path can be asked.

use super::Slot;
use super::fixed::Fixed;
use super::known::is_of_interest;
use super::questions::Questions;
use crate::Subject;
use crate::approach::Imprecision;
use crate::arbiter;
use crate::choice::{Choice, Way, round};
use crate::exploration::Cell;
use crate::probe::{PlaceOf, Probe};
use crate::samples::Sample;
use crate::task::{Confirmed, Ran, Suspects, Tied, TraceId};
use crate::texts::{room, without_room};
use coax_execute::{
    Bound, Called, Concretisation, Error, Event, EventKind, Input, KeptLength, Lengths, Observed, Request,
    Shown, SymbolicAccess, SymbolicRun, kept_lengths, model,
};
use coax_solve::validity::{Knowledge, Samples};
use coax_term::{Import, Model, Symbol, Term, Terms};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// No more branches of a run are noted that cannot go another way because of a value.
const MOST_TIED: usize = 64;
/// So often one direction of a branch is looked at for that.
const MOST_LOOKS: u32 = 8;
/// So many parts of a path's conditions are counted, at most, to see how large they are.
const MOST_COUNTED: usize = 16_384;
/// No run shows more samples of calls that do not depend on the input.
const MOST_CONCRETE: usize = 4096;

/// A path, as far as questions about it need it.
pub(super) struct Trace {
    pub(super) input: Input,
    pub(super) requests: Vec<Request>,
    pub(super) io_calls: u64,
    /// The conditions of the decisions, terms of the slot's arena.
    pub(super) conditions: Vec<Term>,
    /// The terms that were replaced by values, and these, by the place of the decision.
    pub(super) concretised: BTreeMap<usize, (Term, u64)>,
    /// The conditions of branches that could not go another way because of such a value.
    pub(super) tied: Vec<Term>,
    /// The calls of unknown functions that were given something that depends on the input.
    pub(super) calls: Vec<UnknownCall>,
    /// The symbols of each condition.
    pub(super) symbols: OnceCell<Vec<Vec<Symbol>>>,
    pub(super) lengths: Lengths,
}

/// A call of an unknown function.
pub(super) struct UnknownCall {
    /// How many decisions came before; if its shape is one, they are the next two.
    pub(super) place: usize,
    /// The function's name, with what it read.
    pub(super) shape: String,
    /// What it was given, terms of the slot's arena, and as numbers.
    pub(super) terms: Vec<Term>,
    pub(super) values: Vec<u64>,
    /// The functions that terms have for what came out, and their values.
    pub(super) outputs: Vec<(String, u64)>,
    /// How many of the arguments, the first ones, are numbers, not bytes that are pointed to.
    pub(super) numbers: usize,
    /// Whether a call with other arguments may have another shape.
    pub(super) may_differ: bool,
}

impl Trace {
    /// The values that its input gives to symbols.
    pub(super) fn hint(&self, terms: &Terms) -> Model {
        model(terms, &self.input, &self.requests)
    }

    /// Its input with other values.
    pub(super) fn with_values(&self, terms: &Terms, model: &Model) -> Input {
        let value = |name: &str| terms.find_symbol(name).and_then(|symbol| model.given(symbol));
        self.input.with_values(&self.requests, self.io_calls, &value)
    }

    /// What holds of inputs that come to a decision: lengths come first, they are the same for many questions.
    pub(super) fn assumptions(&self, terms: &mut Terms, place: usize, longest: u64) -> Vec<Term> {
        let mut assumptions = self.lengths.conditions(terms, place + 1, longest);
        assumptions.extend_from_slice(&self.conditions[..place]);
        assumptions
    }

    /// The calls of unknown functions before a decision.
    pub(super) fn calls_before(&self, place: usize) -> &[UnknownCall] {
        &self.calls[..self.calls.partition_point(|call| call.place <= place)]
    }

    /// The call whose shape is this decision.
    pub(super) fn shaped_at(&self, place: usize) -> Option<&UnknownCall> {
        self.calls.iter().find(|call| call.place + 1 == place && call.may_differ)
    }

    /// What its calls of unknown functions have shown.
    pub(super) fn samples(&self) -> Samples {
        let mut samples = Samples::new();
        for call in &self.calls {
            for (function, value) in &call.outputs {
                samples.add(function, &call.values, *value);
            }
        }
        samples
    }

    /// The symbols of the condition of each decision.
    pub(super) fn symbols(&self, terms: &Terms) -> &[Vec<Symbol>] {
        self.symbols.get_or_init(|| self.conditions.iter().map(|&one| terms.symbols_of(one)).collect())
    }
}

impl Slot<'_> {
    pub(super) fn run(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        input: Input,
        suspects: &Suspects,
        until: Option<Arc<AtomicBool>>,
    ) -> Result<Option<(Ran, Vec<Probe>)>, Error> {
        let (mut run, input, observed) = subject.run(&self.approach, input, &self.known.images, until)?;
        if run.bounds.hits(Bound::Time) > 0 {
            self.approach.symbolic.recycle(run);
            return Ok(None);
        }
        self.known.images.append(&mut run.images);
        let kept = without_room(&input);
        let confirm = subject.confirm(&kept)?;
        let reads_beyond = confirm.reads_beyond();
        let differs = subject.differs(&self.approach, &run, &input, &kept, &confirm.loose)?;
        let (plain, grown) = (confirm.run, confirm.grown);
        let is_grown = grown.is_some();
        let lengths = kept_lengths(&mut run, &input);
        let mut path = Walked::new(subject, self, &run, &input, &observed, &lengths);
        // What a run that was made before shows is known, or was forgotten on purpose.
        if !matches!(suspects, Suspects::Unwanted) {
            self.learn_samples(&observed);
        }
        let is_there = |name: &str| run.terms().find_symbol(name).is_some();
        let reads_stdin = is_there("stdin[0]") || is_there("stdin.length");
        let mut probes = Vec::new();
        // Who does not look for errors need not look for inputs; with more room blocks are elsewhere.
        let is_wanted = matches!(suspects, Suspects::Wanted { .. }) && !is_grown;
        let blocks = plain.blocks.as_deref().filter(|_| is_wanted);
        let loose: Vec<SymbolicAccess> = path.loose.iter().map(|&number| run.accesses()[number]).collect();
        let wanted = blocks.map(|_| self.probed.choose(subject, &loose)).unwrap_or_default();
        for access in wanted {
            let blocks = blocks.unwrap_or_default();
            let Some(place_of) = PlaceOf::of(&access, blocks, subject.plain.stack()) else { continue };
            probes.push(Probe {
                at: access.at,
                place: path.decided[access.events],
                address: path.import.apply(&mut self.terms, run.terms(), access.address.0),
                bytes: path.import.apply(&mut self.terms, run.terms(), access.bytes),
                place_of,
            });
        }
        let Walked {
            choices,
            conditions,
            concretised,
            tied,
            calls,
            uses,
            implied,
            into_vectors,
            transitions,
            ..
        } = path;
        let (tied, conditions_of_tied) = tied.into_iter().unzip();
        let lengths = Lengths::new(run.terms(), &input, uses);
        let requests = run.asked.requests.clone();
        let io_calls = run.asked.io_calls;
        let mut bounds = run.bounds.clone();
        for (bound, _) in plain.bounds.iter().filter(|&(bound, _)| run.bounds.hits(bound) == 0) {
            bounds.hit(bound);
        }
        let (terms, is_cut_short) = (run.terms().len(), run.cut_short().is_some());
        self.cost += arbiter::run(terms);
        self.approach.symbolic.recycle(run);
        let symbols = OnceCell::new();
        let heaviest = heaviest(&self.terms, &conditions);
        let trace = Trace {
            input: input.clone(),
            requests,
            io_calls,
            conditions,
            concretised,
            tied: conditions_of_tied,
            calls,
            symbols,
            lengths,
        };
        self.traces.insert(id, trace);
        let ran = Ran {
            smaller: None,
            differs,
            is_cut_short,
            reads_beyond,
            is_grown,
            confirmed: Confirmed::new(grown.unwrap_or(kept), plain)?,
            reads_stdin,
            concretisations: choices.iter().filter(|choice| choice.way.value().is_some()).count(),
            choices,
            transitions,
            into_vectors,
            terms,
            heaviest,
            implied,
            tied,
            bounds,
            refused: observed.refused,
            suspects: Vec::new(),
            beside_error: Vec::new(),
        };
        Ok(Some((ran, probes)))
    }

    /// What calls of unknown functions have shown.
    fn learn_samples(&mut self, observed: &Observed) {
        let mut concrete = 0;
        for call in &observed.calls {
            concrete += usize::from(call.terms.is_empty());
            if concrete > MOST_CONCRETE && call.terms.is_empty() {
                continue;
            }
            let (fresh, earlier) = (&self.known.fresh.known, &*self.known.samples);
            let is_wanted =
                |it: &&Shown| !call.terms.is_empty() || is_of_interest(it, Knowledge(&[fresh, earlier]));
            let outputs: Vec<&Shown> = call.outputs.iter().filter(is_wanted).collect();
            for output in outputs {
                self.known.fresh.run_showed(Sample {
                    func: call.func.0,
                    function: output.function.clone(),
                    arguments: call.arguments.clone(),
                    value: output.value,
                    is_own: call.terms.is_empty(),
                    is_earlier: false,
                });
            }
        }
    }
}

/// The decisions of a run, on the way into a slot's arena.
pub(super) struct Walked {
    import: Import,
    pub(super) choices: Vec<Choice>,
    pub(super) conditions: Vec<Term>,
    pub(super) concretised: BTreeMap<usize, (Term, u64)>,
    /// Branches that cannot go another way because of a value, with their conditions.
    tied: Vec<(Tied, Term)>,
    /// How often each direction of a branch was looked at for that; of one that is noted, as often as may be.
    looks: BTreeMap<(u32, u32), u32>,
    /// The symbols of what was replaced by values, in the order of the path, as far as they were needed.
    fixed_by: Vec<(usize, Vec<Symbol>)>,
    pub(super) calls: Vec<UnknownCall>,
    /// Where terms of the run's own arena are used: how many decisions come before.
    pub(super) uses: Vec<(usize, Term)>,
    /// How many decisions there were before each event.
    decided: Vec<usize>,
    /// The places of decisions that earlier ones had taken already.
    implied: BTreeSet<u32>,
    /// Where terms were replaced by values, as they went into vectors.
    into_vectors: BTreeSet<u32>,
    /// The numbers of accesses that may be elsewhere.
    loose: Vec<usize>,
    /// See [`Ran::transitions`].
    transitions: Vec<(usize, Cell)>,
}

impl Walked {
    pub(super) fn new(
        subject: &Subject<'_>,
        slot: &mut Slot<'_>,
        run: &SymbolicRun,
        input: &Input,
        observed: &Observed,
        lengths: &[KeptLength],
    ) -> Walked {
        let mut walked = Walked {
            import: Import::default(),
            choices: Vec::new(),
            conditions: Vec::new(),
            concretised: BTreeMap::new(),
            tied: Vec::new(),
            looks: BTreeMap::new(),
            fixed_by: Vec::new(),
            calls: Vec::new(),
            uses: Vec::new(),
            decided: Vec::with_capacity(run.path().events.len() + 1),
            implied: BTreeSet::new(),
            into_vectors: BTreeSet::new(),
            loose: Vec::new(),
            transitions: Vec::new(),
        };
        let (mut fixed, mut visits) = (Fixed::default(), BTreeMap::new());
        let mut questions = Questions::default();
        let nexts = next_own(subject, &run.path().events);
        if let Some(room) = room(input) {
            walked.choices.push(Choice { at: 0, way: Way::Room(room), next: None, round: 0, question: 0 });
            walked.conditions.push(slot.terms.truth());
        }
        let mut calls = observed.calls.iter().filter(|call| !call.terms.is_empty()).peekable();
        let mut accesses = run.accesses().iter().enumerate().peekable();
        let mut transitions = run.transitions().iter().peekable();
        let mut lengths = lengths.iter().peekable();
        for (number, (event, next)) in run.path().events.iter().zip(nexts).enumerate() {
            while let Some(call) = calls.next_if(|call| call.events <= number) {
                walked.call(subject, slot, run, call, next);
            }
            while let Some((access, it)) = accesses.next_if(|(_, access)| access.events <= number) {
                let is_fixed = [it.address.0, it.bytes].map(|term| fixed.decides(run.terms(), term));
                walked.loose.extend((is_fixed != [true; 2]).then_some(access));
            }
            while let Some(length) = lengths.next_if(|it| it.events <= number) {
                walked.keep_length(slot, run, (&mut fixed, &mut questions), next, length);
            }
            while let Some(it) = transitions.next_if(|it| it.events <= number) {
                walked.transitions.push((walked.choices.len(), Cell { by: it.at, address: it.address }));
            }
            walked.decided.push(walked.choices.len());
            if let EventKind::Concretised { reason: Concretisation::Simd, .. } = event.kind {
                walked.into_vectors.insert(event.at);
            }
            let Some(choice) = Choice::of(event) else { continue };
            // A loop may decide the same again and again: what is true on the path already decides nothing.
            if fixed.decides(run.terms(), event.condition) {
                walked.implied.insert(event.at);
                if subject.is_own(event.at) {
                    walked.tie(slot, run, event);
                }
                continue;
            }
            fixed.add(run.terms(), event.condition);
            let visits: &mut u32 = visits.entry(event.at).or_default();
            let question = questions.next(run.terms(), event.condition);
            let mut choice = Choice { next, round: round(*visits), question, ..choice };
            *visits += 1;
            if let EventKind::Concretised { term, value, .. } = event.kind {
                // Where a buffer is depends on how long those are that were made before it; which of its elements is meant does not.
                let (term, value) = match &mut choice.way {
                    Way::Value(seen) => {
                        let without = run.terms().without_addend(term, value);
                        *seen = without.1;
                        without
                    }
                    _ => (term, value),
                };
                let term = walked.import.apply(&mut slot.terms, run.terms(), term);
                walked.concretised.insert(walked.choices.len(), (term, value));
            }
            walked.uses.push((walked.choices.len(), event.condition));
            walked.choices.push(choice);
            let condition = walked.import.apply(&mut slot.terms, run.terms(), event.condition);
            walked.conditions.push(condition);
        }
        for call in calls {
            walked.call(subject, slot, run, call, None);
        }
        walked.loose.extend(accesses.map(|(access, _)| access));
        walked.decided.push(walked.choices.len());
        walked
    }

    /// That a buffer has the length that it has is a decision of its own, where what was read depends on it.
    fn keep_length(
        &mut self,
        slot: &mut Slot<'_>,
        run: &SymbolicRun,
        (fixed, questions): (&mut Fixed, &mut Questions),
        next: Option<u32>,
        length: &KeptLength,
    ) {
        let KeptLength { at, buffer, term, value, condition, .. } = *length;
        if fixed.decides(run.terms(), condition) {
            return;
        }
        fixed.add(run.terms(), condition);
        let question = questions.next(run.terms(), condition);
        let term = self.import.apply(&mut slot.terms, run.terms(), term);
        self.concretised.insert(self.choices.len(), (term, value));
        self.uses.push((self.choices.len(), condition));
        self.choices.push(Choice { at, way: Way::Kept { buffer, length: value }, next, round: 0, question });
        let condition = self.import.apply(&mut slot.terms, run.terms(), condition);
        self.conditions.push(condition);
    }

    /// A branch that was decided already: if values that terms were replaced by are to blame, it is noted which of them was the last that it took.
    fn tie(&mut self, slot: &mut Slot<'_>, run: &SymbolicRun, event: &Event) {
        let EventKind::Branch { direction } = event.kind else { return };
        if self.concretised.is_empty() || self.tied.len() >= MOST_TIED {
            return;
        }
        let looks = self.looks.entry((event.at, direction)).or_default();
        *looks += 1;
        if *looks > MOST_LOOKS {
            return;
        }
        let condition = self.import.apply(&mut slot.terms, run.terms(), event.condition);
        let mut free = slot.terms.symbols_of(condition);
        let known = self.fixed_by.len();
        let more = self.concretised.iter().skip(known);
        self.fixed_by.extend(more.map(|(&place, &(term, _))| (place, slot.terms.symbols_of(term))));
        let mut by = None;
        for &(place, ref fixed) in &self.fixed_by {
            if free.iter().any(|symbol| fixed.contains(symbol)) {
                by = Some(place);
                free.retain(|symbol| !fixed.contains(symbol));
            }
        }
        if let Some(by) = by {
            self.looks.insert((event.at, direction), MOST_LOOKS);
            self.tied.push((Tied { at: event.at, direction, by, place: self.choices.len() }, condition));
        }
    }

    /// A call of an unknown function. Which shape it has decides what comes afterwards: where it may have another, that is a decision.
    fn call(
        &mut self,
        subject: &Subject<'_>,
        slot: &mut Slot<'_>,
        run: &SymbolicRun,
        call: &Called,
        next: Option<u32>,
    ) {
        let place = self.choices.len();
        // What comes first in the input is not all that is asked about: the calls behind it have their share, too.
        let round = round(self.calls.len() as u32);
        let terms = call.terms.iter();
        let terms = terms.map(|&term| self.import.apply(&mut slot.terms, run.terms(), term)).collect();
        self.uses.extend(call.terms.iter().map(|&term| (place, term)));
        let outputs = call.outputs.iter().map(|output| (output.function.clone(), output.value));
        self.calls.push(UnknownCall {
            place,
            shape: call.shape.clone(),
            terms,
            values: call.arguments.clone(),
            outputs: outputs.collect(),
            numbers: call.numbers,
            may_differ: call.may_differ,
        });
        if call.may_differ && slot.imprecision == Imprecision::HigherOrder {
            let at = subject.program.functions[call.func].defined().map_or(0, |code| code.range.start);
            let shape = shape_number(&call.shape);
            for way in [Way::Fork(shape), Way::Shape(shape)] {
                self.choices.push(Choice { at, way, next, round, question: 0 });
                self.conditions.push(slot.terms.truth());
            }
        }
    }
}

/// How many parts the largest of some conditions has, the last ones first, as far as they are counted.
fn heaviest(terms: &Terms, conditions: &[Term]) -> usize {
    let (mut most, mut left) = (0, MOST_COUNTED);
    for &condition in conditions.iter().rev() {
        let parts = terms.in_post_order(&[condition]).take(left).count();
        most = most.max(parts);
        left -= parts;
    }
    most
}

/// A number for a shape, the same in all runs of a program.
fn shape_number(shape: &str) -> u64 {
    shape.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// For each event, where the next decision in scope is.
fn next_own(subject: &Subject<'_>, events: &[Event]) -> Vec<Option<u32>> {
    let mut next = None;
    let mut nexts = vec![None; events.len()];
    for (event, slot) in events.iter().zip(&mut nexts).rev() {
        *slot = next;
        let is_branch = matches!(event.kind, EventKind::Branch { .. });
        if is_branch && subject.is_own(event.at) {
            next = Some(event.at);
        }
    }
    nexts
}
