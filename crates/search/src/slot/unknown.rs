//! Questions about paths that call unknown functions: strategies instead of guesses (`docs/decisions/0010-higher-order.md`).

use super::known::{CALLS_EFFORT, FEW_CALLS_EFFORT, Real};
use super::splice::spliced;
use super::sweep::Swept;
use super::trace::{Trace, UnknownCall};
use super::words::{found_in_words, in_words};
use super::{Slot, solve};
use crate::Subject;
use crate::approach::Imprecision;
use crate::engine::compose::LENGTHS;
use crate::task::{Difficulty, Done, How, TraceId};
use coax_execute::FunctionName;
use coax_solve::validity::{Knowledge, Sampled, Samples, Verdict, Wanted, defeat, strategy};
use coax_solve::{Answer, Budget, Query};
use coax_term::{Algebra, Evaluator, Function, Model, Node, Substitution, Symbol, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An answer, before anybody has checked what it promises.
enum Proposal {
    /// These values, and how they were found.
    Values(Model, Vec<String>),
    /// No strategy can be carried out without knowing more: a run with these values may show it.
    Step(Model),
    Proved,
    GaveUp(Difficulty),
}

/// A question about a decision of a trace.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) id: TraceId,
    place: usize,
    /// All that holds of inputs that come here, and what of it shares symbols with the goal.
    assumptions: &'a [Term],
    pub(super) related: &'a [Term],
    pub(super) goal: Term,
    pub(super) hint: &'a Model,
    /// What direct calls may cost.
    pub(super) calls: u64,
}

impl Slot<'_> {
    /// Asks for an input that comes to a decision behind calls of unknown functions, and makes the first of the goals hold that is possible.
    pub(super) fn ask_about_unknown(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        place: usize,
        goals: &[Term],
        budget: &mut Budget,
    ) -> Done {
        let Some(trace) = self.traces.get(&id) else { return Done::Postponed };
        let assumptions = trace.assumptions(&mut self.terms, place, subject.symbols.longest);
        let mut pinned = match self.imprecision {
            Imprecision::HigherOrder => self.pins(id, place),
            _ => Vec::new(),
        };
        if pinned.is_empty() {
            return self.ask_under(subject, (id, place), &assumptions, goals, CALLS_EFFORT, budget);
        }
        pinned.extend_from_slice(&assumptions);
        let effort = budget.left() / 2;
        let mut part = budget.part(effort);
        let done = self.ask_under(subject, (id, place), &pinned, goals, CALLS_EFFORT, &mut part);
        budget.settle(effort, &part);
        match done {
            Done::Proved | Done::GaveUp(_) => {
                self.ask_under(subject, (id, place), &assumptions, goals, FEW_CALLS_EFFORT, budget)
            }
            done => done,
        }
    }

    /// That calls before a decision are given the numbers that they were given, where another number was never seen to have them read the same: it says how
    /// much they read. With another one they are other functions, of which little is known ([`Slot::ask_for_shape`] asks for these).
    fn pins(&mut self, id: TraceId, place: usize) -> Vec<Term> {
        let Some(trace) = self.traces.get(&id) else { return Vec::new() };
        let own = trace.samples();
        let knowledge = [&own, &self.known.fresh.known, &*self.known.samples];
        let terms = &mut self.terms;
        let mut pins = BTreeSet::new();
        for call in trace.calls_before(place).iter().filter(|call| call.may_differ && call.place + 1 != place)
        {
            let Some((function, _)) = call.outputs.first() else { continue };
            for (number, (&term, &value)) in
                call.terms.iter().zip(&call.values).take(call.numbers).enumerate()
            {
                let may_differ = terms.as_constant(term).is_none();
                if may_differ && Knowledge(&knowledge).is_always(function, number, value) {
                    pins.insert(terms.has_value(term, value));
                }
            }
        }
        pins.into_iter().collect()
    }

    /// The same, under assumptions of which the last are the conditions of the path.
    fn ask_under(
        &mut self,
        subject: &Subject<'_>,
        (id, place): (TraceId, usize),
        assumptions: &[Term],
        goals: &[Term],
        calls: u64,
        budget: &mut Budget,
    ) -> Done {
        let hint = self.traces[&id].hint(&self.terms);
        let mut given_up = None;
        for &goal in goals {
            if self.imprecision != Imprecision::HigherOrder {
                match self.ask_with_values(id, place, assumptions, goal, &hint, budget) {
                    Done::GaveUp(difficulty) => given_up = Some(difficulty),
                    done => return done,
                }
                continue;
            }
            let related = related(&self.terms, &self.traces[&id], place, assumptions, goal);
            let question = Question { id, place, assumptions, related: &related, goal, hint: &hint, calls };
            let (model, words) = match self.propose_or_sweep(subject, &question, budget) {
                Proposal::Proved => continue,
                Proposal::GaveUp(difficulty) => {
                    given_up = Some(difficulty);
                    continue;
                }
                Proposal::Step(model) => (model, None),
                Proposal::Values(model, words) => {
                    let is_kept = self.promises(subject, &question, &model, budget);
                    (model, is_kept.then_some(words))
                }
            };
            let trace = &self.traces[&id];
            let input = Box::new(trace.with_values(&self.terms, &model));
            if words.is_none() && *input == trace.input {
                given_up =
                    Some(Difficulty::of_unknown("what an unknown function gives there cannot be found out"));
                continue;
            }
            return match words {
                Some(words) => Done::Found(input, How { words, ..How::default() }),
                None => Done::Step(input),
            };
        }
        given_up.map_or(Done::Proved, Done::GaveUp)
    }

    /// Asks for an input with which a call of an unknown function reads something else than it did: how much is a number that it is given, or
    /// where a zero is. Nobody knows what comes of it.
    pub(super) fn ask_for_shape(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        place: usize,
        tried: usize,
        budget: &mut Budget,
    ) -> Done {
        let Some(trace) = self.traces.get(&id) else { return Done::Postponed };
        let Some(call) = trace.shaped_at(place) else { return Done::Postponed };
        let knowledge = [&self.known.fresh.known, &*self.known.samples];
        let OtherShapes { own, near } = OtherShapes::of(Knowledge(&knowledge), call);
        // Each decision begins with another, so that none has to wait for all before it everywhere.
        let near_at = |tried: usize| near.get((tried + place) % near.len());
        let (near, tried) = match tried.checked_sub(own.len()) {
            Some(past) if past < near.len().min(MOST_NEAR) => (near_at(past), tried),
            Some(_) => (None, tried - near.len().min(MOST_NEAR)),
            None => (None, tried),
        };
        if tried >= own.len() + MOST_OTHERS {
            let said = "a call of an unknown function may read more than was tried";
            return Done::GaveUp(Difficulty { wants_samples: false, ..Difficulty::of_unknown(said) });
        }
        let words = match tried.checked_sub(own.len()) {
            None => own.get((tried + place) % own.len()).cloned(),
            Some(0) if near.is_none() => longer_word(call),
            Some(_) => None,
        };
        let spliced = words.and_then(|word| spliced(&self.terms, trace, call, &word));
        if let Some(input) = spliced.filter(|input| *input != trace.input) {
            return Done::Step(Box::new(input));
        }
        let mut goals: Vec<Term> =
            near.map(|near| has_arguments(&mut self.terms, call, near)).into_iter().collect();
        goals.extend(other_shapes(&mut self.terms, call, &own, tried));
        match self.ask_about_unknown(subject, id, place, &goals, budget) {
            Done::Found(input, _) => Done::Step(input),
            Done::Proved => Done::GaveUp(Difficulty::of_unknown("nothing that it is given can change")),
            done => done,
        }
    }

    /// The answer if what unknown functions gave is what they gave, whatever they are given.
    fn ask_with_values(
        &mut self,
        id: TraceId,
        place: usize,
        assumptions: &[Term],
        goal: Term,
        hint: &Model,
        budget: &mut Budget,
    ) -> Done {
        let conditions: Vec<Term> = assumptions.iter().copied().chain([goal]).collect();
        let conditions = self.with_values_of_calls(id, conditions, self.imprecision, place);
        let Some((&goal, assumptions)) = conditions.split_last() else { return Done::Postponed };
        let query = Query { assumptions, goal, hint };
        match solve(&mut self.stack, &mut self.terms, &query, budget, &mut self.earlier.time) {
            Answer::Sat(model) => {
                Done::Found(Box::new(self.traces[&id].with_values(&self.terms, &model)), How::default())
            }
            Answer::Unsat(_) => Done::GaveUp(Difficulty::of_unknown(
                "what an unknown function gives is fixed to what it gave",
            )),
            Answer::Unknown(reason) => Done::GaveUp(reason.into()),
        }
    }

    /// Conditions in which applications of unknown functions are replaced by what they gave; before them, what keeps its value for that.
    pub(super) fn with_values_of_calls(
        &mut self,
        id: TraceId,
        conditions: Vec<Term>,
        imprecision: Imprecision,
        place: usize,
    ) -> Vec<Term> {
        let Some(trace) = self.traces.get(&id) else { return conditions };
        let terms = &mut self.terms;
        let hint = trace.hint(terms);
        let own = trace.samples();
        let mut used = BTreeSet::new();
        let mut values = Vec::new();
        let mut evaluator = Evaluator::new();
        for term in terms.post_order(&conditions) {
            let Node::Apply { function, .. } = terms.node(term) else { continue };
            used.insert(terms.function_name(function).to_owned());
            let mut sampled = Sampled { terms, knowledge: Knowledge(&[&own]) };
            let value = evaluator.eval_with(terms, &hint, &mut sampled, term);
            values.push((term, value.unwrap_or_default()));
        }
        let mut substitution = Substitution::default();
        for (term, value) in values {
            let value = terms.constant(terms.width_of(term), value);
            substitution.put(term, value);
        }
        let is_fixed = |call: &&UnknownCall| match imprecision {
            Imprecision::HigherOrder | Imprecision::Unsound => false,
            Imprecision::Sound => true,
            Imprecision::Delayed => call.outputs.iter().any(|(function, _)| used.contains(function)),
        };
        let mut replaced = Vec::new();
        for call in trace.calls_before(place).iter().filter(is_fixed) {
            for (&term, &value) in call.terms.iter().zip(&call.values) {
                let fixed = terms.has_value(term, value);
                replaced.push(substitution.apply(terms, fixed, &mut |_| None));
            }
        }
        for condition in conditions {
            replaced.push(substitution.apply(terms, condition, &mut |_| None));
        }
        replaced
    }

    /// Values with which the conditions hold; if solvers find none, such as calls show.
    fn propose_or_sweep(
        &mut self,
        subject: &Subject<'_>,
        question: &Question<'_>,
        budget: &mut Budget,
    ) -> Proposal {
        let difficulty = match self.propose(subject, question, budget) {
            Proposal::GaveUp(difficulty) => difficulty,
            proposal => return proposal,
        };
        match self.sweep(subject, question, budget) {
            Swept::Found(model) => {
                let who = names_of(&self.terms, &[question.goal]);
                let words =
                    vec![format!("sample {who} with one byte after the other changed, until it holds")];
                Proposal::Values(model, words)
            }
            Swept::Nearer(model) => Proposal::Step(model),
            Swept::Unfinished => Proposal::GaveUp(Difficulty { may_try_harder: true, ..difficulty }),
            Swept::InVain => Proposal::GaveUp(difficulty),
        }
    }

    /// Values with which the conditions hold.
    fn propose(&mut self, subject: &Subject<'_>, question: &Question<'_>, budget: &mut Budget) -> Proposal {
        let query = Query { assumptions: question.related, goal: question.goal, hint: question.hint };
        let conditions: Vec<Term> = query.conditions().collect();
        if !self.terms.has_application(&conditions) {
            return match solve(&mut self.stack, &mut self.terms, &query, budget, &mut self.earlier.time) {
                Answer::Sat(model) => Proposal::Values(model, Vec::new()),
                Answer::Unsat(_) => Proposal::Proved,
                Answer::Unknown(reason) => Proposal::GaveUp(reason.into()),
            };
        }
        let own = self.traces[&question.id].samples();
        let effort = budget.left() / 2;
        let mut part = budget.part(effort);
        let knowledge = [&own, &self.known.fresh.known, &*self.known.samples];
        let verdict = strategy(&mut self.terms, &query, Knowledge(&knowledge), &mut self.stack, &mut part);
        budget.settle(effort, &part);
        match verdict {
            Verdict::Valid(found) => {
                let mut sampler = self.known.sampler((subject, &self.approach), &own, question.calls);
                let mut real = Real { terms: &self.terms, sampler: &mut sampler };
                let input = found.execute(&self.terms, question.hint, &mut real);
                let words = input
                    .as_ref()
                    .map(|model| in_words(&self.terms, (&found, &conditions), model, &mut real));
                let words = words.unwrap_or_default();
                sampler.pay(budget);
                match input {
                    Ok(model) => Proposal::Values(model, words),
                    Err(Wanted { so_far, .. }) => Proposal::Step(so_far),
                }
            }
            Verdict::NotFound(reason) => {
                self.propose_by_samples(subject, &query, (&own, question.calls), reason.into(), budget)
            }
        }
    }

    /// Values that solvers find who are told what functions really give where they want to know it.
    fn propose_by_samples(
        &mut self,
        subject: &Subject<'_>,
        query: &Query<'_>,
        (own, calls): (&Samples, u64),
        why: Difficulty,
        budget: &mut Budget,
    ) -> Proposal {
        let knowledge = [own, &self.known.fresh.known, &*self.known.samples];
        let effort = budget.left() / 4;
        let mut part = budget.part(effort);
        let found = defeat(&mut self.terms, query, Knowledge(&knowledge), &mut self.stack, &mut part);
        budget.settle(effort, &part);
        let conditions: Vec<Term> = query.conditions().collect();
        let names: Vec<String> =
            self.terms.functions().map(|function| self.terms.function_name(function).to_owned()).collect();
        let mut sampler = self.known.sampler((subject, &self.approach), own, calls);
        // Without calls nothing more is learned: then it is over.
        let is_over = Arc::new(AtomicBool::new(false));
        let mut is_told = false;
        let real = |function: Function, arguments: &[u64]| {
            let value = sampler.guess(&names[function.index()], arguments);
            is_told |= value.is_some();
            if budget.is_over() || value.is_none() && sampler.is_spent() {
                is_over.store(true, Ordering::SeqCst);
            }
            value
        };
        let effort = budget.left() / 2;
        let mut part = budget.part(effort).until(Arc::clone(&is_over));
        let answer = self.answering.solve(&mut self.stack, &mut self.terms, query, &mut part, real);
        budget.settle(effort, &part);
        let mut words = Vec::new();
        if let Answer::Sat(model) = &answer {
            let who = names_of(&self.terms, &conditions);
            words.push(format!("sample {who} where solvers want to know, until what they find holds"));
            let mut full = query.hint.clone();
            full.overlay(model);
            let mut real = Real { terms: &self.terms, sampler: &mut sampler };
            words.extend(found_in_words(&self.terms, &conditions, &full, &mut real));
        }
        sampler.pay(budget);
        match answer {
            // With what functions give elsewhere it may be otherwise: samples are no proof of what depends on more than arguments.
            Answer::Unsat(_) if !is_told => return Proposal::Proved,
            Answer::Sat(model) if self.known.may_call => return Proposal::Values(model, words),
            _ => {}
        }
        Proposal::GaveUp(match found {
            Some(otherwise) => {
                let who = names_of(&self.terms, &conditions);
                let said = format!(
                    "it depends on values of {who} that were not seen: if each of them is {otherwise}, no input goes there"
                );
                Difficulty::of_unknown(&said)
            }
            None => {
                let who = names_of(&self.terms, &conditions);
                let said = format!("{}, nor do those of {who} that were seen lead there", why.said);
                Difficulty { said, wants_samples: true, ..why }
            }
        })
    }

    /// Whether an input with these values goes the way of the trace up to the decision, and there makes the goal hold: whatever it calls is known.
    fn promises(
        &mut self,
        subject: &Subject<'_>,
        question: &Question<'_>,
        model: &Model,
        budget: &mut Budget,
    ) -> bool {
        let trace = &self.traces[&question.id];
        let own = trace.samples();
        let mut full = question.hint.clone();
        full.overlay(model);
        let mut sampler = self.known.sampler((subject, &self.approach), &own, question.calls);
        let terms = &self.terms;
        let mut evaluator = Evaluator::new();
        let mut is_kept = true;
        for call in trace.calls_before(question.place) {
            let mut real = Real { terms, sampler: &mut sampler };
            let given = call.terms.iter().map(|&term| evaluator.eval_with(terms, &full, &mut real, term));
            let given: Option<Vec<u64>> = given.collect();
            let mut is_known = |(function, _): &(String, u64)| {
                given.as_ref().is_some_and(|given| sampler.get(function, given).is_some())
            };
            let is_same = given.as_ref() == Some(&call.values);
            // A call that shows nothing may show something with other arguments.
            is_kept = is_same || !call.outputs.is_empty() && call.outputs.iter().all(&mut is_known);
            if !is_kept {
                break;
            }
        }
        let mut real = Real { terms, sampler: &mut sampler };
        let mut holds = |&term: &Term| evaluator.eval_with(terms, &full, &mut real, term) == Some(1);
        is_kept = is_kept && question.assumptions.iter().all(&mut holds) && holds(&question.goal);
        sampler.pay(budget);
        is_kept
    }
}

/// Arguments of a function with which its calls have other shapes than one.
struct OtherShapes {
    /// With which the program itself calls it.
    own: Vec<Vec<u64>>,
    /// With which direct calls were seen to read on, or less: they differ from those of the one call in one place.
    near: Vec<Vec<u64>>,
}

impl OtherShapes {
    fn of(knowledge: Knowledge<'_>, call: &UnknownCall) -> OtherShapes {
        let name = FunctionName::parse(&call.shape).function;
        let is_other = |it: &str| {
            let it = FunctionName::parse(it);
            it.function == name && it.shape != call.shape && it.output.is_none()
        };
        let own = knowledge.own_of(name, is_other);
        OtherShapes { own, near: knowledge.near(name, is_other, &call.values) }
    }
}

/// The functions of a question, for people.
fn names_of(terms: &Terms, conditions: &[Term]) -> String {
    let mut names = BTreeSet::new();
    for term in terms.post_order(conditions) {
        if let Node::Apply { function, .. } = terms.node(term) {
            let name = terms.function_name(function);
            names.insert(format!("`{}`", FunctionName::parse(name).function));
        }
    }
    names.into_iter().collect::<Vec<_>>().join(" or ")
}

/// The assumptions that share symbols with the goal, directly or through others. The rest holds with the values of the run, and functions are what
/// they are: it need not be solved again.
fn related(terms: &Terms, trace: &Trace, place: usize, assumptions: &[Term], goal: Term) -> Vec<Term> {
    let of_path = &trace.symbols(terms)[..place];
    let about_lengths = &assumptions[..assumptions.len() - place];
    let about_lengths: Vec<Vec<Symbol>> = about_lengths.iter().map(|&one| terms.symbols_of(one)).collect();
    let symbols: Vec<&Vec<Symbol>> = about_lengths.iter().chain(of_path).collect();
    let mut users: BTreeMap<Symbol, Vec<usize>> = BTreeMap::new();
    for (number, symbols) in symbols.iter().enumerate() {
        symbols.iter().for_each(|&symbol| users.entry(symbol).or_default().push(number));
    }
    let mut is_related = vec![false; assumptions.len()];
    let mut left = terms.symbols_of(goal);
    while let Some(symbol) = left.pop() {
        for number in users.remove(&symbol).unwrap_or_default() {
            if !std::mem::replace(&mut is_related[number], true) {
                left.extend(symbols[number]);
            }
        }
    }
    assumptions.iter().zip(is_related).filter(|(_, is_related)| *is_related).map(|(&one, _)| one).collect()
}

/// How many other shapes of a call are looked for beside those that the program's own arguments may lead to.
const MOST_OTHERS: usize = 4;
/// How many of the program's own arguments are tried for one question.
const MOST_OWN: usize = 8;
/// How many of those with which another shape was seen, and which are near to those of the call.
const MOST_NEAR: usize = 4;

/// What a call read, with what comes before the last byte once more. That is where most texts end; what made the call read on may do so again: one more digit.
fn longer_word(call: &UnknownCall) -> Option<Vec<u64>> {
    let (last, before) = call.values[call.numbers..].split_last()?;
    let again = before.last()?;
    Some(before.iter().chain([again, last]).copied().collect())
}

/// That a call is given these arguments, as far as they are in the place of those that it has.
fn has_arguments(terms: &mut Terms, call: &UnknownCall, arguments: &[u64]) -> Term {
    let mut all = terms.truth();
    for (&term, &value) in call.terms.iter().zip(arguments) {
        let same = terms.has_value(term, value);
        all = terms.and(all, same);
    }
    all
}

/// What may change the shape of a call, the most wanted first: arguments with which the program itself calls the function, as far as they are in the
/// place of those that it has; then usual lengths.
fn other_shapes(terms: &mut Terms, call: &UnknownCall, own: &[Vec<u64>], tried: usize) -> Vec<Term> {
    let given: Vec<(Term, u64)> = call.terms.iter().copied().zip(call.values.iter().copied()).collect();
    let is_variable = |terms: &Terms, term: Term| terms.as_constant(term).is_none();
    let numbers: Vec<(Term, u64)> =
        given.iter().copied().take(call.numbers).filter(|&(term, _)| is_variable(terms, term)).collect();
    let own = own.iter().cycle().skip(tried % own.len().max(1)).take(MOST_OWN.min(own.len()));
    let mut goals: Vec<Term> = own.map(|arguments| has_arguments(terms, call, arguments)).collect();
    for wish in LENGTHS.into_iter().skip(tried).take(1) {
        let wished = numbers.iter().filter(|&&(_, value)| value != wish);
        goals.extend(wished.map(|&(term, _)| terms.has_value(term, wish)));
    }
    let mut differs = terms.falsity();
    for &(term, value) in &numbers {
        let same = terms.has_value(term, value);
        let other = terms.not(same);
        differs = terms.or(differs, other);
    }
    if numbers.is_empty() {
        // Text ends where a zero is.
        for &(term, value) in &given[call.numbers..] {
            let is_zero = terms.has_value(term, 0);
            let other = if value == 0 { terms.not(is_zero) } else { is_zero };
            differs = terms.or(differs, other);
        }
    }
    goals.push(differs);
    goals
}
